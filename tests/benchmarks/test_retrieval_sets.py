"""Sets as they come from disk, and what their documents become."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.retrieval.events import event, report
from benchmarks.retrieval.scoring import bootstrap, score
from benchmarks.retrieval.sets import FIRST_UNDATED, Document, read_set, sample, scorer, set_names
from memory_core.domain.events import HookType

ROWS: list[dict[str, Any]] = [
    {
        "doc_id": "a:0",
        "session_id": "s",
        "project": "p",
        "timestamp": "2026-01-02T03:04:05+08:00",
        "role": "user",
        "text": "one",
    },
    {"doc_id": "a:1", "session_id": "s", "project": "p", "timestamp": None, "role": "passage", "text": "two"},
]
QUESTIONS = [{"query_id": f"q{n}", "project": "p", "query": "?", "category": "c"} for n in range(10)]


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_set_is_read_plain_or_gzipped(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "small").mkdir()
    write(tmp_path / "small" / f"corpus.jsonl{suffix}", ROWS)
    write(tmp_path / "small" / f"queries.jsonl{suffix}", QUESTIONS)

    found = read_set(tmp_path / "small")

    assert set_names(tmp_path) == ["small"]
    assert [document.doc_id for document in found.documents] == ["a:0", "a:1"]
    assert found.documents[0].timestamp.isoformat() == "2026-01-01T19:04:05+00:00"
    assert found.documents[1].timestamp == FIRST_UNDATED + timedelta(seconds=1)
    assert found.sessions == {"a:0": "s", "a:1": "s"}


def test_a_limit_takes_the_same_questions_each_time_and_keeps_their_order() -> None:
    taken = sample(QUESTIONS, 4)

    assert taken == sample(QUESTIONS, 4)
    assert len(taken) == 4
    assert taken == [question for question in QUESTIONS if question in taken]


@pytest.mark.parametrize(
    ("role", "hook", "data"),
    [
        ("user", HookType.PROMPT_SUBMIT, {"prompt": "t"}),
        ("assistant", HookType.STOP, {"last_assistant_message": "t"}),
        ("tool", HookType.POST_TOOL_USE, {"tool_name": "Bash", "tool_output": "t"}),
        ("passage", HookType.NOTIFICATION, {"message": "t"}),
        ("a role of a set that comes later", HookType.NOTIFICATION, {"message": "t"}),
    ],
)
def test_a_document_is_reported_by_who_said_it(role: str, hook: HookType, data: dict[str, str]) -> None:
    document = Document("d", "s", "p", FIRST_UNDATED, role, "t", tool_name="Bash")

    assert report(document) == (hook, data)


def test_projects_and_sessions_of_two_sets_do_not_meet() -> None:
    document = Document("d", "s", "p", FIRST_UNDATED, "user", "t")

    one, other = event("first", document), event("second", document)

    assert one.project != other.project
    assert one.session_id != other.session_id
    assert one.event_id != other.event_id


def test_an_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    estimate = bootstrap([0.0, 1.0, 1.0, 0.0, 1.0])

    assert estimate.low <= estimate.mean <= estimate.high
    assert estimate == bootstrap([0.0, 1.0, 1.0, 0.0, 1.0])


SCORER = """
def score(queries, run, session_of):
    ranked = {row["query_id"]: row["ranked"] for row in run}
    metric = lambda q: {name: float(ranked[q["query_id"]][:1] == q["gold"]) for name in NAMES}
    return {"per_query": [{"query_id": q["query_id"], "category": q["category"], "turn": metric(q)} for q in queries]}
NAMES = ("recall_any@5", "recall_all@5", "recall@5", "recall@10", "ndcg@10", "mrr")
"""


def test_the_scorer_that_comes_with_the_data_judges(tmp_path: Path) -> None:
    (tmp_path / "score.py").write_text(SCORER)
    (tmp_path / "small").mkdir()
    write(tmp_path / "small" / "corpus.jsonl", ROWS)
    questions = [
        {"query_id": "1", "project": "p", "query": "?", "category": "hit", "gold": ["a:0"]},
        {"query_id": "2", "project": "p", "query": "?", "category": "miss", "gold": ["a:0"]},
    ]
    write(tmp_path / "small" / "queries.jsonl", questions)
    run = [{"query_id": "1", "ranked": ["a:0"]}, {"query_id": "2", "ranked": ["a:1"]}]

    found = score(scorer(tmp_path), read_set(tmp_path / "small"), run)

    assert [(one.level, one.category, one.questions, one.metrics["mrr"].mean) for one in found] == [
        ("turn", "ALL", 2, 0.5),
        ("turn", "hit", 1, 1.0),
        ("turn", "miss", 1, 0.0),
    ]


def test_data_without_a_scorer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"score\.py"):
        scorer(tmp_path)

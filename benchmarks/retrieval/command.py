"""`python -m benchmarks retrieval`: load the sets by the product's write path, ask by its recall, score."""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from rich.progress import Progress

from benchmarks import instance, weights
from benchmarks.freshness import ROOT
from benchmarks.revision import commit

from . import report, scoring
from .baseline import baseline_rows
from .sets import RetrievalSet, read_set, scorer, set_names

HISTORY = ROOT / "benchmarks" / "history" / "retrieval.jsonl"

PATIENCE_SECONDS = 600.0
"""How long a run waits for the reranker; unit: seconds a question."""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    options = argparse.ArgumentParser(prog="python -m benchmarks retrieval", description=__doc__)
    options.add_argument("--data", type=Path, required=True, help="folder with one folder a set, and score.py")
    options.add_argument(
        "--set", action="append", dest="sets", metavar="NAME", help="a set to run; again for more; all"
    )
    options.add_argument("--limit", type=int, help="ask at most so many questions of a set, the same ones each time")
    options.add_argument(
        "--ablate", action="store_true", help="ask again with each stream, and each way to widen a question, left out"
    )
    options.add_argument(
        "--reword", action="store_true", help="ask in words that the set does not use, with and without widening"
    )
    options.add_argument(
        "--reranker",
        default="none",
        metavar="PATH",
        help="a cross-encoder's folder or hub id; `fetch` takes the one that tests use; without it nothing is reranked",
    )
    options.add_argument(
        "--baseline", action="store_true", help="score the data's plain BM25 on the same questions, too"
    )
    options.add_argument(
        "--keep", type=Path, default=instance.CACHE / "retrieval", help="data directory, kept between runs"
    )
    options.add_argument("--history", type=Path, default=HISTORY, help="file that results are appended to")
    return options


def main(arguments: Sequence[str]) -> int:
    """Run the command; 1 when the data is not there."""
    chosen = parser().parse_args(arguments)
    if not chosen.data.is_dir():
        print(
            f"{chosen.data} is not there: retrieval sets are read from a path, none come with Everlore.",
            file=sys.stderr,
        )
        return 1
    home = chosen.keep.resolve()
    try:
        os.environ["EVERLORE_RERANKER_MODEL"] = _reranker(chosen.reranker)
    except weights.Unreachable as problem:
        print(f"There is no reranker to measure: {problem}.", file=sys.stderr)
        return 1
    with instance.database(home), _patiently_reranked(chosen.reranker):
        for result in _results(chosen, home):
            print(report.table(result), end="\n\n", flush=True)
    return 0


def _reranker(name: str) -> str:
    """What the setting is to say; `fetch` fetches. Raises Unreachable."""
    return str(weights.reranker(instance.CACHE / "reranker")) if name == "fetch" else name


@contextmanager
def _patiently_reranked(model: str) -> Iterator[None]:
    """The model prepared, and waited for however busy the machine is: quality is measured here, not pace."""
    from memory_core.domain import tunables_rerank
    from memory_core.flows import reranking

    if model != "none":
        reranking.prepare_configured()
    try:
        with mock.patch.multiple(tunables_rerank, MOST_SECONDS=PATIENCE_SECONDS, BUDGET_SECONDS=PATIENCE_SECONDS):
            reranking.use(None)  # the pace of before was made with the budget of before
            yield
    finally:
        reranking.use(None)


def _results(chosen: argparse.Namespace, home: Path) -> Iterator[report.Result]:
    """Results as they come; each is in the history before it is given."""
    from . import loading

    if loading.forget_if_stale(home):
        print("The write path has changed: the sets are stored anew.", file=sys.stderr)
    sets = [read_set(chosen.data / name, chosen.limit) for name in chosen.sets or set_names(chosen.data)]
    model = _load(sets)
    reference = scorer(chosen.data)
    when, at = datetime.now(UTC).isoformat(timespec="seconds"), commit(ROOT)
    for one in sets:
        if chosen.baseline:
            rows = baseline_rows(chosen.data, one.name, home)
            asked = {question["query_id"] for question in one.questions}
            kept = [row for row in rows if row["query_id"] in asked]
            yield report.Result(one.name, "plain BM25", chosen.limit, scoring.score(reference, one, kept))
        for result in itertools.chain(_ask(one, reference, chosen), _reword(one, reference, chosen)):
            chosen.history.parent.mkdir(parents=True, exist_ok=True)
            with chosen.history.open("a", encoding="utf-8") as file:
                file.write(report.line(result, when=when, at=at, model=model) + "\n")
            yield result


def _load(sets: Sequence[RetrievalSet]) -> str:
    """Store, embed and count the sets; the name of the embedding space."""
    from django.conf import settings

    from . import loading

    with Progress() as progress:
        for one in sets:
            loading.store(one, progress)
        loading.count()
        space = loading.vectors(progress, settings.EVERLORE["EVERLORE_EMBEDDING_THREADS"])
    return str(space) if space else "none"


def _ask(one: RetrievalSet, reference: ModuleType, chosen: argparse.Namespace) -> Iterator[report.Result]:
    from . import loading
    from .asking import ask, moved_by, widened_by

    document_of = loading.document_ids(one)
    left_out: list[str | None] = [None]
    whole: list[dict[str, Any]] = []
    while left_out:
        part = left_out.pop(0)
        with Progress() as progress:
            run = ask(one, document_of, progress, leaving_out=part)
        if part is None:
            whole = run.rows
            left_out += [*sorted(run.streams), *widened_by(), *moved_by()] if chosen.ablate else []
        yield report.Result(
            one.name,
            f"without {part}" if part else "reranked" if chosen.reranker != "none" else "all",
            chosen.limit,
            scoring.score(reference, one, run.rows),
            statistics.median(run.milliseconds) if run.milliseconds else 0.0,
            run.degraded,
            scoring.differences(reference, one, whole, run.rows) if part else (),
        )


def _reword(one: RetrievalSet, reference: ModuleType, chosen: argparse.Namespace) -> Iterator[report.Result]:
    """Each way to widen a question on the questions it is for: their words, and what it brings to them."""
    from . import loading
    from .asking import ask, widened_by
    from .rewording import REWORDINGS, reworded

    document_of = loading.document_ids(one)
    for way in widened_by() if chosen.reword else ():
        other = reworded(one, REWORDINGS[way])
        if not other.questions:
            continue
        asked = {question["query_id"] for question in other.questions}
        own = replace(one, questions=[question for question in one.questions if question["query_id"] in asked])
        with Progress() as progress:
            before = ask(own, document_of, progress, leaving_out=way)
            bare = ask(other, document_of, progress, leaving_out=way)
            widened = ask(other, document_of, progress, leaving_out=None)
        for variant, run, gains in (
            ("as the set asks", before, ()),
            (f"without {way}", bare, scoring.differences(reference, other, widened.rows, bare.rows)),
            ("all", widened, ()),
        ):
            yield report.Result(
                one.name,
                f"reworded for {way}, {variant}",
                chosen.limit,
                scoring.score(reference, other, run.rows),
                statistics.median(run.milliseconds),
                run.degraded,
                gains,
            )

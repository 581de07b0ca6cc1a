"""The doctor: what it finds, what it says to do, and what it repairs."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from agents import hook
from memory_core.flows import remember
from memory_core.knowledge.memories import NewMemory
from memory_core.models import EmbeddingBacklog, EmbeddingSpace
from memory_core.providers.reranking.known_models import KNOWN_RERANKERS
from memory_core.providers.reranking.prepared import Manifest
from workers import doctor
from workers.doctor import FAIL, OK, WARN

from .conftest import free_port


@pytest.fixture(autouse=True)
def _own(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_PORT": free_port()}
    monkeypatch.setenv("EVERLORE_SPOOL_DIR", str(tmp_path / "spool"))


def run(*words: str) -> tuple[int, str]:
    """The command's exit status and what it wrote."""
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", *words, stdout=out)
    return int(ended.value.code or 0), out.getvalue()


@pytest.mark.django_db
def test_a_healthy_database_without_a_server_is_no_failure() -> None:
    status, text = run("--json")

    found = {row["check"]: row["level"] for row in json.loads(text)["checks"]}
    assert status == 0, text
    assert found["Database"] == found["Tables"] == found["Clock"] == OK
    assert found["Server"] == found["Worker"] == WARN
    assert set(found) == {question.name for question in doctor.QUESTIONS}


@pytest.mark.django_db
def test_whatever_is_not_well_says_what_to_do() -> None:
    for name, finding in doctor.examine():
        assert finding.level == OK or finding.advice, name


@pytest.mark.django_db
def test_vectors_of_another_model_fail_with_the_ways_out() -> None:
    EmbeddingSpace.objects.create(provider="local", model="another", dimensions=7, active=True)

    status, text = run()

    assert status == 1
    assert "fail" in text
    assert "reindex" in text


@pytest.mark.django_db
def test_entries_that_were_given_up_are_tried_again_by_fix() -> None:
    remember.remember(NewMemory(content="the kiln is cold", project="p"), now=datetime.now(UTC))
    EmbeddingBacklog.objects.update(failed=True, last_error="no")

    _status, text = run("--fix", "--json")

    assert "tried again" in json.loads(text)["fixed"][0]
    assert EmbeddingBacklog.objects.filter(failed=False).count() == 1


@pytest.mark.parametrize(
    ("changes", "level", "found", "advice"),
    [
        pytest.param({"EVERLORE_RERANKER_MODEL": "none"}, OK, "none, as the settings say", "", id="not wanted"),
        pytest.param({"RERANK_ENABLED": False}, OK, "none, as the settings say", "", id="switched off"),
        pytest.param({}, OK, "none on this machine", "", id="not named, not here"),
        pytest.param({"EVERLORE_RERANKER_MODEL": "an/other"}, WARN, "not there", "not prepared", id="named, not here"),
        pytest.param({"EVERLORE_RERANKER_MODEL": "no model"}, WARN, "not there", "no model", id="named, and no model"),
    ],
)
def test_whether_there_is_a_reranker_is_said(
    settings: Settings, tmp_path: Path, changes: dict[str, object], level: str, found: str, advice: str
) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_RERANKER_MODEL": "", **changes}
    settings.MODELS_DIR = tmp_path

    finding = doctor.reranker()

    assert (finding.level, found in finding.found, advice in finding.advice) == (level, True, True)
    assert bool(finding.advice) == (level == WARN)


def test_a_reranker_that_is_prepared_is_named(settings: Settings, tmp_path: Path) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_RERANKER_MODEL": ""}
    settings.MODELS_DIR = tmp_path
    manifest = Manifest(
        model=KNOWN_RERANKERS[0].model,
        source_digest="0" * 64,
        precision="int8",
        sequence_tokens=512,
        model_bytes=5,
        tokenizer_bytes=2,
        versions={},
        correlation=1.0,
    )
    folder = tmp_path / manifest.folder_name()
    folder.mkdir()
    for name, text in (("model.onnx", "graph"), ("tokenizer.json", "{}"), ("manifest.json", manifest.to_json())):
        (folder / name).write_text(text)

    assert doctor.reranker() == doctor.Finding(OK, KNOWN_RERANKERS[0].model)


def test_a_short_secret_is_said(settings: Settings) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_SECRET": "short"}

    assert doctor.secret().level == WARN


def test_events_that_hooks_could_not_deliver_are_counted(tmp_path: Path) -> None:
    spool = hook.Spool({"EVERLORE_SPOOL_DIR": str(tmp_path)}, "server")
    assert doctor.pending_events(tmp_path) == (0, 0)
    lines = [b'{"one":1}\n', b'{"two":2}\n', b'{"three":3}\n']
    spool.append(lines)
    spool.remove(lines[0])
    spool.set_aside(lines[1], "status 400")

    assert doctor.pending_events(tmp_path) == (1, 1)


def test_a_damaged_spool_is_counted_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "server.jsonl").write_bytes(b"nonsense\n{}\n")

    assert doctor.pending_events(tmp_path) == (2, 0)


def test_a_model_that_is_nowhere_is_a_failure(settings: Settings) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_EMBEDDING_MODEL": "/no/such folder"}

    finding = doctor.model()

    assert finding.level == FAIL
    assert "EVERLORE_EMBEDDING_MODEL" in finding.advice


def test_words_only_on_purpose_is_fine(settings: Settings) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_EMBEDDING_MODEL": "none"}

    assert doctor.model().level == OK


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_directory_that_cannot_be_written_fails(settings: Settings, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    settings.DATA_HOME = tmp_path

    assert doctor.data_directory().level == FAIL


def test_a_data_directory_that_is_not_there_fails(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_HOME = tmp_path / "nowhere"

    assert doctor.data_directory().level == FAIL
    assert doctor.disk_space().level == FAIL

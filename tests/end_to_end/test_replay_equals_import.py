"""A session reported live by its hooks and the same session imported from its transcript are the same observations.

The replay pipes what the host would have said into the hook client, which reports to a running server; the import reads
the file. Both databases are then compared field by field, in order. What may differ, and why:

ids, event ids, times    made by who reports; the time of a report is when the hook ran.
channel, detail          says which of the two it was.
project, cwd             not compared: the hook runs in a directory that exists, transcripts travel.
a prompt's pictures      the host gives its hooks the words only: `raw.images`, the image list and the modality differ.
a compaction's summary   the host does not tell it: of a pre_compact event only type and importance are compared.
equal reports            within the dedup window a hook's second one is dropped; the window is off for the comparison.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agents.hook import HANDLERS, Call, event_named, to_json
from benchmarks.replay import HOOK, HOOK_TIMEOUT_S, host_payloads
from memory_core.documents.transcripts import read_transcript
from memory_core.flows.transcripts import import_path
from memory_core.models import Observation, SearchEntry, Session

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts"
NAMES = sorted(path.name for path in FIXTURES.iterdir())

FOLDER = os.environ.get("EVERLORE_TRANSCRIPTS", "")
REAL = sorted(path for path in Path(FOLDER).glob("*.json*") if path.name != "meta.json") if FOLDER else []
REAL_PROCESS_FILE = "gemini"
"""The shortest of the real files: a process for each of its events takes seconds."""

COMPARED = (
    *("hook_type", "type", "title", "subtitle", "narrative", "facts", "concepts", "files", "importance", "confidence"),
    *("raw", "tool_name", "modality", "images", "terms"),
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of one event that is not the same."""

    session: str
    number: int
    field: str
    replayed: Any
    imported: Any


@pytest.fixture(autouse=True)
def _without_window(settings: Any, tmp_path: Path) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_DEDUP_WINDOW_SECONDS": 0}
    settings.IMAGES_DIR = tmp_path / "images"


@pytest.fixture
def hook_process(live_server: Any, tmp_path: Path) -> Callable[[str, dict[str, Any]], None]:
    """Pipe one payload into a hook process of its own, which reports to the running server."""
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "EVERLORE_URL": live_server.url,
        "EVERLORE_SPOOL_DIR": str(tmp_path / "spool"),
        "EVERLORE_HOOK_TIMEOUT_MS": "10000",
    }
    (tmp_path / "spool").mkdir()

    def run(name: str, payload: dict[str, Any]) -> None:
        command = [sys.executable, "-I", "-S", str(HOOK), name]
        subprocess.run(command, input=json.dumps(payload).encode(), env=environ, check=True, timeout=HOOK_TIMEOUT_S)

    return run


def hook_in_process(client: Client) -> Callable[[str, dict[str, Any]], None]:
    """Run the hook client's handler here and post what it reports."""

    def run(name: str, payload: dict[str, Any]) -> None:
        event = event_named(name)
        assert event is not None
        payload = json.loads(json.dumps(payload))
        for request in HANDLERS[event](Call(event, payload, {})):
            answer = client.post(request.path, to_json(request.body), content_type="application/json")
            assert answer.status_code < 300, answer.content

    return run


def replay(path: Path, hook: Callable[[str, dict[str, Any]], None]) -> dict[str, list[dict[str, Any]]]:
    for name, payload in host_payloads(path):
        hook(name, payload)
    return stored()


def stored() -> dict[str, list[dict[str, Any]]]:
    """Every observation by session, in the order in which it is shown."""
    terms = {
        key: (words, count) for key, words, count in SearchEntry.objects.values_list("object_id", "terms", "term_count")
    }
    fields = [name for name in COMPARED if name != "terms"]
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in Observation.objects.order_by("timestamp", "pk").values("pk", "session_id", *fields):
        rows.setdefault(row["session_id"], []).append({**row, "terms": terms[row["pk"]]})
    return rows


def forget_everything() -> None:
    SearchEntry.objects.all().delete()
    Session.objects.all().delete()
    assert not Observation.objects.exists()


def differences(
    replayed: dict[str, list[dict[str, Any]]], imported: dict[str, list[dict[str, Any]]]
) -> Iterator[Difference]:
    """What differs beyond what may differ."""
    for session in sorted(replayed.keys() | imported.keys()):
        left, right = replayed.get(session, []), imported.get(session, [])
        if len(left) != len(right):
            yield Difference(session, -1, "number of observations", len(left), len(right))
        for number, (live, told) in enumerate(zip(left, right, strict=False)):
            compared = compared_fields(told)
            for name in compared:
                if comparable(live, name) != comparable(told, name):
                    yield Difference(session, number, name, live[name], told[name])


def compared_fields(told: dict[str, Any]) -> tuple[str, ...]:
    if told["hook_type"] == "pre_compact":
        return ("hook_type", "type", "importance")
    if told["hook_type"] == "prompt_submit" and told["images"]:
        return tuple(name for name in COMPARED if name not in ("modality", "images"))
    return COMPARED


def comparable(row: dict[str, Any], name: str) -> Any:
    if name == "raw" and row["hook_type"] == "prompt_submit":
        return {key: value for key, value in row["raw"].items() if key != "images"}
    return row[name]


def reports_nothing_twice(path: Path) -> bool:
    """Import over what the hooks reported: whether everything is known, so that nothing is stored."""
    before = Observation.objects.count()
    report = import_path(path, clock=timezone.now)
    return report.stored == 0 and report.skipped == 0 and Observation.objects.count() == before


@pytest.mark.parametrize("name", NAMES)
def test_hook_processes_and_the_import_store_the_same(name: str, hook_process: Any) -> None:
    path = FIXTURES / name
    replayed = replay(path, hook_process)
    assert reports_nothing_twice(path)
    forget_everything()

    report = import_path(path, clock=timezone.now)

    assert report.stored == len(read_transcript(path).events)
    assert list(differences(replayed, stored())) == []


@pytest.mark.skipif(not REAL, reason="EVERLORE_TRANSCRIPTS names no folder of real transcripts")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", REAL, ids=[path.name for path in REAL])
def test_real_sessions_are_stored_the_same(path: Path, client: Client, request: pytest.FixtureRequest) -> None:
    shortest = REAL_PROCESS_FILE in path.name
    replayed = replay(path, request.getfixturevalue("hook_process") if shortest else hook_in_process(client))
    assert reports_nothing_twice(path)
    forget_everything()

    report = import_path(path, clock=timezone.now)

    found = list(differences(replayed, stored()))
    print(f"{path.name}: import {report.stored}, replay {sum(map(len, replayed.values()))}, differences {len(found)}")
    assert found == []

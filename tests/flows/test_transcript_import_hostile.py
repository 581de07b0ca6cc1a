"""Damaged and hostile files: what is wrong is reported, and everything else is stored."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from memory_core.documents.transcripts import read_transcript
from memory_core.flows.transcripts import ImportReport, import_path
from memory_core.models import Observation, Session

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts"


def prompt(text: Any, number: int = 1, **fields: Any) -> str:
    record = {"type": "user", "uuid": f"u{number}", "sessionId": "s", "cwd": "/p", "message": {"content": text}}
    return json.dumps(record | {"timestamp": f"2026-01-01T00:00:{number % 60:02}Z"} | fields) + "\n"


def call(number: int, given: str) -> str:
    """A tool call and its result, the input as JSON text."""
    use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": "INPUT"}
    asked = {"type": "assistant", "uuid": f"a{number}", "sessionId": "s", "message": {"content": [use]}}
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "done"}
    answered = {"type": "user", "uuid": f"r{number}", "sessionId": "s", "message": {"content": [result]}}
    return json.dumps(asked).replace('"INPUT"', given) + "\n" + json.dumps(answered) + "\n"


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(lines))
    return path


def run(path: Path) -> ImportReport:
    return import_path(path, clock=timezone.now)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "stored"),
    [
        (prompt("a\x00b"), True),
        (prompt("half \ud83d of a character"), True),
        (call(1, '{"n": 1e999}'), True),
        (call(1, '{"n": NaN}'), True),
        (call(1, "9" * 4299), True),
        (call(1, '{"a":' * 90 + "1" + "}" * 90), True),
        (call(1, '{"a":' * 700 + "1" + "}" * 700), False),
        (call(1, "[" * 2000 + "]" * 2000), True),
        (prompt("x", sessionId="s" * 5000), False),
        (prompt("x", sessionId="other", cwd="/" + "ü" * 400), False),
        (prompt("x", timestamp="0001-01-01T00:00:00Z"), True),
        (prompt("x", timestamp="9999-12-31T23:59:59Z"), True),
        (prompt("x", timestamp="not a time"), True),
        (prompt("x", timestamp=-1e300), True),
    ],
    ids=[
        *("NUL", "lone surrogate", "too large a number", "NaN", "a number of 4299 digits", "nested 90 deep"),
        *(
            "nested 700 deep",
            "a call nested too deeply to read",
            "a long session id",
            "a long project",
            "year 1",
            "year 9999",
        ),
        *("no time", "no number of milliseconds"),
    ],
)
def test_an_odd_event_is_stored_or_reported_and_its_neighbours_are_stored(
    tmp_path: Path, line: str, stored: bool
) -> None:
    report = run(write(tmp_path / "s.jsonl", prompt("before", 50), line, prompt("after", 51)))

    rows = [json.dumps(raw) for raw in Observation.objects.order_by("created_at").values_list("raw", flat=True)]
    assert "before" in rows[0]
    assert "after" in rows[-1]
    assert len(rows) == 2 + stored
    assert stored or report.files[0].problems


@pytest.mark.django_db
def test_a_problem_in_one_file_does_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", "no JSON\n")
    write(tmp_path / "b.jsonl", prompt("x", sessionId="s" * 5000))
    (tmp_path / "c.jsonl.gz").write_bytes(b"\x1f\x8bdamaged")
    write(tmp_path / "d.jsonl", prompt("good"))

    report = run(tmp_path)

    assert [bool(file.problems) for file in report.files] == [True, True, True, False]
    assert [file.stored for file in report.files] == [0, 0, 0, 1]
    assert [file.skipped for file in report.files] == [0, 1, 0, 0]


@pytest.mark.django_db
def test_a_file_that_vanishes_during_the_import_is_reported(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", prompt("a"))
    second = write(tmp_path / "b.jsonl", prompt("b", 2))

    report = import_path(tmp_path, clock=timezone.now, progress=lambda _step: second.unlink(missing_ok=True))

    assert [file.stored for file in report.files] == [1, 0]
    assert "cannot be read" in report.files[1].problems[0]


@pytest.mark.django_db
def test_a_full_session_is_reported_and_counted(tmp_path: Path, settings: Any) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_MAX_OBSERVATIONS_PER_SESSION": 2}

    report = run(write(tmp_path / "s.jsonl", *(prompt(f"prompt {n}", n) for n in range(5))))

    assert (report.stored, report.skipped) == (2, 3)
    assert "EVERLORE_MAX_OBSERVATIONS_PER_SESSION" in report.files[0].problems[0]


IMPORT = """
import os, sys, django
from pathlib import Path
from django.conf import settings
django.setup()
settings.DATABASES["default"].update(eval(sys.argv[2]))
from django.utils import timezone
from memory_core.flows.transcripts import import_path
import_path(Path(sys.argv[1]), clock=timezone.now)
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_killed_import_keeps_what_it_stored_and_goes_on(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", *(prompt(f"prompt number {n}", n) for n in range(400)))
    place = {key: connection.settings_dict[key] for key in ("NAME", "HOST", "PORT", "USER", "PASSWORD")}
    environ = {**os.environ, "DJANGO_SETTINGS_MODULE": "memory_core.settings"}
    process = subprocess.Popen([sys.executable, "-c", IMPORT, str(path), repr(place)], env=environ)
    deadline = time.monotonic() + 60
    while Observation.objects.count() < 20 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = Observation.objects.count()

    report = run(path)

    assert 20 <= kept < 400
    assert Session.objects.get().observation_count == 400
    assert (report.stored, report.duplicates) == (400 - kept, kept)
    assert Observation.objects.count() == len(read_transcript(path).events) == 400

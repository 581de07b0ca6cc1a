"""Importing transcripts over HTTP."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from memory_core.documents.transcripts import read_transcript
from memory_core.models import Observation
from tests.api.conftest import Configure
from tests.fakes.client import Caller

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts"

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one transcript in Claude Code's place."""
    folder = tmp_path / "home" / ".claude" / "projects" / "x"
    folder.mkdir(parents=True)
    shutil.copy(FIXTURES / "claude_code.jsonl", folder / "s.jsonl")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize("path", [None, "~/.claude", "~/.claude/projects/x/s.jsonl"])
def test_the_answer_is_the_protocols(home: Path, owner: Caller, path: str | None) -> None:
    events = read_transcript(FIXTURES / "claude_code.jsonl").events

    answer = owner.post("replay/import-jsonl", {"path": path} if path else {})

    assert answer.status == 202
    expected = {"success": True, "imported": 1, "observations": len(events), "discovered": 1, "truncated": False}
    expected |= {"traversalCapped": False, "maxFiles": 200, "maxFilesUpperBound": 1000}
    assert answer.body.items() >= expected.items()
    assert answer["sessionIds"] == list(dict.fromkeys(event.session_id for event in events))


def test_a_second_import_stores_nothing(home: Path, owner: Caller) -> None:
    first = owner.post("replay/import-jsonl", {})
    second = owner.post("replay/import-jsonl", {})

    assert (second["observations"], second["duplicates"]) == (0, first["observations"])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"path": ""}, "path must be a non-empty string"),
        ({"path": "  "}, "path must be a non-empty string"),
        ({"path": 7}, "path must be a non-empty string"),
        ({"path": None}, "path must be a non-empty string"),
        ({"maxFiles": 0}, "maxFiles must be an integer between 1 and 1000"),
        ({"maxFiles": 1001}, "maxFiles must be an integer between 1 and 1000"),
        ({"maxFiles": "9"}, "maxFiles must be an integer between 1 and 1000"),
        ({"maxFiles": True}, "maxFiles must be an integer between 1 and 1000"),
        ({"maxFiles": 1.5}, "maxFiles must be an integer between 1 and 1000"),
        ({"maxFiles": None}, "maxFiles must be an integer between 1 and 1000"),
    ],
)
def test_a_body_that_makes_no_sense_is_refused_in_the_protocols_words(owner: Caller, body: Any, words: str) -> None:
    answer = owner.post("replay/import-jsonl", body)

    assert (answer.status, answer["error"]) == (400, words)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("~/absent", "path not found"),
        ("~/link.jsonl", "symlinks are not supported"),
        ("~/.ssh/s.jsonl", "refusing to process sensitive-looking path"),
        ("~/notes.txt", "path must be a .jsonl file or directory"),
        ("~nobody-of-this-name/x", "path not found"),
        ("~/" + "a" * 3000, "path cannot be read"),
        ("/etc", "outside"),
        ("~/../elsewhere", "outside"),
        ("~/way-out/s.jsonl", "outside"),
        ("relative.jsonl", "outside"),
    ],
    ids=[
        *("absent", "a link", "sensitive", "not a transcript", "nobody's home", "too long a name"),
        *("a folder of the system", "up and out", "out by a link", "relative"),
    ],
)
def test_a_path_that_may_not_be_read_is_refused(home: Path, owner: Caller, path: str, words: str) -> None:
    (home / "notes.txt").write_text("x")
    (home / ".ssh").mkdir()
    (home / "link.jsonl").symlink_to(home / ".claude" / "projects" / "x" / "s.jsonl")
    outside = home.parent / "elsewhere"
    outside.mkdir()
    shutil.copy(FIXTURES / "codex.jsonl", outside / "s.jsonl")
    (home / "way-out").symlink_to(outside)

    answer = owner.post("replay/import-jsonl", {"path": path})

    assert (answer.status, answer["success"]) == (202, False)
    assert words in answer["error"]
    assert not Observation.objects.exists()


def test_another_folder_may_be_allowed(home: Path, owner: Caller, configure: Configure) -> None:
    configure(EVERLORE_IMPORT_ROOTS=[str(FIXTURES)])

    answer = owner.post("replay/import-jsonl", {"path": str(FIXTURES / "codex.jsonl")})

    assert answer["imported"] == 1


def test_the_limit_of_files_is_kept_and_told(owner: Caller, configure: Configure) -> None:
    configure(EVERLORE_IMPORT_ROOTS=[str(FIXTURES)])

    answer = owner.post("replay/import-jsonl", {"path": str(FIXTURES), "maxFiles": 1})

    assert (answer["discovered"], answer["truncated"], answer["maxFiles"]) == (1, True, 1)


def test_without_the_secret_nothing_is_read(home: Path, owner: Caller, configure: Configure) -> None:
    configure(EVERLORE_SECRET="s3cret")

    assert owner.post("replay/import-jsonl", {}).status == 401
    assert not Observation.objects.exists()

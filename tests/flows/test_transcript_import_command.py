"""`everlore import-transcripts`: what it prints and how it ends."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from memory_core.documents.transcripts import read_transcript
from memory_core.models import Observation

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts"

pytestmark = pytest.mark.django_db


def run(*arguments: str, **options: Any) -> str:
    output = StringIO()
    call_command("import_transcripts", *arguments, stdout=output, **options)
    return output.getvalue()


def test_the_table_has_every_file_and_the_sums() -> None:
    shown = run(str(FIXTURES)).splitlines()

    stored = Observation.objects.count()
    files = [path.name for path in FIXTURES.iterdir() if path.suffix == ".jsonl"]
    assert all(any(line.startswith(name) for line in shown) for name in files)
    sums = next(line for line in shown if line.startswith(f"{len(files)} files"))
    assert sums.split()[3:6] == [str(stored), "0", "0"]


def test_json_tells_everything_about_each_file() -> None:
    path = FIXTURES / "codex.jsonl"

    report = json.loads(run(str(path), "--json"))

    assert report["stored"] == len(read_transcript(path).events)
    assert [file["path"] for file in report["files"]] == [str(path)]
    assert report["files"][0]["problems"] == read_transcript(path).problems


def test_the_limit_of_files_is_kept() -> None:
    report = json.loads(run(str(FIXTURES), "--json", "--max-files", "2"))

    assert len(report["files"]) == 2
    assert report["truncated"] is True


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (None, "", "there are no transcripts here"),
        ("s.jsonl", "", "nothing could be read"),
        ("s.jsonl", "no JSON at all\n", "nothing could be read"),
        ("s.jsonl", '{"a": 1}\n', "nothing could be read"),
    ],
    ids=["an empty folder", "an empty file", "no JSON", "of no known agent"],
)
def test_it_fails_when_nothing_could_be_read(tmp_path: Path, name: str | None, content: str, words: str) -> None:
    if name:
        (tmp_path / name).write_text(content)

    with pytest.raises(CommandError, match=words):
        run(str(tmp_path))


def test_it_fails_for_a_path_that_may_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="path not found"):
        run(str(tmp_path / "absent"))

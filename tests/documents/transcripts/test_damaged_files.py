"""A damaged file gives what can be read and says what cannot."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_core.documents.transcripts import Problems, iter_events, read_transcript
from memory_core.documents.transcripts.lines import raw_lines, records
from memory_core.domain.tunables_transcripts import MAX_PROBLEMS

Write = Callable[..., Path]

PROMPT = b'{"type":"user","uuid":"1","sessionId":"s","timestamp":"2026-02-03T10:00:00Z","message":{"content":"hello"}}'


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\xef\xbb\xbf" + PROMPT + b"\r\n", None),
        (PROMPT + b"\n\n  \n", None),
        (b"{not json}\n" + PROMPT + b"\n", "line 1: not JSON"),
        (b"[1, 2]\nnull\n" + PROMPT, "line 2: not a JSON object"),
        (PROMPT + b'\n{"type":"user","mess', "line 2: cut off, the file ends inside it"),
        (b"[" * 100_000 + b"\n" + PROMPT, "line 1: not JSON"),
        (b'{"n":' + b"9" * 5000 + b"}\n" + PROMPT, "line 1: not JSON"),
        (b'{"a":"\xff\xfe"}\n' + PROMPT, "a record of the unknown type 'None' is passed over"),
        (PROMPT.replace(b'"2026-02-03T10:00:00Z"', b"null"), "a record has no readable timestamp"),
        (PROMPT.replace(b"2026-02-03T10:00:00Z", b"yesterday"), "a record has no readable timestamp"),
    ],
    ids=[
        "BOM and CRLF",
        "blank lines",
        "bad JSON",
        "no objects",
        "last line cut off",
        "nested too deeply",
        "a number too long to convert",
        "not UTF-8",
        "null timestamp",
        "unreadable timestamp",
    ],
)
def test_the_prompt_is_read_and_the_damage_named(write: Write, content: bytes, problem: str | None) -> None:
    transcript = read_transcript(write(content))

    assert [e.data["prompt"] for e in transcript.events] == ["hello"]
    assert transcript.events[0].timestamp.tzinfo is not None
    assert problem is None or any(problem in text for text in transcript.problems)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\x00\x01\x02", b'{"hello": "world"}\n'], ids=["empty", "blank", "binary", "foreign"]
)
def test_a_file_of_nobody_gives_no_events_and_a_problem(write: Write, content: bytes) -> None:
    transcript = read_transcript(write(content))

    assert (transcript.agent, transcript.project, transcript.events) == ("unknown", "unknown", [])
    assert "no known agent writes records like these, nothing is read" in transcript.problems


def test_a_cut_gzip_stream_gives_the_lines_before_the_cut(write: Write) -> None:
    whole = gzip.compress(b"".join(PROMPT.replace(b'"1"', b'"%d"' % i) + b"\n" for i in range(2000)))
    transcript = read_transcript(write(whole[: len(whole) // 2], "session.jsonl.gz"))

    assert 0 < len(transcript.events) < 2000
    assert any("the compressed file is damaged" in problem for problem in transcript.problems)


def test_a_line_over_the_limit_is_skipped_and_the_next_one_read(write: Write) -> None:
    path, problems = write([f'{{"a":"{"x" * 5000}"}}', '{"b":1}']), Problems()

    assert list(records(path, problems, max_line_bytes=1000)) == [(2, {"b": 1})]
    assert problems.listed() == ["line 1: longer than 1000 bytes, skipped"]


def test_reading_ends_at_the_limit_of_the_file(write: Write) -> None:
    path, problems = write(["{}"] * 100), Problems()

    assert len(list(raw_lines(path, problems, max_line_bytes=10, max_bytes=30))) == 11
    assert "larger than 30 bytes" in problems.listed()[0]


def test_problems_are_bounded_and_the_rest_is_counted(write: Write) -> None:
    problems = read_transcript(write([PROMPT.decode()] + ["{bad"] * (MAX_PROBLEMS + 50))).problems

    assert len(problems) == MAX_PROBLEMS + 1
    assert problems[-1] == "50 more problems are not listed"


def test_iter_events_gives_the_same_events_and_logs_what_nobody_asked_for(
    transcripts: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = transcripts / "claude_code.jsonl"

    assert list(iter_events(path)) == read_transcript(path).events
    assert len(caplog.records) == len(read_transcript(path).problems)


def test_a_missing_file_is_an_error_and_not_an_empty_transcript(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_transcript(tmp_path / "none.jsonl")

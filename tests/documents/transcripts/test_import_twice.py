"""Importing again, a grown file or a damaged copy never stores anything twice."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.documents.transcripts import Transcript, read_transcript
from memory_core.domain.events import HookEvent
from tests.documents.transcripts.conftest import FIXTURES

NAMES = ["claude_code", "claude_code_sidechain", "claude_code_agent", "codex", "codex_bare", "copilot", "gemini_lines"]
LINES = {name: (FIXTURES / f"{name}.jsonl").read_bytes().splitlines(keepends=True) for name in NAMES}


def read(content: bytes, name: str = "s.jsonl") -> Transcript:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return read_transcript(path)


def stored(*transcripts: Transcript) -> dict[str | None, HookEvent]:
    """What a store keeps that takes every event id once."""
    kept: dict[str | None, HookEvent] = {}
    for transcript in transcripts:
        for event in transcript.events:
            kept.setdefault(event.event_id, event)
    return kept


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A transcript with lines lost, doubled, swapped and cut anywhere."""
    lines = LINES[draw(st.sampled_from(NAMES))]
    picked = draw(st.lists(st.integers(0, len(lines) - 1), max_size=len(lines) + 10))
    ordered = sorted(picked) if draw(st.booleans()) else picked
    content = bytearray(b"".join(lines[i] for i in ordered))
    if content and draw(st.booleans()):
        start = draw(st.integers(0, len(content) - 1))
        del content[start : start + draw(st.integers(1, 40))]
    return bytes(content[: draw(st.integers(0, len(content)))]) if draw(st.booleans()) else bytes(content)


@given(damaged())
@settings(max_examples=200, deadline=None)
def test_damage_never_raises_and_never_gives_one_event_id_twice(content: bytes) -> None:
    ids = [event.event_id for event in read(content).events]

    assert len(ids) == len(set(ids))
    assert all(ids)


@given(st.sampled_from(NAMES), st.data())
@settings(max_examples=200, deadline=None)
def test_a_prefix_and_then_the_whole_give_everything_of_the_whole_once(name: str, data: st.DataObject) -> None:
    lines = LINES[name]
    prefix = read(b"".join(lines[: data.draw(st.integers(0, len(lines)))]))
    whole = read(b"".join(lines))

    kept = stored(prefix, whole)

    assert kept.keys() == {e.event_id for e in prefix.events} | {e.event_id for e in whole.events}
    if name not in ("codex_bare", "gemini_lines"):
        assert all(kept[event.event_id] == event for event in whole.events)
    early = [kept[i] for i in kept.keys() - {e.event_id for e in whole.events}]
    assert all(e.hook_type in ("stop", "subagent_stop") for e in early), "only a last word can turn out not to be one"


@pytest.mark.parametrize("name", NAMES)
def test_reading_twice_gives_equal_transcripts(name: str) -> None:
    path = FIXTURES / f"{name}.jsonl"

    assert read_transcript(path) == read_transcript(path)


@given(st.binary(max_size=400), st.sampled_from(["s.jsonl", "s.json", "s.jsonl.gz"]))
@settings(max_examples=200, deadline=None)
def test_random_bytes_never_raise(content: bytes, name: str) -> None:
    assert read(content, name).events == []

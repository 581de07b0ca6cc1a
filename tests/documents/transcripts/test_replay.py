"""What the host would have piped to its hooks gives, through the hook client, the same data as an import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.hook import HANDLERS, OBSERVE, Call, event_named
from benchmarks.replay import host_payloads, main
from memory_core.documents.transcripts import read_transcript

ONLY_IN_TRANSCRIPTS = ("images", "summary")


def reported_live(path: Path) -> list[tuple[str, Any]]:
    reported = []
    for name, payload in host_payloads(path):
        event = event_named(name)
        assert event is not None, name
        for request in HANDLERS[event](Call(event, payload, {})):
            if request.path == OBSERVE:
                reported.append((request.body["hookType"], request.body["data"]))
    return reported


@pytest.mark.parametrize("name", ["claude_code.jsonl", "claude_code_sidechain.jsonl", "codex.jsonl", "copilot.jsonl"])
def test_replaying_and_importing_give_the_same_data(transcripts: Path, name: str) -> None:
    events = read_transcript(transcripts / name).events

    imported = [
        (str(e.hook_type), {key: value for key, value in e.data.items() if key not in ONLY_IN_TRANSCRIPTS})
        for e in events
    ]

    assert reported_live(transcripts / name) == imported


def test_a_session_starts_before_and_ends_after_its_events(transcripts: Path) -> None:
    names = [name for name, _ in host_payloads(transcripts / "claude_code.jsonl")]

    assert (names[0], names[1], names[-1]) == ("SessionStart", "UserPromptSubmit", "SessionEnd")


def test_every_payload_has_what_the_host_always_sends(transcripts: Path) -> None:
    path = transcripts / "claude_code.jsonl"

    for name, payload in host_payloads(path):
        assert payload["hook_event_name"] == name
        assert payload["transcript_path"] == str(path)
        assert payload["session_id"]
        assert payload["cwd"]


def test_the_command_runs_one_hook_process_for_each_event(
    transcripts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = tmp_path / "hook.py"
    seen = tmp_path / "seen"
    hook.write_text(f"import sys\nopen({str(seen)!r}, 'a').write(sys.argv[1] + ' ' + sys.stdin.read() + '\\n')\n")

    status = main([str(transcripts / "copilot.jsonl"), "--hook", str(hook), "--limit", "3"])

    assert status == 0
    assert [line.split()[0] for line in seen.read_text().splitlines()] == [
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
    ]
    assert "3 events" in capsys.readouterr().out

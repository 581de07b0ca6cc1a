"""Replay a Claude Code transcript as the host would have told it: one hook process for each event.

    python -m benchmarks.replay TRANSCRIPT --url http://localhost:3111

Needs a running server. What the server then holds can be compared with an import of the same file: the same events
with the same `data`, except for what only a transcript knows (pictures of a prompt, summaries of a compaction).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memory_core.documents.transcripts import Problems
from memory_core.documents.transcripts.moments import Moment
from memory_core.documents.transcripts.reading import TranscriptReading
from memory_core.domain.events import HookType

HOOK = Path(__file__).resolve().parent.parent / "agents" / "hook.py"
"""The hook client that is replayed into unless another is named."""

HOOK_TIMEOUT_S = 30.0
"""Seconds one hook process may take; a hook gives up by itself after a few, so that more is a hang."""

HOST_NAMES = {
    HookType.PROMPT_SUBMIT: "UserPromptSubmit",
    HookType.POST_TOOL_USE: "PostToolUse",
    HookType.POST_TOOL_FAILURE: "PostToolUseFailure",
    HookType.SUBAGENT_STOP: "SubagentStop",
    HookType.STOP: "Stop",
    HookType.PRE_COMPACT: "PreCompact",
}
"""What Claude Code calls the events that a transcript can tell."""

NOT_TOLD = frozenset({"images", "summary"})
"""Fields of a moment that the host does not pipe to its hooks."""


def host_payloads(path: Path, problems: Problems | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (event name, the JSON that the host pipes to the hook's stdin) for a whole transcript, as time went.

    A file may tell later what happened earlier (sub-agents at work side by side, a queued prompt); hooks did not.
    Every session in the file gets a SessionStart before its first event and a SessionEnd after the last event of the
    file. Raises OSError when the file cannot be opened.
    """
    started: dict[str, str] = {}
    moments = TranscriptReading(path, Problems() if problems is None else problems).moments()
    for moment in sorted(moments, key=lambda moment: moment.timestamp):
        if moment.session_id not in started:
            yield _payload("SessionStart", path, moment.session_id, moment.cwd, {"source": "startup"})
        started[moment.session_id] = moment.cwd
        name = HOST_NAMES[moment.hook_type]
        yield _payload(name, path, moment.session_id, moment.cwd, _told(moment))
    for session_id, cwd in started.items():
        yield _payload("SessionEnd", path, session_id, cwd, {"reason": "other"})


def replay(
    path: Path, *, url: str, hook: Path = HOOK, spool: Path | None = None, limit: int | None = None
) -> Counter[str]:
    """Pipe every payload into its own hook process; the number of events by name.

    Raises CalledProcessError or TimeoutExpired when a hook fails or hangs, which it never may.
    """
    environ = {**os.environ, "EVERLORE_URL": url} | ({"EVERLORE_SPOOL_DIR": str(spool)} if spool else {})
    sent: Counter[str] = Counter()
    for name, payload in host_payloads(path):
        if limit is not None and sent.total() >= limit:
            break
        subprocess.run(
            [sys.executable, "-I", "-S", str(hook), name],
            input=json.dumps(payload).encode(),
            env=environ,
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=HOOK_TIMEOUT_S,
        )
        sent[name] += 1
    return sent


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: replay one transcript and print what was sent and how long it took."""
    parser = argparse.ArgumentParser(description="Replay a Claude Code transcript through the hook client.")
    parser.add_argument("transcript", type=Path)
    parser.add_argument("--url", default="http://localhost:3111", help="the server's address")
    parser.add_argument("--hook", type=Path, default=HOOK, help="the hook client to run")
    parser.add_argument("--spool", type=Path, help="the hook client's spool directory")
    parser.add_argument("--limit", type=int, help="stop after so many events")
    chosen = parser.parse_args(arguments)
    start = time.perf_counter()
    sent = replay(chosen.transcript, url=chosen.url, hook=chosen.hook, spool=chosen.spool, limit=chosen.limit)
    seconds = time.perf_counter() - start
    for name, count in sorted(sent.items()):
        print(f"{name:20} {count:6}")
    print(f"{sent.total()} events in {seconds:.1f} s, {1000 * seconds / max(sent.total(), 1):.0f} ms each")
    return 0


def _told(moment: Moment) -> dict[str, Any]:
    return {key: value for key, value in moment.payload.items() if key not in NOT_TOLD}


def _payload(name: str, path: Path, session_id: str, cwd: str, fields: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    common = {"session_id": session_id, "transcript_path": str(path), "cwd": cwd, "hook_event_name": name}
    return name, {**common, **fields}


if __name__ == "__main__":
    sys.exit(main())

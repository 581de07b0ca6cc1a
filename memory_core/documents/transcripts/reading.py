"""Read a transcript of any known agent into the events that its hooks would have given."""

from __future__ import annotations

import gzip
import logging
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from memory_core.documents.transcripts import claude_code, codex, copilot, gemini
from memory_core.documents.transcripts.client_data import hook_event
from memory_core.documents.transcripts.detect import agent_of_record, detect
from memory_core.documents.transcripts.lines import Record, decode, open_transcript, records
from memory_core.documents.transcripts.moments import Moment, Recorder
from memory_core.documents.transcripts.problems import Problems
from memory_core.documents.transcripts.project import UNKNOWN_PROJECT
from memory_core.domain.events import HookEvent
from memory_core.domain.tunables_transcripts import MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, READ_CHUNK_BYTES

UNKNOWN_AGENT = "unknown"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One session file, read. Times are aware UTC or None when the file has none; `problems` are sentences.

    `events` stand in the order of the file, which is the order in which they happened. Each carries its own session,
    since a resumed session's file may begin with records of the one before it.
    """

    session_id: str
    agent: str
    cwd: str
    project: str
    started_at: datetime | None
    ended_at: datetime | None
    events: list[HookEvent]
    problems: list[str]


class Reader(Protocol):
    """What each agent's module offers: moments as records come in, and those that the end of the file completes."""

    def feed(self, record: Record) -> Iterator[Moment]: ...

    def finish(self) -> Iterator[Moment]: ...


class TranscriptReading:
    """A transcript being read: iterate `moments()` once, then ask for what was found on the way."""

    def __init__(self, path: Path, problems: Problems, *, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self._path = path
        self._max_line_bytes = max_line_bytes
        self.problems = problems
        self._document = _whole_document(path, problems)
        agent = agent_of_record(self._document) if self._document is not None else detect(path)
        self.recorder = Recorder(
            agent=agent or UNKNOWN_AGENT,
            session_id=_session_in_name(path),
            fallback_time=datetime.fromtimestamp(path.stat().st_mtime, UTC),
            problems=problems,
        )

    def moments(self) -> Iterator[Moment]:
        """Everything that happened, in the order of the file."""
        reader = _reader(self.recorder, self._path)
        if reader is None:
            self.problems.note("no known agent writes records like these, nothing is read")
            return
        for record in self._records():
            yield from reader.feed(record)
        yield from reader.finish()

    def _records(self) -> Iterator[Record]:
        if self._document is not None:
            yield self._document
            return
        for _, record in records(self._path, self.problems, max_line_bytes=self._max_line_bytes):
            yield record


def read_transcript(path: Path) -> Transcript:
    """Read the whole file. Raises OSError when it cannot be opened; whatever is wrong inside it becomes a problem."""
    problems = Problems()
    reading = TranscriptReading(path, problems)
    events = list(_events(reading))
    recorder = reading.recorder
    own = _session_in_name(path)
    session_id = own if own in recorder.sessions else next(iter(recorder.sessions), own)
    first = next((event for event in events if event.session_id == session_id), None)
    return Transcript(
        session_id=session_id,
        agent=recorder.agent,
        cwd=recorder.first_cwd(session_id),
        project=first.project if first else recorder.project() if recorder.cwd else UNKNOWN_PROJECT,
        started_at=recorder.started_at,
        ended_at=recorder.ended_at,
        events=events,
        problems=problems.listed(),
    )


def iter_events(path: Path, problems: Problems | None = None) -> Iterator[HookEvent]:
    """The events of `read_transcript`, one at a time, for files too large to hold.

    Without `problems` to fill, each problem is logged as a warning when the file ends. Raises OSError when the file
    cannot be opened.
    """
    kept = Problems() if problems is None else problems
    yield from _events(TranscriptReading(path, kept))
    if problems is None:
        for problem in kept.listed():
            _log.warning("%s: %s", path.name, problem)


def _events(reading: TranscriptReading) -> Iterator[HookEvent]:
    for moment in reading.moments():
        try:
            event = hook_event(moment)
        except RecursionError:
            reading.problems.count("an event is nested too deeply, it is passed over")
            continue
        if event is None:
            reading.problems.count("a call of the memory's own tools is left out, as the hook leaves it out")
        else:
            yield event


def _reader(recorder: Recorder, path: Path) -> Reader | None:
    """The reader of the agent that was found; adding an agent is adding a row and a module."""
    if recorder.agent == claude_code.AGENT:
        return claude_code.ClaudeCodeReader(recorder)
    if recorder.agent == codex.AGENT:
        return codex.CodexReader(recorder)
    if recorder.agent == copilot.AGENT:
        return copilot.CopilotReader(recorder)
    if recorder.agent == gemini.AGENT:
        return gemini.GeminiReader(recorder, path)
    return None


def _session_in_name(path: Path) -> str:
    """The name without its endings; Claude Code names its files after their sessions."""
    return path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")


def _whole_document(path: Path, problems: Problems) -> Record | None:
    """The file as one JSON object, when its name says so (`.json`) and it is one; None sends it to the line reader."""
    if not path.name.removesuffix(".gz").endswith(".json"):
        return None
    raw = bytearray()
    with open_transcript(path) as stream:
        try:
            while len(raw) <= MAX_DOCUMENT_BYTES and (chunk := stream.read(READ_CHUNK_BYTES)):
                raw += chunk
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            problems.note(f"the compressed file is damaged ({error})")
            return {}
    if len(raw) > MAX_DOCUMENT_BYTES:
        problems.note(f"the document is larger than {MAX_DOCUMENT_BYTES} bytes, nothing is read")
        return {}
    try:
        value = decode(bytes(raw).removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None

"""Import transcripts: every event goes the way that a hook's report goes, and nothing is stored twice.

Each event is a transaction of its own, so that an import that is killed has kept what it stored and goes on where it
stopped. An event is known by its id; one that a hook has reported under an id of its own is known by its content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from django.db import DataError

from memory_core.capture.fingerprint import shared_fingerprint
from memory_core.capture.payload import clean, clean_text
from memory_core.documents.transcripts import Problems, discover, iter_events
from memory_core.domain.errors import InvalidInput
from memory_core.domain.events import Channel, HookEvent
from memory_core.domain.tunables_transcripts import DEFAULT_MAX_FILES, MAX_CWD_CHARS, MAX_NAME_BYTES
from memory_core.models import Observation

from . import observe as capture

_TICK = timedelta(milliseconds=1)


@dataclass(slots=True)
class FileReport:
    """What became of one file. Every event is stored, a duplicate, or skipped for a reason that `problems` gives."""

    path: Path
    sessions: dict[str, None] = field(default_factory=dict)
    stored: int = 0
    duplicates: int = 0
    skipped: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def events(self) -> int:
        """Events that the file tells."""
        return self.stored + self.duplicates + self.skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What became of every file that was found, in the order of their paths; `problems` are those of the search."""

    files: list[FileReport]
    truncated: bool
    traversal_capped: bool
    problems: list[str]

    @property
    def read(self) -> list[FileReport]:
        """The files that told at least one event."""
        return [file for file in self.files if file.events]

    @property
    def sessions(self) -> list[str]:
        """The sessions that the files tell of, each once, in the order of the files."""
        return list({session: None for file in self.files for session in file.sessions})

    @property
    def stored(self) -> int:
        """Observations that are new."""
        return sum(file.stored for file in self.files)

    @property
    def duplicates(self) -> int:
        """Events that were stored before, by an import or by a hook."""
        return sum(file.duplicates for file in self.files)

    @property
    def skipped(self) -> int:
        """Events that could not be stored."""
        return sum(file.skipped for file in self.files)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: `done` of `total` files, and the counts so far with those of the file being read."""

    done: int
    total: int
    path: Path
    stored: int
    duplicates: int
    skipped: int
    problems: int


def import_path(
    path: Path | None,
    *,
    clock: Callable[[], datetime],
    max_files: int = DEFAULT_MAX_FILES,
    progress: Callable[[Progress], None] | None = None,
    home: Path | None = None,
) -> ImportReport:
    """Import the transcript at `path`, all below it, or those in the agents' usual places under `home` when None.

    `clock` gives aware times; `progress` is called after every event and every file. Importing again stores what is
    new. Raises InvalidInput or NotFound for a path that may not be read (`discover`), and what the database raises when
    it cannot be reached; a file that cannot be read is reported, and the others are imported.
    """
    found = discover(path, max_files, home=home)
    run = _Import(_rising(clock), len(found.files), progress)
    for file in found.files:
        run.file(file)
    return ImportReport(
        files=run.reports,
        truncated=found.truncated,
        traversal_capped=found.traversal_capped,
        problems=found.problems,
    )


def _rising(clock: Callable[[], datetime]) -> Callable[[], datetime]:
    """The clock, a millisecond on at every reading: ids sort by it, so that events of one moment keep their order."""
    last: datetime | None = None

    def read() -> datetime:
        nonlocal last
        now = clock()
        last = now if last is None or now > last + _TICK else last + _TICK
        return last

    return read


class _Import:
    """One import over many files."""

    def __init__(self, clock: Callable[[], datetime], total: int, progress: Callable[[Progress], None] | None) -> None:
        self._clock = clock
        self._total = total
        self._progress = progress
        self._live: dict[str, Counter[str]] = {}
        self.reports: list[FileReport] = []

    def file(self, path: Path) -> None:
        """Import one file and report it; what is wrong with it becomes a problem."""
        report = FileReport(path)
        self.reports.append(report)
        problems = Problems()
        try:
            for event in iter_events(path, problems):
                self._event(event, report, problems)
                self._tell(report, len(self.reports) - 1)
        except OSError as error:
            problems.note(f"the file cannot be read ({error.strerror or error})")
        report.problems = problems.listed()
        self._tell(report, len(self.reports))

    def _event(self, event: HookEvent, report: FileReport, problems: Problems) -> None:
        try:
            event = _storable(event)
            outcome = self._outcome(event)
        except (InvalidInput, DataError) as error:
            report.skipped += 1
            problems.count(f"an event cannot be stored: {str(error).splitlines()[0]}")
            return
        report.sessions.setdefault(event.session_id)
        if isinstance(outcome, capture.Stored):
            report.stored += 1
        elif isinstance(outcome, capture.Duplicate):
            report.duplicates += 1
        else:
            report.skipped += 1
            problems.count(f"the session is full ({outcome.limit}, EVERLORE_MAX_OBSERVATIONS_PER_SESSION)")

    def _outcome(self, event: HookEvent) -> capture.Outcome:
        if known := capture.known(event):
            return known
        prepared = capture.prepare(event)
        if self._reported_live(event, prepared) or _is_copied(event, prepared):
            return capture.Duplicate(event.session_id)
        return capture.store(prepared, now=self._clock())

    def _reported_live(self, event: HookEvent, prepared: capture.Prepared) -> bool:
        """Whether a hook reported an event of this content that no other event of the transcript stands for."""
        if event.session_id not in self._live:
            self._live[event.session_id] = _contents(event.session_id)
        waiting = self._live[event.session_id]
        if not waiting:
            return False
        content = shared_fingerprint(event.hook_type, event.session_id, prepared.data)
        if not waiting[content]:
            return False
        waiting[content] -= 1
        return True

    def _tell(self, report: FileReport, done: int) -> None:
        if self._progress is None:
            return
        self._progress(
            Progress(
                done=done,
                total=self._total,
                path=report.path,
                stored=sum(file.stored for file in self.reports),
                duplicates=sum(file.duplicates for file in self.reports),
                skipped=sum(file.skipped for file in self.reports),
                problems=sum(len(file.problems) for file in self.reports),
            )
        )


def _is_copied(event: HookEvent, prepared: capture.Prepared) -> bool:
    """Whether another session's transcript told this event: a fork copies records with their times.

    Most ids say so themselves; those of sub-agents and of queued prompts are only unique within their session, and
    name it.
    """
    if f":{event.session_id}:" not in (event.event_id or ""):
        return False
    told = Observation.objects.filter(
        project_id=event.project, timestamp=event.timestamp, hook_type=event.hook_type, channel=Channel.IMPORT
    ).exclude(session_id=event.session_id)
    contents = {shared_fingerprint(event.hook_type, "", raw) for raw in told.values_list("raw", flat=True)}
    return bool(contents) and shared_fingerprint(event.hook_type, "", prepared.data) in contents


def _contents(session_id: str) -> Counter[str]:
    """How often each content stands in a session among what hooks reported under ids that no transcript tells."""
    reported = Observation.objects.filter(session_id=session_id).exclude(channel=Channel.IMPORT)
    rows = reported.exclude(event_id__startswith="tool:").values_list("hook_type", "raw").order_by()
    return Counter(shared_fingerprint(hook_type, session_id, raw) for hook_type, raw in rows.iterator(chunk_size=100))


def _storable(event: HookEvent) -> HookEvent:
    """The event as an HTTP request would have brought it. Raises InvalidInput for what no row can hold."""
    session_id, project, cwd = (clean_text(text) for text in (event.session_id, event.project, event.cwd))
    for name, text in (("session's id", session_id), ("project's name", project)):
        if len(text.encode()) > MAX_NAME_BYTES:
            raise InvalidInput(f"the {name} is longer than {MAX_NAME_BYTES} bytes")
    return replace(
        event,
        session_id=session_id,
        project=project,
        cwd=cwd if len(cwd) <= MAX_CWD_CHARS else "",
        data=clean(event.data),
        event_id=clean_text(event.event_id or "") or None,
    )

"""Importing transcripts: once only, whatever was imported or reported before."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from memory_core.documents.transcripts import read_transcript
from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.domain.events import Channel, HookEvent
from memory_core.flows import observe as capture
from memory_core.flows import session as session_flow
from memory_core.flows.transcripts import ImportReport, Progress, import_path
from memory_core.models import ActivityEvent, Observation, SearchEntry, Session

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts"
CLAUDE = FIXTURES / "claude_code.jsonl"

pytestmark = pytest.mark.django_db


def run(path: Path | None, **options: Any) -> ImportReport:
    return import_path(path, clock=timezone.now, **options)


def counted() -> tuple[Any, ...]:
    sessions = Session.objects.order_by("pk").values_list(
        "pk", "observation_count", "status", "started_at", "ended_at", "updated_at", "tags"
    )
    tables = (Observation, SearchEntry, ActivityEvent)
    return [*sessions], [table.objects.count() for table in tables]  # type: ignore[attr-defined]


def report_live(event: HookEvent, *, event_id: str | None = None, later: float = 0) -> capture.Outcome:
    """The event as its hook would have reported it: without what only a transcript knows."""
    data = {key: value for key, value in event.data.items() if key not in ("images", "summary")}
    live = HookEvent(
        hook_type=event.hook_type,
        session_id=event.session_id,
        project=event.project,
        cwd=event.cwd,
        timestamp=event.timestamp + timedelta(seconds=later),
        data=data,
        event_id=event_id,
    )
    return capture.observe(live, now=timezone.now())


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.iterdir()))
def test_every_event_of_a_transcript_is_stored_in_the_order_of_the_file(name: str) -> None:
    told = read_transcript(FIXTURES / name).events

    report = run(FIXTURES / name)

    rows = Observation.objects.order_by("created_at").values_list("event_id", "timestamp", "channel")
    assert [*rows] == [(event.event_id, event.timestamp, Channel.IMPORT) for event in told]
    assert (report.stored, report.duplicates, report.skipped) == (len(told), 0, 0)
    ids = list(Observation.objects.order_by("created_at").values_list("pk", flat=True))
    assert ids == sorted(ids)


def test_an_imported_session_is_completed_and_spans_its_events() -> None:
    told = read_transcript(CLAUDE).events

    report = run(CLAUDE)

    for session in Session.objects.all():
        times = [event.timestamp for event in told if event.session_id == session.pk]
        assert (session.status, session.tags) == ("completed", ["jsonl-import"])
        assert (session.started_at, session.ended_at) == (min(times), max(times))
        assert session.observation_count == len(times)
    assert report.sessions == list(dict.fromkeys(event.session_id for event in told))


def test_importing_again_changes_nothing_at_all() -> None:
    first = run(FIXTURES)
    before = counted()

    second = run(FIXTURES)

    assert counted() == before
    assert (second.stored, second.duplicates) == (0, first.stored + first.duplicates)


def test_a_grown_file_adds_only_what_is_new(tmp_path: Path) -> None:
    lines = CLAUDE.read_text().splitlines(keepends=True)
    grown = tmp_path / CLAUDE.name
    grown.write_text("".join(lines[: len(lines) // 2]))
    first = run(grown)
    grown.write_text("".join(lines))

    second = run(grown)

    whole = {event.event_id for event in read_transcript(CLAUDE).events}
    assert first.stored > 0
    assert second.stored > 0
    assert whole <= set(Observation.objects.values_list("event_id", flat=True))
    assert Observation.objects.count() == first.stored + second.stored


def test_a_resumed_copy_under_a_new_session_stores_nothing_twice(tmp_path: Path) -> None:
    original = run(CLAUDE)
    before = counted()
    records = [json.loads(line) for line in CLAUDE.read_text().splitlines() if line.startswith("{")]
    copy = tmp_path / "resumed.jsonl"
    copy.write_text(
        "".join(json.dumps(r | ({"sessionId": "resumed"} if "sessionId" in r else {})) + "\n" for r in records)
    )

    second = run(copy)

    assert counted() == before
    assert second.duplicates == original.stored


@pytest.mark.parametrize("event_id", [None, "the hook's own id"], ids=["published client", "own client"])
def test_a_session_that_hooks_reported_is_not_stored_again(event_id: str | None) -> None:
    for number, event in enumerate(read_transcript(CLAUDE).events):
        report_live(event, event_id=f"{event_id} {number}" if event_id else None)
    before = counted()
    live = Observation.objects.count()

    report = run(CLAUDE)

    assert counted() == before
    assert (report.stored, report.duplicates) == (0, live)


def test_what_the_hooks_missed_is_added_and_equal_events_count_each(tmp_path: Path) -> None:
    def told(uuid: str, second: int) -> str:
        record = {"type": "user", "uuid": uuid, "sessionId": "s", "cwd": "/p", "message": {"content": "go on"}}
        return json.dumps(record | {"timestamp": f"2026-01-01T00:{second:02}:00Z"}) + "\n"

    path = tmp_path / "s.jsonl"
    path.write_text("".join(told(f"00000000-0000-4000-8000-00000000000{n}", 10 * n) for n in (1, 2, 3)))
    report_live(read_transcript(path).events[0])

    first, second = run(path), run(path)

    assert (first.stored, first.duplicates) == (2, 1)
    assert (second.stored, second.duplicates) == (0, 3)


@pytest.mark.parametrize(
    ("later", "outcome"),
    [(2, capture.Duplicate), (301, capture.Stored)],
    ids=["the spooled report of the same event", "the same words, later than the dedup window"],
)
def test_a_report_that_comes_after_the_import_is_known(later: float, outcome: type) -> None:
    run(CLAUDE)
    prompt = next(event for event in read_transcript(CLAUDE).events if event.hook_type == "prompt_submit")

    assert isinstance(report_live(prompt, event_id="hook", later=later), outcome)


def test_a_late_report_of_a_tool_is_known_by_the_id_of_its_call() -> None:
    run(CLAUDE)
    tool = next(e for e in read_transcript(CLAUDE).events if e.event_id and e.event_id.startswith("tool:toolu_"))
    before = counted()

    assert isinstance(report_live(tool, event_id=tool.event_id, later=9_999), capture.Duplicate)
    assert counted() == before


def test_a_live_session_stays_active_and_a_completed_one_stays_completed() -> None:
    told = read_transcript(CLAUDE).events
    session = told[0].session_id
    session_flow.start(session, project=told[0].project, cwd="", title="", agent="", now=timezone.now())
    run(CLAUDE)
    active = Session.objects.get(pk=session)

    assert (active.status, active.ended_at) == ("active", None)

    early = told[0].timestamp - timedelta(days=1)
    Observation.objects.all().delete()
    Session.objects.filter(pk=session).update(status="completed", started_at=early, ended_at=early)
    run(CLAUDE)

    completed = Session.objects.get(pk=session)
    assert completed.status == "completed"
    assert completed.ended_at == max(event.timestamp for event in told if event.session_id == session)


def test_secrets_in_a_transcript_are_not_stored(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    record = {"type": "user", "uuid": "u1", "sessionId": "s", "cwd": "/p", "timestamp": "2026-01-01T00:00:00Z"}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(record | {"message": {"content": f"use {secret} <private>and this</private>"}}) + "\n")

    run(path)

    stored = Observation.objects.get()
    assert secret not in f"{stored.raw} {stored.title} {stored.narrative}"
    assert "and this" not in str(stored.raw)


def test_a_picture_of_a_prompt_becomes_a_file(tmp_path: Path, settings: Any) -> None:
    settings.IMAGES_DIR = tmp_path / "images"

    run(CLAUDE)

    held = [name for names in Observation.objects.values_list("images", flat=True) for name in names]
    assert held
    assert all((tmp_path / "images").rglob(name) for name in held)


def test_progress_is_told_and_ends_complete() -> None:
    steps: list[Progress] = []

    report = run(FIXTURES, progress=steps.append)

    files = len(report.files)
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert (steps[-1].done, steps[-1].total) == (files, files)
    assert steps[-1].stored == report.stored


def test_the_usual_places_are_read_when_no_path_is_given(tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "projects" / "x"
    folder.mkdir(parents=True)
    (folder / "s.jsonl").write_bytes(CLAUDE.read_bytes())

    assert run(None, home=tmp_path).stored == len(read_transcript(CLAUDE).events)


@pytest.mark.parametrize(
    ("path", "error"),
    [("nothing-here", NotFound), (".ssh", InvalidInput), ("notes.txt", InvalidInput)],
    ids=["absent", "sensitive", "another kind of file"],
)
def test_a_path_that_may_not_be_read_is_refused(tmp_path: Path, path: str, error: type[Exception]) -> None:
    (tmp_path / "notes.txt").write_text("{}")
    (tmp_path / ".ssh").mkdir()

    with pytest.raises(error):
        run(tmp_path / path)


def test_ids_rise_even_when_the_clock_stands_still() -> None:
    still = datetime(2026, 1, 1, tzinfo=UTC)

    import_path(CLAUDE, clock=lambda: still)

    ids = list(Observation.objects.order_by("created_at").values_list("pk", flat=True))
    assert ids == sorted(ids)
    assert len(set(Observation.objects.values_list("created_at", flat=True))) == len(ids)

"""The regular jobs: each removes what its time has come for, nothing else, and does no harm when it runs again."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from pytest_django import Settings

from memory_core.domain import tunables_workers as tunables
from memory_core.domain.events import HookEvent
from memory_core.flows import fit_weights, observe, remember
from memory_core.index import spaces
from memory_core.knowledge.memories import NewMemory
from memory_core.models import (
    ActivityEvent,
    EmbeddingCache,
    EmbeddingSpace,
    Image,
    Memory,
    Observation,
    SearchEntry,
    Session,
)
from memory_core.models.observation import ObservationFingerprint
from workers import jobs
from workers.jobs import Counts

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
NAME = f"{'a' * 64}.png"


def event(session: str = "s", text: str = "hello", at: datetime = NOW) -> HookEvent:
    return HookEvent(
        hook_type="prompt_submit", session_id=session, project="p", cwd="/p", timestamp=at, data={"prompt": text}
    )


def test_fingerprints_go_after_the_window_and_not_before() -> None:
    observe.observe(event(text="old"), now=NOW - timedelta(seconds=301))
    observe.observe(event(text="new"), now=NOW - timedelta(seconds=299))

    assert jobs.sweep_fingerprints(NOW) == {"fingerprints": 1}
    assert jobs.sweep_fingerprints(NOW) == {"fingerprints": 0}
    assert ObservationFingerprint.objects.count() == 1


def test_a_memory_is_forgotten_when_its_time_is_over() -> None:
    remember.remember(NewMemory(content="the sale ends", project="p", ttl_days=1), now=NOW - timedelta(days=2))
    kept = remember.remember(
        NewMemory(content="quince jam keeps", project="p", ttl_days=9), now=NOW - timedelta(days=2)
    )
    for_good = remember.remember(NewMemory(content="water boils", project="p"), now=NOW - timedelta(days=2))

    assert jobs.forget_expired(NOW) == {"memories": 1}
    assert jobs.forget_expired(NOW) == {"memories": 0}
    assert set(Memory.objects.values_list("pk", flat=True)) == {kept.memory.pk, for_good.memory.pk}
    assert SearchEntry.objects.count() == 2


def test_only_sessions_that_fell_silent_are_abandoned_and_an_event_opens_them_again() -> None:
    long_ago = NOW - timedelta(hours=25)
    observe.observe(event("silent", at=long_ago), now=long_ago)
    observe.observe(event("lively", text="other"), now=NOW - timedelta(hours=23))

    assert jobs.close_silent_sessions(NOW) == {"sessions": 1}
    assert jobs.close_silent_sessions(NOW) == {"sessions": 0}
    silent = Session.objects.get(pk="silent")
    assert (silent.status, silent.ended_at) == ("abandoned", long_ago)
    assert Session.objects.get(pk="lively").status == "active"

    observe.observe(event("silent", text="back again"), now=NOW)

    assert Session.objects.get(pk="silent").status == "active"


def test_the_feed_is_shortened_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "JOB_BATCH", 2)
    for _ in range(5):
        ActivityEvent.objects.create(kind="old")
    ActivityEvent.objects.update(created_at=NOW - timedelta(days=tunables.ACTIVITY_KEEP_DAYS, seconds=1))
    recent = ActivityEvent.objects.create(kind="new")
    ActivityEvent.objects.filter(pk=recent.pk).update(created_at=NOW)

    assert jobs.trim_activity(NOW) == {"events": 5}
    assert list(ActivityEvent.objects.values_list("kind", flat=True)) == ["new"]


def test_a_run_does_not_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "JOB_BATCH", 1)
    monkeypatch.setattr(tunables, "JOB_MOST_BATCHES", 2)
    for _ in range(3):
        ActivityEvent.objects.create(kind="old")
    ActivityEvent.objects.update(created_at=NOW - timedelta(days=99))

    assert jobs.trim_activity(NOW) == {"events": 2}
    assert jobs.trim_activity(NOW) == {"events": 1}


def test_the_cache_keeps_what_was_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_core.domain.tunables_index.CACHE_KEEP", 2)
    space = EmbeddingSpace.objects.create(provider="fake", model="m", dimensions=3)
    for number in range(4):
        EmbeddingCache.objects.create(space=space, digest=bytes([number]) * 32, embedding=[1.0, 0.0, 0.0])
        EmbeddingCache.objects.filter(digest=bytes([number]) * 32).update(used_at=NOW + timedelta(seconds=number))

    assert jobs.prune_embedding_cache() == {"vectors": 2}
    assert {bytes(row.digest)[0] for row in EmbeddingCache.objects.all()} == {2, 3}
    assert spaces.active() is None


@pytest.fixture
def images(settings: Settings, tmp_path: Path) -> Callable[..., Path]:
    """Puts a file of an age in hours into the image store."""
    settings.IMAGES_DIR = tmp_path

    def put(name: str, hours: float) -> Path:
        path = tmp_path / name
        path.write_bytes(b"image")
        at = NOW.timestamp() - hours * 3600
        os.utime(path, (at, at))
        return path

    return put


def test_images_without_a_use_go_with_their_file(images: Callable[..., Path]) -> None:
    unused, used = images(NAME, 5), images(f"{'b' * 64}.png", 5)
    Image.objects.create(name=unused.name, size=5, reference_count=0)
    Image.objects.create(name=used.name, size=5, reference_count=1)

    assert jobs.remove_unused_images() == {"images": 1}
    assert jobs.remove_unused_images() == {"images": 0}
    assert not unused.exists()
    assert used.exists()
    assert list(Image.objects.values_list("pk", flat=True)) == [used.name]


@pytest.mark.parametrize(
    ("name", "hours", "row", "goes"),
    [
        (NAME, 2, False, True),
        (NAME, 0.5, False, False),  # its transaction may still be open
        (NAME, 2, True, False),
        (f".{'a' * 64}.0123abcd", 2, False, True),  # half written when its process died
        ("notes.txt", 99, False, False),  # not the store's
    ],
)
def test_image_files_without_a_row_go_when_they_are_old(
    images: Callable[..., Path], name: str, hours: float, row: bool, goes: bool
) -> None:
    path = images(name, hours)
    if row:
        Image.objects.create(name=name, size=5, reference_count=1)

    assert jobs.remove_orphan_files(NOW.timestamp()) == {"files": int(goes)}
    assert path.exists() is not goes


@pytest.mark.parametrize(
    "job",
    [
        jobs.sweep_fingerprints,
        jobs.forget_expired,
        jobs.close_silent_sessions,
        jobs.trim_activity,
        jobs.prune_embedding_cache,
        jobs.remove_unused_images,
        jobs.remove_orphan_files,
    ],
)
def test_every_job_runs_without_arguments_and_leaves_an_observation_alone(job: Callable[[], Counts]) -> None:
    observe.observe(event(), now=datetime.now(UTC))

    assert set(job().values()) == {0}
    assert Observation.objects.count() == 1
    assert settings.IMAGES_DIR


@pytest.mark.django_db
def test_a_project_that_cannot_be_fitted_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def fits(project: str, **_: Any) -> None:
        tried.append(project)
        if project == "aaa":
            raise ValueError("a log of another age")

    monkeypatch.setattr(fit_weights, "projects", lambda: ["aaa", "bbb"])
    monkeypatch.setattr(fit_weights, "fit_project", fits)

    assert jobs.fit_weights() == {"fits": 0, "won": 0, "failed": 1}
    assert tried == ["aaa", "bbb"]

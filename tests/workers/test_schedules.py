"""django-q2's rows are made equal to the table of regular jobs; a job that kills its process rests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils.module_loading import import_string
from django_q.conf import Conf
from django_q.models import Schedule

from memory_core import queue
from memory_core.domain import tunables_workers as tunables
from workers import attempts
from workers.models import JobAttempt
from workers.schedules import PREFIX, TABLE, Regular, synchronise

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
calls: list[tuple[object, ...]] = []


def note(*arguments: object) -> int:
    """A job of the tests."""
    calls.append(arguments)
    if arguments == ("fail",):
        raise ValueError("as asked")
    return len(arguments)


HERE = f"{__name__}.note"


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    calls.clear()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_row_of_the_table_can_be_called(row: Regular) -> None:
    assert callable(import_string(row.function))
    assert row.minutes > 0
    assert row.meaning.endswith(".")


@pytest.mark.django_db
def test_rows_are_created_changed_and_deleted_until_they_are_the_table() -> None:
    Schedule.objects.create(name="somebody else's", func="a.b", schedule_type=Schedule.DAILY)
    first = synchronise((Regular("a", HERE, 5, ""), Regular("b", HERE, 9, "")))
    again = synchronise((Regular("a", HERE, 5, ""), Regular("b", HERE, 9, "")))
    changed = synchronise((Regular("b", HERE, 7, ""),))

    assert first == {"created": 2, "changed": 0, "deleted": 0}
    assert again == {"created": 0, "changed": 0, "deleted": 0}
    assert changed == {"created": 0, "changed": 1, "deleted": 1}
    rows = dict(Schedule.objects.values_list("name", "minutes"))
    assert rows == {f"{PREFIX}b": 7, "somebody else's": None}


@pytest.mark.django_db
def test_a_job_is_handed_over_with_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conf, "SYNC", True)

    queue.enqueue(HERE, "one", 2)

    assert calls == [("one", 2)]
    assert not JobAttempt.objects.exists()


@pytest.mark.django_db
def test_a_job_that_raises_is_over_and_does_not_count_as_a_death() -> None:
    with pytest.raises(ValueError, match="as asked"):
        attempts.call(HERE, "fail")

    assert not JobAttempt.objects.exists()


@pytest.mark.django_db
def test_a_job_that_keeps_killing_its_process_rests_and_tries_again_later() -> None:
    begun = [attempts.begin("job", NOW + timedelta(minutes=number)) for number in range(tunables.JOB_DEATHS)]
    resting = attempts.begin("job", NOW + timedelta(hours=1))
    later = attempts.begin("job", NOW + timedelta(hours=tunables.JOB_REST_HOURS + 1))

    assert begun == [True] * tunables.JOB_DEATHS
    assert not resting
    assert later


@pytest.mark.django_db
def test_another_argument_is_another_job() -> None:
    for number in range(tunables.JOB_DEATHS):
        attempts.begin(f"{HERE} x", NOW + timedelta(minutes=number))

    assert attempts.call(HERE, "fine") == 1


@pytest.mark.django_db
def test_a_resting_job_is_not_run() -> None:
    JobAttempt.objects.create(key=HERE, deaths=tunables.JOB_DEATHS - 1, started_at=datetime.now(UTC))

    assert attempts.call(HERE) == attempts.RESTING
    assert calls == []

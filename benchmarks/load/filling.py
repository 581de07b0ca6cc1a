"""What a seeding process does: store a run of events by the product's own flow."""

from __future__ import annotations

from memory_core.domain.events import HookEvent

from . import content


def hook_event(number: int) -> HookEvent:
    """The corpus's event of this number, as the endpoint would hand it on."""
    one = content.event(number)
    return HookEvent(
        hook_type=one.hook_type,
        session_id=one.session_id,
        project=one.project,
        cwd=f"/src/{one.project}",
        timestamp=one.timestamp,
        data=one.data,
    )


def start() -> None:
    """Set Django up in a fresh process; the environment names the instance."""
    import django

    django.setup()


def store(first: int, last: int) -> int:
    """Observe the events `first` to `last` (not included), each at its own time; gives how many are there now."""
    from django.db import connection

    from memory_core.flows.observe import Full, observe

    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")  # a seed that a crash cuts off is made anew
    stored = 0
    for number in range(first, last):
        event = hook_event(number)
        stored += not isinstance(observe(event, now=event.timestamp), Full)  # two of 100,000 may be the same by chance
    return stored

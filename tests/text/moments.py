"""What the tests of times share: the moment of asking, and times as they are written in tables."""

from __future__ import annotations

from datetime import UTC, datetime

from memory_core.text.moments import read_times

NOW = datetime(2026, 5, 14, 12, tzinfo=UTC)
"""A Thursday."""


def read(text: str, now: datetime = NOW) -> list[tuple[str, str]]:
    """Start and end of each span in UTC, to the minute: the date alone at midnight."""
    return [(written(span.start), written(span.end)) for span in read_times(text, now).spans]


def written(moment: datetime) -> str:
    """2026-05-14 at midnight, else 2026-05-14 09:30."""
    return f"{moment:%Y-%m-%d}" if (moment.hour, moment.minute) == (0, 0) else f"{moment:%Y-%m-%d %H:%M}"

"""What happened, in the reader's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.admin.utils import quote
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from memory_core.domain.tunables_viewer import EVENT_TITLE_CHARACTERS
from memory_core.models import ActivityEvent, Session

KINDS = {
    "observation": _("Observed"),
    "memory_saved": _("Remembered"),
    "memory_revised": _("Memory revised"),
    "memory_forgotten": _("Memory forgotten"),
    "observations_forgotten": _("Observations forgotten"),
    "session_started": _("Session started"),
    "session_ended": _("Session ended"),
}
"""Every kind of event that the core records; a test holds the table to the code."""

PAGES = {
    "observation": "observation",
    "memory_saved": "memory",
    "memory_revised": "memory",
    "session_started": "session",
    "session_ended": "session",
}
"""The admin page, by model, of what an event of this kind is about."""


@dataclass(frozen=True, slots=True)
class Line:
    """One event as the page shows it; `address` is empty where there is nothing to see any more."""

    what: str
    title: str
    address: str
    project: str
    at: datetime


def lines(events: Iterable[ActivityEvent]) -> list[Line]:
    """Events in words, in the order they come; sessions are called by their title where they have one."""
    every = list(events)
    about_sessions = {event.session_id for event in every if PAGES.get(event.kind) == "session"}
    titles = dict(Session.objects.filter(pk__in=about_sessions).values_list("pk", "title"))
    return [_line(event, titles.get(event.session_id) or event.session_id) for event in every]


def _line(event: ActivityEvent, session: str) -> Line:
    """An event in words; a kind that has none keeps its own name."""
    data: dict[str, Any] = event.data if isinstance(event.data, dict) else {}
    title = str(data.get("title") or "")
    if event.kind == "observations_forgotten":
        count = int(data.get("count") or 0)
        title = ngettext("%(count)d record", "%(count)d records", count) % {"count": count}
    key = event.object_id or event.session_id
    return Line(
        what=str(KINDS.get(event.kind, event.kind)),
        title=Truncator(title or (session if event.kind in PAGES else "")).chars(EVENT_TITLE_CHARACTERS),
        address=reverse(f"admin:memory_core_{PAGES[event.kind]}_change", args=[quote(key)])
        if event.kind in PAGES and key
        else "",
        project=event.project_slug,
        at=event.created_at,
    )

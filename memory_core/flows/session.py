"""A session's start and end."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction

from memory_core import activity
from memory_core.domain import tunables_memory as tunables
from memory_core.models import Session
from memory_core.sql import capture as sql

from . import scrubbing


def start(session_id: str, *, project: str, cwd: str, title: str, agent: str, now: datetime) -> Session:
    """Open a session, or open it again; what it holds stays."""
    label = scrubbing.text(" ".join(title.split()))[: tunables.FIRST_PROMPT_LENGTH]
    with transaction.atomic():
        sql.START_SESSION.run(
            {
                "session": session_id,
                "project": project,
                "agent": agent or settings.EVERLORE["AGENT_ID"],
                "cwd": cwd,
                "title": label,
                "prompt": label,
                "now": now,
            }
        )
        # After the session, as an observation of it does: the other way round the two could wait for each other.
        sql.ENTER_PROJECT.run({"project": project, "cwd": cwd, "now": now, "most_roots": tunables.MOST_ROOTS})
        session = Session.objects.get(pk=session_id)
        activity.record("session_started", project=session.project_id, agent=session.agent_id, session=session_id)
    return session


def end(session_id: str, *, now: datetime) -> bool:
    """Close a session; False when there is none of this id, and nothing is made up for it."""
    with transaction.atomic():
        rows = sql.END_SESSION.rows({"session": session_id, "now": now})
        if rows:
            activity.record("session_ended", project=rows[0][0], agent=rows[0][1], session=session_id)
    return bool(rows)

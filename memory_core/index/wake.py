"""Wake the worker after a commit, at most every WAKE_SECONDS a process."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from django.db import DatabaseError, connection, transaction

from memory_core.domain.tunables_index import WAKE_SECONDS
from memory_core.sql.index import NOTIFY

CHANNEL = "everlore_backlog"


@dataclass(slots=True)
class _State:
    """When this process last sent a wake-up, by its monotonic clock."""

    last: float = 0.0


_lock = threading.Lock()
_state = _State()


def wake_after_commit() -> None:
    """Tell the worker that the backlog has grown, once this transaction is durable.

    A wake-up that is skipped because another went out a moment ago costs nothing: the worker drains the whole
    backlog when woken, and looks on its own every BACKLOG_POLL_SECONDS.
    """
    transaction.on_commit(_wake, robust=True)


def _wake() -> None:
    with _lock:
        now = time.monotonic()
        if now - _state.last < WAKE_SECONDS:
            return
        _state.last = now
    try:
        NOTIFY.rows({"channel": CHANNEL, "payload": ""})
    except DatabaseError:
        connection.close()  # the commit stands; the worker's own look finds the entry

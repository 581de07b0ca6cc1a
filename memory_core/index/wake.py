"""Wake the worker after a commit, at most every WAKE_SECONDS a process."""

from __future__ import annotations

import threading
import time

from django.db import DatabaseError, connection, transaction

from memory_core.domain.tunables_index import WAKE_SECONDS
from memory_core.sql.index import NOTIFY

CHANNEL = "everlore_backlog"

_lock = threading.Lock()
_last = 0.0


def wake_after_commit() -> None:
    """Tell the worker that the backlog has grown, once this transaction is durable.

    A wake-up that is skipped because another went out a moment ago costs nothing: the worker drains the whole
    backlog when woken, and looks on its own every BACKLOG_POLL_SECONDS.
    """
    transaction.on_commit(_wake, robust=True)


def _wake() -> None:
    global _last
    with _lock:
        now = time.monotonic()
        if now - _last < WAKE_SECONDS:
            return
        _last = now
    try:
        NOTIFY.rows({"channel": CHANNEL, "payload": ""})
    except DatabaseError:
        connection.close()  # the commit stands; the worker's own look finds the entry

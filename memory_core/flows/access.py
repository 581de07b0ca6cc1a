"""What was given back, counted: at once, or by a thread of the web process, so that no reader waits for a commit."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from django.db import DatabaseError, close_old_connections, connection, transaction

from memory_core.domain.tunables_recall import ACCESS_FLUSH_SECONDS, MOST_WAITING_ACCESSES
from memory_core.sql.capture import LOG_ACCESS

logger = logging.getLogger("everlore.recall")

_waiting: deque[tuple[str, int]] = deque(maxlen=MOST_WAITING_ACCESSES)
_background = threading.Event()


def record(ids: Sequence[str], now: datetime) -> None:
    """Count that records were given back; a failure is logged and does not cost the reader the answer."""
    entries = [(one, int(now.timestamp() * 1000)) for one in dict.fromkeys(ids)]
    if _background.is_set():
        _waiting.extend(entries)
    else:
        _write(entries)


def flush() -> None:
    """Write what waits."""
    entries = []
    with suppress(IndexError):  # empty: another thread may have taken the last one
        while True:
            entries.append(_waiting.popleft())
    _write(entries)


def start() -> None:
    """Count in the background from now on, every ACCESS_FLUSH_SECONDS; a kill loses the counts of that time."""
    _background.set()
    threading.Thread(target=_run, name="access-log", daemon=True).start()


def stop() -> None:
    """Write what waits, and count at once from now on."""
    _background.clear()
    flush()


def _run() -> None:
    pause = threading.Event()
    while _background.is_set():
        pause.wait(ACCESS_FLUSH_SECONDS)
        flush()
        close_old_connections()


def _write(entries: Sequence[tuple[str, int]]) -> None:
    if not entries:
        return
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit = off")  # losing the last counts in a crash harms nobody
            cursor.execute(LOG_ACCESS.text, {"ids": [one for one, _ in entries], "times": [ms for _, ms in entries]})
    except DatabaseError as problem:
        logger.warning("The access log was not written: %s", str(problem).splitlines()[0])

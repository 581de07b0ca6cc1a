"""What was given back and used, written: at once, or by a thread of the web process, so that no reader waits for a commit."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar

from django.db import DatabaseError, close_old_connections, connection, transaction

from memory_core.domain.tunables_expansion import MOST_WAITING_USES
from memory_core.domain.tunables_recall import ACCESS_FLUSH_SECONDS, MOST_WAITING_ACCESSES
from memory_core.domain.tunables_weights import MOST_WAITING_RECALLS
from memory_core.retrieve.expansion import Expansion
from memory_core.retrieve.question import any_of
from memory_core.sql.capture import LOG_ACCESS
from memory_core.sql.expansion import COUNT_GROUP_USES

from . import recall_log

logger = logging.getLogger("everlore.recall")
T = TypeVar("T")

_uses: deque[dict[str, Any]] = deque(maxlen=MOST_WAITING_USES)
_waiting: deque[tuple[str, int]] = deque(maxlen=MOST_WAITING_ACCESSES)
_asked: deque[recall_log.Asked] = deque(maxlen=MOST_WAITING_RECALLS)
_used: deque[tuple[float, recall_log.Used]] = deque(maxlen=MOST_WAITING_RECALLS)
"""Since when each waits, by this process's monotonic clock."""
_background = threading.Event()


def record(
    ids: Sequence[str], now: datetime, expansions: Iterable[Expansion] = (), asked: recall_log.Asked | None = None
) -> None:
    """Count that records were given back, and which groups of synonyms widened the question, and keep what was asked; a
    failure is logged and does not cost the reader the answer."""
    ms = int(now.timestamp() * 1000)
    entries = [(one, ms) for one in dict.fromkeys(ids)]
    uses = _uses_of(expansions, ids, ms)
    recalls = [asked] if asked else []
    if _background.is_set():
        _waiting.extend(entries)
        _uses.extend(uses)
        _asked.extend(recalls)
    else:
        _write(entries, uses, recalls)


def record_use(used: recall_log.Used) -> None:
    """Keep that records were used after an answer that gave them; a failure is logged."""
    if _background.is_set():
        _used.append((time.monotonic(), used))
    else:
        _write(used=[used])


def _uses_of(expansions: Iterable[Expansion], ids: Sequence[str], ms: int) -> list[dict[str, Any]]:
    """A use of each group of synonyms, with what is needed to judge whether it earned one of the records."""
    by_group: defaultdict[str, list[Expansion]] = defaultdict(list)
    for one in expansions:
        if one.group:
            by_group[one.group].append(one)
    return [
        {
            "group": group,
            "ids": list(ids),
            "synonyms": any_of(one.term for one in own),
            "sources": any_of(one.source for one in own),
            "ms": ms,
        }
        for group, own in by_group.items()
    ]


def flush(*, everything: bool = True) -> None:
    """Write what waits. Unless everything is wanted, a use rests until every process has written the answer before it."""
    used = []
    with suppress(IndexError):  # as in `_taken`
        while everything or _used[0][0] < time.monotonic() - 2 * ACCESS_FLUSH_SECONDS:
            used.append(_used.popleft()[1])
    _write(_taken(_waiting), _taken(_uses), _taken(_asked), used)


def _taken(queue: deque[T]) -> list[T]:
    taken = []
    with suppress(IndexError):  # empty: another thread may have taken the last one
        while True:
            taken.append(queue.popleft())
    return taken


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
        flush(everything=False)
        close_old_connections()


def _write(
    entries: Sequence[tuple[str, int]] = (),
    uses: Sequence[dict[str, Any]] = (),
    asked: Sequence[recall_log.Asked] = (),
    used: Sequence[recall_log.Used] = (),
) -> None:
    if not (entries or uses or asked or used):
        return
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit = off")  # losing the last counts in a crash harms nobody
            if entries:
                ids, times = zip(*entries, strict=True)
                cursor.execute(LOG_ACCESS.text, {"ids": list(ids), "times": list(times)})
            if uses:
                cursor.execute(COUNT_GROUP_USES.text, {"uses": json.dumps(uses)})
            for question in asked:
                recall_log.write(question)
        for (
            use
        ) in used:  # each in a transaction of its own: two writers lock the answers of one use in the same order only
            recall_log.mark(use)
    except DatabaseError as problem:
        logger.warning("The access log was not written: %s", str(problem).splitlines()[0])

"""What recall keeps of an answered question to learn from: no words, only which records, their ranks, and later their use."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from memory_core.domain import tunables_weights as tunables
from memory_core.domain.scope import Scope
from memory_core.retrieve.search import Hit
from memory_core.sql import weights as sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An answered question; `project` None: asked of every project; `ranks` by stream, 0 where a candidate is not in it."""

    asked_at: datetime
    project: str | None
    agent: str
    session: str
    digest: bytes
    shown: list[str]
    candidates: list[str]
    ranks: dict[str, list[int]]
    votes: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Records that somebody opened or cited; `project` None: named none."""

    at: datetime
    project: str | None
    agent: str
    session: str
    ids: list[str]


class Budget:
    """A bucket of LOGGED_AT_ONCE recalls that fills by LOGGED_PER_SECOND; the times are seconds of any clock."""

    def __init__(self) -> None:
        """Full."""
        self._lock = threading.Lock()
        self.fill()

    def fill(self) -> None:
        """Start anew."""
        self._level = tunables.LOGGED_AT_ONCE
        self._at: float | None = None

    def take(self, now: float) -> bool:
        """Whether one more may be logged."""
        with self._lock:
            passed = now - self._at if self._at is not None else 0.0
            self._level = min(tunables.LOGGED_AT_ONCE, self._level + max(passed, 0.0) * tunables.LOGGED_PER_SECOND)
            self._at = now
            if self._level < 1:
                return False
            self._level -= 1
            return True


_budget = Budget()


def forget_budget() -> None:
    """Start with a full bucket; for tests."""
    _budget.fill()


def may_log(query: str) -> bool:
    """Whether this process logs one more recall, this one."""
    wanted = bool(settings.EVERLORE["EVERLORE_LEARNED_WEIGHTS"]) and is_in_share(digest_of(query))
    return wanted and _budget.take(time.monotonic())


def is_in_share(digest: bytes) -> bool:
    """Whether a question is among LOGGED_SHARE of all; by other bytes than those that say whether a fit may see it."""
    return int.from_bytes(digest[-4:]) < tunables.LOGGED_SHARE * 2**32


def project_of(scope: Scope) -> str | None:
    """The one project that a read names; None when it asks every one."""
    return scope.projects[0] if scope.projects else None


def digest_of(query: str) -> bytes:
    """What tells a question from another without telling its words: 16 bytes, keyed by the instance's secret."""
    key = hashlib.sha256(settings.SECRET_KEY.encode()).digest()
    return hashlib.blake2b(" ".join(query.split()).encode(), key=key, digest_size=16).digest()


def asked(
    query: str,
    scope: Scope,
    session: str | None,
    found: Sequence[Hit],
    shown: Sequence[Hit],
    votes: Mapping[str, float],
    now: datetime,
) -> Asked:
    """What is kept of a question: `found` are the fused records with their evidence, `shown` those that were given back.

    No ranks where the question asked for one side's words: its order is not the fusion's alone.
    """
    given = [hit.object_id for hit in shown]
    wanted = set(given)
    candidates = [
        hit for place, hit in enumerate(found) if place < tunables.LOGGED_CANDIDATES or hit.object_id in wanted
    ]
    fused_alone = project_of(scope) is not None and all(hit.voice == 1 for hit in candidates)
    streams = sorted({stream for hit in candidates for stream in hit.evidence}) if fused_alone else []
    return Asked(
        asked_at=now,
        project=project_of(scope),
        agent=scope.agent or "",
        session=session or "",
        digest=digest_of(query),
        shown=given,
        candidates=[hit.object_id for hit in candidates],
        ranks={
            name: [int(hit.evidence[name][0]) if name in hit.evidence else 0 for hit in candidates] for name in streams
        },
        votes={name: round(votes[name], 6) for name in streams if name in votes},
    )


def used(ids: Sequence[str], scope: Scope, session: str | None, now: datetime) -> Used:
    """A use of records by whoever reads with this scope."""
    return Used(
        at=now,
        project=project_of(scope),
        agent=scope.agent or "",
        session=session or "",
        ids=list(dict.fromkeys(ids)),
    )


def write(recall: Asked) -> None:
    """Store an answered question."""
    sql.LOG_RECALL.run(
        {
            "asked_at": recall.asked_at,
            "project": recall.project,
            "agent": recall.agent,
            "session": recall.session,
            "digest": recall.digest,
            "shown": recall.shown,
            "candidates": recall.candidates,
            "ranks": json.dumps(recall.ranks),
            "votes": json.dumps(recall.votes),
            "follow_up": tunables.FOLLOW_UP_SECONDS,
        }
    )


def mark(use: Used) -> int:
    """Store a use; gives how many answers it speaks for."""
    return sql.MARK_USED.run(
        {
            "at": use.at,
            "within": tunables.USE_WINDOW_SECONDS,
            "project": use.project,
            "agent": use.agent,
            "session": use.session,
            "ids": use.ids,
            "most": tunables.MOST_LOOKED_BACK,
        }
    )

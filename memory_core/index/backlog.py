"""The embedding backlog: claimed in batches, stored when the vectors are there, tried again when they are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from memory_core.domain import tunables_index as tunables
from memory_core.models import EmbeddingSpace
from memory_core.sql import index as sql

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Claim:
    """An entry that this worker embeds now."""

    id: int
    entry_id: int
    attempts: int
    kind: str
    object_id: str
    piece: int
    project: str
    agent: str


def claim(now: datetime, batch: int = tunables.EMBED_BATCH) -> list[Claim]:
    """Claim the next entries, most urgent first; other workers skip them until the claim ends."""
    lease = timedelta(seconds=tunables.EMBED_LEASE_SECONDS)
    return [Claim(*row) for row in sql.CLAIM_BACKLOG.rows({"now": now, "batch": batch, "lease": lease})]


def text_of(vector: Vector) -> str:
    """A vector in pgvector's text form."""
    return "[" + ",".join(f"{value:.6g}" for value in vector.tolist()) + "]"


def store(space: EmbeddingSpace, claims: Sequence[Claim], vectors: Sequence[Sequence[Vector]]) -> bool:
    """Store each claim's vectors, one a chunk, and take it off the backlog, in one transaction.

    False, and nothing done, when the backlog's claims are for a space that was swapped for another meanwhile.
    """
    entries, chunks, texts = [], [], []
    for one, own in zip(claims, vectors, strict=True):
        for number, vector in enumerate(own):
            entries.append(one.entry_id)
            chunks.append(number)
            texts.append(text_of(vector))
    waiting = [one.id for one in claims if one.id]  # a rebuild claims nothing: its space is not active yet
    with transaction.atomic():
        if waiting and not sql.HOLD_ACTIVE_SPACE.rows({"space": space.pk}):
            return False
        if entries:  # first the entries, by id, then their backlog: as whoever forgets an entry does
            sql.ADD_EMBEDDINGS.run({"space": space.pk, "entries": entries, "chunks": chunks, "embeddings": texts})
        sql.FINISH_BACKLOG.run({"ids": waiting})
    return True


def postpone(claims: Sequence[Claim], error: str, now: datetime) -> None:
    """Try the claims again later, each time a while longer; after the last attempt they stay, given up and counted."""
    sql.POSTPONE_BACKLOG.run(
        {
            "ids": [one.id for one in claims],
            "error": error[:2000],
            "now": now,
            "most_attempts": tunables.EMBED_MOST_ATTEMPTS,
            "base_seconds": tunables.EMBED_BACKOFF_SECONDS,
            "most_seconds": tunables.EMBED_MOST_BACKOFF_SECONDS,
        }
    )


def release(claims: Sequence[Claim], now: datetime) -> None:
    """Hand claims back unharmed: they are due at once, and the attempt does not count."""
    sql.RELEASE_BACKLOG.run({"ids": [one.id for one in claims], "now": now})


def reclaim(now: datetime) -> int:
    """Make the claims of workers that died due at once; only while no other worker is alive.

    An entry whose worker died DEATHS_BEFORE_GIVEN_UP times is given up: a text that kills the process would kill
    every one after it. Gives the most attempts that one of them has had.
    """
    died = sql.RECLAIM_BACKLOG.rows({"now": now, "most_deaths": tunables.DEATHS_BEFORE_GIVEN_UP})
    return max((int(attempts) for (attempts,) in died), default=0)


def suspects(now: datetime) -> int:
    """How many entries are due whose earlier attempts did not end well."""
    return int(sql.SUSPECT_BACKLOG.rows({"now": now})[0][0])


def retry_failed(now: datetime) -> int:
    """Try the entries again that were given up; gives how many."""
    return sql.RETRY_FAILED_BACKLOG.run({"now": now})


def waiting() -> tuple[int, int]:
    """How many entries wait for vectors, and how many were given up."""
    waiting_count, failed_count = sql.BACKLOG_SIZE.rows()[0]
    return int(waiting_count), int(failed_count)


def cached(space: EmbeddingSpace, digests: Sequence[bytes], now: datetime) -> dict[bytes, Vector]:
    """The vectors of texts embedded before, by digest."""
    rows = sql.CACHED_EMBEDDINGS.rows({"space": space.pk, "digests": list(digests), "now": now})
    return {bytes(digest): np.fromstring(text[1:-1], dtype=np.float32, sep=",") for digest, text in rows}


def cache(space: EmbeddingSpace, vectors: dict[bytes, Vector], now: datetime) -> None:
    """Keep the vectors of texts for the next time they come."""
    if vectors:
        digests = sorted(vectors)
        sql.CACHE_EMBEDDINGS.run(
            {"space": space.pk, "digests": digests, "embeddings": [text_of(vectors[d]) for d in digests], "now": now}
        )

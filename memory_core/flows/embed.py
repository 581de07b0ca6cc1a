"""Drain the embedding backlog: claim, embed outside any transaction, store."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

from django.db import DatabaseError, DataError, IntegrityError, OperationalError

from memory_core.domain import tunables_index as tunables
from memory_core.domain.errors import EverloreError
from memory_core.domain.ports import Embedder
from memory_core.index import backlog
from memory_core.index.backlog import Claim, Vector
from memory_core.models import EmbeddingSpace
from memory_core.text.chunks import chunk

from .texts import texts

Clock = Callable[[], datetime]


_BAD_ENTRY = (EverloreError, IntegrityError, DataError)
"""What goes wrong with an entry; everything else goes wrong with the process or the database."""


class Interrupted(Exception):
    """The embedder was stopped, or its space swapped, in the middle; what was claimed is handed back unharmed."""


def chunks_of(text: str, embedder: Embedder) -> list[str]:
    """The first MOST_CHUNKS pieces of a text that the model reads whole."""
    room = tunables.MOST_CHUNKS * embedder.max_tokens * 8  # no token of the models known has more characters on average
    cut = text[:room]
    pieces = chunk(cut, embedder.max_tokens, overlap_tokens=tunables.CHUNK_OVERLAP_TOKENS, spans=embedder.token_spans)
    return [piece.text for piece in pieces[: tunables.MOST_CHUNKS]]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def embed_texts(chunks: Sequence[str], space: EmbeddingSpace, embedder: Embedder, now: datetime) -> list[Vector]:
    """The vectors of texts, each distinct text embedded once, ever, in this space."""
    digests = [_digest(text) for text in chunks]
    known = backlog.cached(space, sorted(set(digests)), now)
    missing = {digest: text for digest, text in zip(digests, chunks, strict=True) if digest not in known}
    if missing:
        vectors = embedder.embed_documents(list(missing.values()))
        fresh = dict(zip(missing, vectors, strict=True))
        backlog.cache(space, fresh, now)
        known.update(fresh)
    return [known[digest] for digest in digests]


def drain_once(space: EmbeddingSpace, embedder: Embedder, clock: Clock, batch: int = tunables.EMBED_BATCH) -> int:
    """Embed one batch of the backlog; gives how many entries were claimed.

    When the batch fails, its entries are tried one by one, so that one bad text cannot hold up the others. Raises
    Interrupted when the embedder does, and when the space is no longer the one that searches read.
    """
    claims = backlog.claim(clock(), batch)
    if not claims:
        return 0
    try:
        _drain(claims, space, embedder, clock)
    except (Interrupted, OperationalError):
        with suppress(DatabaseError):  # where the database is gone, the claims end by the clock
            backlog.release(claims, clock())  # those that were stored meanwhile are off the backlog already
        raise
    return len(claims)


def _drain(claims: Sequence[Claim], space: EmbeddingSpace, embedder: Embedder, clock: Clock) -> None:
    try:
        embed_claims(claims, space, embedder, clock)
    except _BAD_ENTRY as problem:
        if len(claims) == 1:
            backlog.postpone(claims, str(problem), clock())
        else:
            _one_by_one(claims, space, embedder, clock)


def _one_by_one(claims: Sequence[Claim], space: EmbeddingSpace, embedder: Embedder, clock: Clock) -> None:
    for one in claims:
        try:
            embed_claims([one], space, embedder, clock)
        except _BAD_ENTRY as problem:
            backlog.postpone([one], str(problem), clock())


def embed_claims(claims: Sequence[Claim], space: EmbeddingSpace, embedder: Embedder, clock: Clock) -> None:
    """Embed the texts of entries and store their vectors in the space; a record that is gone gets none.

    Raises Interrupted when the space was swapped for another meanwhile.
    """
    found = _texts_of(claims)
    pieces = [chunks_of(found[one.object_id], embedder) if found.get(one.object_id) else [] for one in claims]
    vectors = embed_texts([text for own in pieces for text in own], space, embedder, clock())
    split, start = [], 0
    for own in pieces:
        split.append(vectors[start : start + len(own)])
        start += len(own)
    if not backlog.store(space, claims, split):
        raise Interrupted


def _texts_of(claims: Sequence[Claim]) -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in {one.kind for one in claims}:
        found.update(texts(kind, [one.object_id for one in claims if one.kind == kind]))
    return found

"""Embedding spaces: which one searches read, and the guard that refuses vectors of another width."""

from __future__ import annotations

from django.db import connection, transaction

from memory_core.domain.errors import WidthMismatch
from memory_core.domain.ports import Embedder
from memory_core.models import EmbeddingSpace
from memory_core.sql.index import create_space_index


def active() -> EmbeddingSpace | None:
    """The space that searches read, None before the first embedder was there."""
    return EmbeddingSpace.objects.filter(active=True).first()


def matches(space: EmbeddingSpace, embedder: Embedder) -> bool:
    """Whether the embedder's vectors belong in the space."""
    return (space.provider, space.model, space.dimensions) == (embedder.provider, embedder.model, embedder.dimensions)


def guard(embedder: Embedder) -> EmbeddingSpace | None:
    """The active space for this embedder, made when there is none yet; None when there is no embedder.

    Raises WidthMismatch, with the three ways out, when the active space was made by another model: vectors of
    two models cannot be compared, and searching with the wrong ones finds noise without an error.
    """
    if not embedder.available:
        return active()
    space = active()
    if space is None:
        return _create(embedder)
    if not matches(space, embedder):
        raise mismatch(space, embedder.model, embedder.dimensions)
    return space


def mismatch(space: EmbeddingSpace, model: str, dimensions: int) -> WidthMismatch:
    """The refusal, with the three ways out; `dimensions` 0 where the width is not known yet."""
    width = f" ({dimensions} wide)" if dimensions else ""
    return WidthMismatch(
        f"The stored vectors are from {space.model} ({space.dimensions} wide), but the configured model is"
        f" {model}{width}. Three ways out:\n"
        f"  1. keep the vectors: set EVERLORE_EMBEDDING_MODEL={space.model}\n"
        f"  2. make new ones: run `everlore reindex`, searches go on while it works\n"
        f"  3. do without: set EVERLORE_EMBEDDING_MODEL=none, searches then go by words only"
    )


def _create(embedder: Embedder) -> EmbeddingSpace:
    with transaction.atomic():
        space, _ = EmbeddingSpace.objects.get_or_create(
            provider=embedder.provider, model=embedder.model, dimensions=embedder.dimensions
        )
        if not EmbeddingSpace.objects.filter(active=True).exists():
            EmbeddingSpace.objects.filter(pk=space.pk).update(active=True)
    build_index(space)
    return EmbeddingSpace.objects.get(pk=space.pk)


def build_index(space: EmbeddingSpace) -> None:
    """Create the space's HNSW index where it is missing; writers go on meanwhile."""
    statement = create_space_index(space.pk, space.dimensions)
    if connection.in_atomic_block:  # a test's transaction: CONCURRENTLY is not allowed inside one
        statement = statement.replace("CONCURRENTLY ", "")
    with connection.cursor() as cursor:
        cursor.execute(statement)

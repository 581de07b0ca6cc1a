"""Search entries: written in the transaction of the record they stand for, removed with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from memory_core.domain import tunables_index as tunables
from memory_core.sql import index as sql
from memory_core.text import bm25

from . import links, statistics
from .analysis import analyzer
from .wake import wake_after_commit

KIND_PRIORITY = {"memory": tunables.PRIORITY_MEMORY, "observation": tunables.PRIORITY_OBSERVATION}


@dataclass(frozen=True, slots=True)
class Piece:
    """What the lexical index takes in of one piece of a text: how often each term stands in it, and its length."""

    counts: Mapping[str, int]
    length: int


@dataclass(frozen=True, slots=True)
class Searchable:
    """A record as the index sees it, analysed before the transaction opens."""

    kind: str
    object_id: str
    project: str
    agent: str
    session: str
    occurred_at: datetime
    pieces: Sequence[Piece]


def analyse(text: str) -> list[Piece]:
    """The pieces of a text; one piece unless it has more distinct terms than an entry can hold.

    A text without a single term still gets a piece: the record has its row, and its vector.
    """
    return [Piece(part.counts, part.length) for part in bm25.pieces(analyzer().analyze(text))]


def add(searchable: Searchable, *, now: datetime) -> None:
    """Write the entries of a record and queue it for embedding; call it inside the record's transaction."""
    _write(searchable, range(len(searchable.pieces)), now)
    wake_after_commit()


def first_entry(searchable: Searchable) -> dict[str, Any]:
    """What a statement that writes a record together with its first entry needs of the entry."""
    return _columns(searchable, 0, statistics.average_length(searchable.project))


def add_rest(searchable: Searchable, *, now: datetime) -> None:
    """Write the entries after the first, whose statement wrote that one; inside the same transaction."""
    _write(searchable, range(1, len(searchable.pieces)), now)
    wake_after_commit()


def _columns(searchable: Searchable, number: int, average: float) -> dict[str, Any]:
    piece = searchable.pieces[number]
    return {
        "term_count": piece.length,
        "average_length": average,
        "terms": list(piece.counts),
        "weights": bm25.to_sparsevec(bm25.document_weights(piece.counts, piece.length, average)),
        "priority": KIND_PRIORITY[searchable.kind] if number == 0 else None,
    }


def _write(searchable: Searchable, numbers: Iterable[int], now: datetime) -> None:
    average = statistics.average_length(searchable.project)
    for number in numbers:
        sql.ADD_ENTRY.run(
            {
                "kind": searchable.kind,
                "object_id": searchable.object_id,
                "piece": number,
                "project": searchable.project,
                "agent": searchable.agent,
                "session": searchable.session,
                "occurred_at": searchable.occurred_at,
                "now": now,
                **_columns(searchable, number, average),
            }
        )


def refresh(searchable: Searchable, *, now: datetime) -> None:
    """Write a record's entries anew, in one transaction of its own; its vectors stay. One without entries gets them."""
    with transaction.atomic():
        shared = {"object_id": searchable.object_id}
        gone = sql.REMOVE_PIECES.rows(shared)
        old = sql.REFRESH_ENTRY.rows(
            {
                **shared,
                "project": searchable.project,
                "agent": searchable.agent,
                "session": searchable.session,
                "occurred_at": searchable.occurred_at,
                **first_entry(searchable),
            }
        )
        statistics.subtract([(row[0], row[1], row[2]) for row in [*gone, *old] if row[3]])
        if old:
            add_rest(searchable, now=now)
        else:
            add(searchable, now=now)


def remove(object_ids: Sequence[str]) -> None:
    """Take records out of the index at once; call it inside the transaction that forgets or supersedes them."""
    if not object_ids:
        return
    gone = sql.REMOVE_ENTRIES.rows({"ids": list(object_ids)})
    removed = [row[0] for row in gone]
    sql.DROP_DEPENDENTS.run({"entries": removed})
    statistics.subtract((project, weights, terms) for _, counted, project, weights, terms in gone if counted)
    links.remove(removed, [row[2] for row in gone])

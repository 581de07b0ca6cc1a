"""Ask the index: statistics, then one statement for the arms and their fusion."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_core.domain import tunables_graph as graph
from memory_core.domain import tunables_recall as tunables
from memory_core.domain.events import HookType
from memory_core.domain.scope import Scope
from memory_core.index.backlog import text_of
from memory_core.sql import recall as sql
from memory_core.text.voices import Voice

from . import times, widening
from .expansion import Expansion
from .linked import LinkedQuestion
from .matching import Match
from .question import DenseQuestion, LexicalQuestion, lexical

ARM_OF = {
    "lexical": "lexical",
    "dense": "dense",
    "linked": "linked",
    "dense_linked": "dense",
    "near_lexical": "lexical",
    "near_dense": "dense",
    "session_lexical": "lexical",
    "session_dense": "dense",
    **times.ARM_OF,
}
"""Streams that vote, and the arm (the independent evidence) each belongs to."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """What the reranker made of a hit: the place it had before (1 is the first), and the model's logit."""

    before: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A record that answers; for a request that asks to explain `evidence`: [rank, score] by stream, `path`: names from the
    question's entity to what the record names, `matches`: words of the question that stand in it; `voice`: the share of its
    score that it kept where the question asks for one side's words; `repeats`: the hit above that says nearly the same."""

    object_id: str
    score: float
    kind: str
    project: str
    agent: str
    session_id: str
    occurred_at: datetime
    title: str
    type: str
    narrative: str
    evidence: Mapping[str, Sequence[float]]
    path: tuple[str, ...] = ()
    matches: tuple[Match, ...] = ()
    reranked: Reranked | None = None
    voice: float = 1.0
    repeats: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to look for and where; `weights`: the vote of each stream, 0 for none; `ways`: how the question may be widened
    (`expansion.EVERY`)."""

    scope: Scope
    limit: int
    weights: Mapping[str, float]
    kinds: tuple[str, ...] | None = None
    cwd: str | None = None
    explain: bool = False
    ways: frozenset[str] = frozenset()
    linked: LinkedQuestion | None = None
    times: times.TimedQuestion | None = None
    voice: Voice | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, best first, the words that were asked for to find them, and how many entries the scope's projects have."""

    hits: list[Hit]
    words: LexicalQuestion | None = None
    entries: int = 0

    @property
    def expansions(self) -> tuple[Expansion, ...]:
        """What the question was widened by."""
        return self.words.expansions if self.words else ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What is known of the scope before the arms are asked."""

    entries: int
    frequencies: Mapping[int, int]
    exact: bool


_few: dict[tuple[Scope, int], tuple[float, bool]] = {}
"""Whether a scope's vectors are few, and when that was counted, by this process's monotonic clock."""


def ground(terms: Sequence[str], request: Request, space: int | None) -> Ground:
    """Entries and term frequencies of the scope, and whether its vectors are few enough to be scanned."""
    entries, frequencies = widening.statistics(terms, request.scope)
    exact = _has_few_vectors(request.scope, space) if space else True
    return Ground(entries, frequencies, exact)


def are_few(size: int, everything: int) -> bool:
    """Whether to scan `size` vectors rather than ask the index, when there are about `everything`."""
    if size <= tunables.EXACT_LIMIT:
        return True
    return size <= tunables.EXACT_LIMIT_OF_A_PART and size <= tunables.SMALL_PART * everything


def forget_sizes() -> None:
    """Count scopes anew at their next question; for tests and after a swap of spaces."""
    _few.clear()


def _has_few_vectors(scope: Scope, space: int) -> bool:
    known = _few.get((scope, space))
    if known and time.monotonic() - known[0] < tunables.SCOPE_SIZE_TTL_SECONDS:
        return known[1]
    statement = sql.scope_size(projects=scope.projects is not None, agent=scope.agent is not None)
    limit = max(tunables.EXACT_LIMIT, tunables.EXACT_LIMIT_OF_A_PART) + 1
    parameters = {"projects": list(scope.projects or ()), "agent": scope.agent, "space": space, "limit": limit}
    size, everything = statement.rows(parameters)[0]
    few = are_few(int(size), int(everything))
    if len(_few) > tunables.MOST_KNOWN_SCOPES:
        _few.clear()
    _few[(scope, space)] = (time.monotonic(), few)
    return bool(few)


def search(terms: Sequence[str], dense: DenseQuestion | None, request: Request) -> list[Hit]:
    """Records of the scope that answer, best first; always in the same order for the same data."""
    return find(terms, dense, request).hits


def find(terms: Sequence[str], dense: DenseQuestion | None, request: Request) -> Found:
    """What `search` gives, and the expansions that took part."""
    if not any(request.weights.get(stream) for stream, arm in ARM_OF.items() if arm == "dense"):
        dense = None  # a model that cannot read the question has no vote, and is not asked
    offered = widening.offers(terms, request.ways)
    known = ground([*terms, *(offer.term for offer in offered)], request, dense.space if dense else None)
    expansions, often = widening.widen(terms, offered, request.scope, known.entries, known.frequencies, request.ways)
    words = lexical(terms, known.entries, often, expansions)
    linked = request.linked if request.weights.get("linked") else None
    if words is None and dense is None and linked is None:
        return Found([])
    timed, recent, earliest = times.takes_part(request.times, request.weights)
    statement = sql.recall(
        sql.Shape(
            lexical=words is not None,
            dimensions=dense.dimensions if dense else 0,
            space=dense.space if dense else 0,
            exact=known.exact,
            projects=request.scope.projects is not None,
            agent=request.scope.agent is not None,
            kinds=bool(request.kinds),
            cwd=request.cwd is not None,
            explain=request.explain,
            linked=linked is not None,
            expanded=dense is not None and request.weights.get("dense_linked", 0.0) > 0,
            timed=timed,
            recent=recent,
            earliest=earliest,
            voice=request.voice is not None,
        )
    )
    rows = statement.dicts(
        _parameters(words, dense, request) | _in_graph(linked, known.entries) | times.parameters(request.times)
    )
    return Found([_hit(row) for row in rows], words, known.entries)


NOT_SAID_BY = {
    Voice.USER: (HookType.STOP, HookType.SUBAGENT_STOP, HookType.TASK_COMPLETED),
    Voice.AGENT: (HookType.PROMPT_SUBMIT,),
}
"""Hooks that report the other side's words. Tools, notes and memories are nobody's answer: they count in full."""


def _parameters(words: LexicalQuestion | None, dense: DenseQuestion | None, request: Request) -> dict[str, Any]:
    streams = list(ARM_OF)
    limit = max(tunables.DEPTH_FACTOR * request.limit, tunables.LEAST_FUSED)
    return {
        "projects": list(request.scope.projects) if request.scope.projects is not None else None,
        "agent": request.scope.agent,
        "kinds": list(request.kinds) if request.kinds else None,
        "cwd": request.cwd,
        "query_weights": words.vector if words else None,
        "candidates": words.candidates if words else None,
        "query_embedding": text_of(dense.embedding) if dense else None,
        "depth": max(tunables.DEPTH_FACTOR * request.limit, tunables.LEAST_DEPTH),
        "limit": limit,
        "voice_pool": tunables.VOICE_POOL * limit,
        "other_hooks": list(NOT_SAID_BY[request.voice]) if request.voice else None,
        "voice_share": tunables.OTHER_VOICE_SHARE,
        "streams": streams,
        "arms": [ARM_OF[stream] for stream in streams],
        "weights": [float(request.weights.get(stream, 0.0)) for stream in streams],
        "near_hits": tunables.NEAR_HITS,
        "near_turns": tunables.NEAR_TURNS,
        "near_decay": tunables.NEAR_DECAY,
        "near_share": tunables.NEAR_SHARE,
        "near_dense_share": tunables.NEAR_DENSE_SHARE,
        "session_hits": tunables.SESSION_HITS,
        "k": tunables.RRF_K,
        "agreement": tunables.AGREEMENT_BONUS,
    }


def _in_graph(linked: LinkedQuestion | None, entries: int) -> dict[str, Any]:
    reached = linked.reached if linked else {}
    return {
        "linked_nodes": list(reached),
        "linked_scores": [reached[node].score for node in reached],
        "node_records": graph.RECORDS_OF_A_NODE,
        "node_edges": graph.EDGES_OF_A_NODE,
        "expanded_hits": graph.EXPANDED_HITS,
        "expanded_nodes": graph.EXPANDED_NODES,
        "hub_records": int(min(graph.HUB_MOST, max(graph.HUB_LEAST, graph.HUB_SHARE * entries))),
    }


def _hit(row: Mapping[str, Any]) -> Hit:
    return Hit(
        object_id=row["object_id"],
        score=row["score"],
        kind=row["kind"],
        project=row["project"],
        agent=row["agent"],
        session_id=row["session_id"],
        occurred_at=row["occurred_at"],
        title=row["title"],
        type="decision" if row["kind"] == "memory" else row["type"],
        narrative=row["narrative"],
        evidence=row["evidence"] or {},
        voice=row["voice"],
    )

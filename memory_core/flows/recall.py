"""A question to the records that answer it: analyse, embed, ask, diversify, log what was given back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.conf import settings

from memory_core.domain import tunables_recall as tunables
from memory_core.domain import tunables_weights
from memory_core.domain.scope import Scope, ScopeRules
from memory_core.fuse import novelty
from memory_core.index.analysis import analyzer
from memory_core.models import Memory, Observation, Session
from memory_core.present import wire
from memory_core.present.diversity import diversify
from memory_core.retrieve import expansion, matching, times
from memory_core.retrieve import search as retrieve
from memory_core.text.similarity import similarity_words
from memory_core.text.voices import asked_voice

from . import access, embedding, follow, recall_log, reranking
from . import weights as learned


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first; `degraded`: what could not take part, and why, by arm."""

    hits: list[retrieve.Hit]
    degraded: dict[str, str] = field(default_factory=dict)


def rules() -> ScopeRules:
    """How this instance isolates projects and agents."""
    return ScopeRules(
        project_isolated=settings.EVERLORE["EVERLORE_PROJECT_SCOPE"] == "isolated",
        agent_isolated=settings.EVERLORE["EVERLORE_AGENT_SCOPE"] == "isolated",
        own_agent=settings.EVERLORE["AGENT_ID"],
    )


def scope_of(project: str | None, agent: str | None, session_id: str | None = None) -> Scope:
    """The scope of a read. A read that names a session but no project sees the session's project."""
    if not (project or "").strip() and session_id:
        project = Session.objects.filter(pk=session_id).values_list("project_id", flat=True).first()
    return rules().scope(project, agent)


def recall(
    query: str,
    *,
    scope: Scope,
    limit: int,
    now: datetime,
    cwd: str | None = None,
    kinds: tuple[str, ...] | None = None,
    log: bool = True,
    explain: bool = False,
    session: str | None = None,
    learn: bool = True,
) -> Answer:
    """The records of the scope that answer the question, at most `limit`; `session`: who asks; `learn`: with `log`, keep
    what weights can be fitted to."""
    degraded: dict[str, str] = {}
    if len(query) > tunables.MOST_QUERY_CHARACTERS:
        query = query[: tunables.MOST_QUERY_CHARACTERS]
        degraded["query"] = f"only the first {tunables.MOST_QUERY_CHARACTERS} characters of the question were read"
    dense, why_not = embedding.question(query)
    if why_not:
        degraded["dense"] = why_not
    terms = analyzer().analyze(query).terms
    votes = weights(dense)
    linked, broken = follow.question(query, terms, scope, now) if votes["linked"] else (None, "")
    if broken:
        degraded["linked"] = broken
    factors = learned.in_use(scope)
    kept = log and learn and recall_log.may_log(query)
    request = retrieve.Request(
        scope=scope,
        limit=limit,
        weights={stream: vote * factors.get(stream, 1.0) for stream, vote in votes.items()},
        kinds=kinds,
        cwd=cwd,
        explain=explain or (kept and bool(scope.projects)),  # the ranks teach one project, or nobody
        ways=ways(),
        linked=linked,
        times=times.question(query, scope, now),
        voice=asked_voice(query),
    )
    found = retrieve.find(terms, dense, request)
    ranked, why_not = reranking.rerank(query, found.hits, found.entries)
    if why_not:
        degraded["reranker"] = why_not
    hits = diversify(
        _without_echo(ranked),
        session_of=lambda hit: hit.session_id,
        first_pass=tunables.SESSION_FIRST_PASS,
        limit=limit,
    )
    if log:
        asked = recall_log.asked(query, scope, session, found.hits, hits, votes, now) if kept and hits else None
        access.record([hit.object_id for hit in hits], now, found.expansions, asked)
    if explain:
        hits = _with_words(follow.explained(hits, linked), found, query)
    elif kept:
        hits = [replace(hit, evidence={}) for hit in hits]  # nobody asked to see it
    return Answer(hits, degraded)


def _without_echo(hits: Sequence[retrieve.Hit]) -> list[retrieve.Hit]:
    """The hits, those put back that say nearly what one above them of their session says."""
    words = [similarity_words(f"{hit.title} {hit.narrative}") for hit in hits[: tunables.ECHO_COMPARED]]
    words += [frozenset()] * (len(hits) - len(words))
    order = novelty.put_back(
        [hit.score for hit in hits],
        words,
        [hit.session_id for hit in hits],
        alike=tunables.ECHO_ALIKE,
        share=tunables.ECHO_SHARE,
        most=tunables.ECHO_COMPARED,
    )
    return [
        replace(hits[one.place], score=one.score, repeats=hits[one.repeats].object_id)
        if one.repeats is not None
        else hits[one.place]
        for one in order
    ]


def _with_words(hits: Sequence[retrieve.Hit], found: retrieve.Found, query: str) -> list[retrieve.Hit]:
    """The hits, each with the question's words that stand in it."""
    if not hits or found.words is None:
        return list(hits)
    held = matching.matches([hit.object_id for hit in hits], found.words, matching.words_of(query, analyzer()))
    return [replace(hit, matches=held.get(hit.object_id, ())) for hit in hits]


def weights(dense: Any) -> dict[str, float]:
    """The configured vote of each stream: the vectors' is scaled by the share of the question that their model reads."""
    lexical = settings.EVERLORE["EVERLORE_LEXICAL_WEIGHT"] / 100
    vectors = settings.EVERLORE["EVERLORE_DENSE_WEIGHT"] / 100
    seen = vectors * dense.readable if dense else 0.0
    return {
        "lexical": lexical,
        "dense": seen,
        "linked": settings.EVERLORE["EVERLORE_LINKED_WEIGHT"] / 100,
        "dense_linked": tunables.EXPANDED_VOTE * seen,
        "near_lexical": tunables.NEAR_VOTE * lexical,
        "near_dense": tunables.NEAR_DENSE_VOTE * seen,
        "session_lexical": tunables.SESSION_VOTE * lexical,
        "session_dense": tunables.SESSION_DENSE_VOTE * seen,
        **times.votes(lexical, seen),
    }


def ways() -> frozenset[str]:
    """How this instance widens a question."""
    switches = {expansion.SYNONYM: "EVERLORE_SYNONYMS", expansion.PREFIX: "EVERLORE_PREFIXES"}
    return frozenset(way for way, name in switches.items() if settings.EVERLORE[name])


def load(ids: Sequence[str], scope: Scope) -> dict[str, dict[str, Any]]:
    """Records by id in the shape of observations, whatever their kind; those outside the scope are left out."""
    found: dict[str, dict[str, Any]] = {}
    for observation in Observation.objects.filter(pk__in=ids):
        if scope.sees(observation.project_id, observation.agent_id):
            found[observation.pk] = wire.observation(observation)
    for memory in Memory.objects.filter(pk__in=ids):
        if scope.sees(memory.project_id, memory.agent_id):
            found[memory.pk] = wire.memory_as_observation(memory)
    return found


def note_use(ids: Sequence[str], *, scope: Scope, session: str | None, now: datetime) -> None:
    """Note that records were used: opened or cited after an answer that gave them."""
    if ids and settings.EVERLORE["EVERLORE_LEARNED_WEIGHTS"]:
        access.record_use(recall_log.used(ids, scope, session, now))


def note_citation(
    ids: Sequence[str], *, project: str | None, agent: str | None, session: str | None, now: datetime
) -> None:
    """Note that a new memory names records as its sources."""
    asks_as = agent or (rules().own_agent if rules().agent_isolated else None)
    scope = Scope((project,) if project else None, asks_as)
    note_use(ids[: tunables_weights.MOST_CITED], scope=scope, session=session, now=now)

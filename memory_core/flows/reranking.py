"""The reranker of this process: a cross-encoder looks again at the best of what was found, where there is one."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings

from memory_core.domain import tunables_rerank as tunables
from memory_core.domain.errors import ModelUnavailable, ProviderError
from memory_core.domain.ports import Reranker
from memory_core.index.analysis import analyzer
from memory_core.providers.reranking import NO_MODEL, NOT_HERE, find, prepare, reranker_or_null
from memory_core.rerank.order import blend, order
from memory_core.rerank.pace import Pace
from memory_core.rerank.passage import passage
from memory_core.retrieve.search import Hit, Reranked
from memory_core.text.languages import can_read
from memory_core.text.scripts import script_shares

from .texts import texts

logger = logging.getLogger("everlore.reranking")

CUT = "…"
"""What a narrative has where something of the text was left out."""


def _new_pace() -> Pace:
    return Pace(tunables.PACE_RUNS, tunables.BUDGET_SECONDS, tunables.REST_SECONDS)


@dataclass(slots=True)
class _Held:
    """What this process knows; each field is replaced whole."""

    replacement: Reranker | None
    pace: Pace


_held = _Held(None, _new_pace())


def is_wanted() -> bool:
    """Whether the settings ask for reranking, where a model is there."""
    values = settings.EVERLORE
    return bool(values["RERANK_ENABLED"]) and _setting().lower() != NO_MODEL


def reranker(*, may_export: bool = False) -> Reranker:
    """The configured reranker, loaded at the first call; the null twin as long as there is none.

    Only the embedding worker and one-off commands pass `may_export`: it prepares a model that this machine has not
    prepared yet. Every other process goes on without, and takes the model up when it is there.
    """
    if _held.replacement is not None:
        return _held.replacement
    threads = settings.EVERLORE["EVERLORE_RERANKER_THREADS"]
    return reranker_or_null(_setting(), settings.MODELS_DIR, threads=threads, may_export=may_export)


def use(replacement: Reranker | None) -> None:
    """Take another reranker (None: the configured one), and forget how fast the last one was; for tests."""
    _held.replacement, _held.pace = replacement, _new_pace()


def warm() -> None:
    """Load the model, where one is wanted and there, and let it score once: the first question need not wait for that.

    One that fails rests, as it would after a question: a server starts without it.
    """
    own = reranker() if is_wanted() else None
    if own is None or not own.available:
        return
    try:
        own.score("warm", ["warm"])
    except ProviderError as problem:
        _failed(problem)


def prepare_configured() -> None:
    """Prepare the configured model in a process of its own, unless it is there; nothing is loaded here.

    Raises:
        ModelUnavailable: there is none on this machine, or it cannot be fetched, loaded or exported.
        ModelUntrusted: packaged weights are not what they claim to be.
    """
    prepare(_setting(), settings.MODELS_DIR)


def rerank(question: str, hits: Sequence[Hit], entries: int) -> tuple[list[Hit], str]:
    """The hits in the order that the fusion and the model give together, and in words why the model took no part.

    The reason is empty where the model was not asked on purpose: reranking is off, the scope is small, or the model does
    not read the scripts of question and records. No transaction may be open.
    """
    unchanged = list(hits)
    if not is_wanted() or entries < tunables.FROM_ENTRIES or len(hits) < 2:
        return unchanged, ""
    own = reranker()
    if not own.available:
        return unchanged, own.reason
    if why := _held.pace.resting(time.monotonic()):
        return unchanged, why
    top = unchanged[: tunables.TOP]
    readable = _readable(question, top, own)
    if readable < tunables.LEAST_READABLE:
        return unchanged, ""
    try:
        scores = _score(question, top, own)
    except ProviderError as problem:
        _failed(problem)
        return unchanged, str(problem)
    if scores is None:
        return unchanged, f"it took longer than {tunables.MOST_SECONDS:g} s"
    return [*_in_order(top, scores, tunables.WEIGHT * readable), *unchanged[tunables.TOP :]], ""


def _failed(problem: ProviderError) -> None:
    logger.warning("The reranker failed: %s", problem)
    _held.pace.stop(str(problem), time.monotonic())


def _in_order(top: Sequence[Hit], scores: Sequence[float], weight: float) -> list[Hit]:
    fused = [hit.score for hit in top]
    blended = blend(fused, scores, weight)
    return [
        replace(top[place], score=blended[place], reranked=Reranked(place + 1, scores[place]))
        for place in order(fused, scores, weight)
    ]


def _score(question: str, hits: Sequence[Hit], own: Reranker) -> list[float] | None:
    """The model's score of each hit, None when it took too long; either way its pace is noted."""
    began = time.monotonic()
    scores: list[float] = []
    passages = _passages(question, hits, own)
    for start in range(0, len(passages), tunables.SLICE):
        if time.monotonic() - began > tunables.MOST_SECONDS:
            break
        scores += [float(score) for score in own.score(question, passages[start : start + tunables.SLICE])]
    now = time.monotonic()
    _held.pace.ran(now - began, now)
    return scores if len(scores) == len(passages) else None


def _passages(question: str, hits: Sequence[Hit], own: Reranker) -> list[str]:
    analyze = analyzer().analyze
    whole = _whole_texts(hits)
    asked = frozenset(analyze(question).terms)
    room = min(own.room(question), tunables.PASSAGE_TOKENS)
    return [
        passage(
            hit.title,
            whole.get(hit.object_id, hit.narrative)[: tunables.PASSAGE_CHARACTERS],
            asked,
            room=room,
            spans_of=own.token_spans,
            terms_of=lambda text: analyze(text).terms,
        )
        for hit in hits
    ]


def _whole_texts(hits: Sequence[Hit]) -> dict[str, str]:
    """The whole texts of observations whose narrative was cut: what answers may stand further down."""
    cut = [hit.object_id for hit in hits if hit.kind == "observation" and CUT in hit.narrative]
    return dict(texts("observation", cut)) if cut else {}


def _readable(question: str, hits: Sequence[Hit], own: Reranker) -> float:
    """Share of the question's letters, times that of the records', that the model was trained to read."""
    records = "\n".join(f"{hit.title}\n{hit.narrative}"[: tunables.SCRIPT_SAMPLE] for hit in hits)
    return can_read(script_shares(question), own.scripts) * can_read(script_shares(records), own.scripts)


@dataclass(frozen=True, slots=True)
class RerankerState:
    """The configured reranker as it is on this machine: `name` once it is prepared, else `reason` says what is missing;
    `wanted`: whether the settings ask for one, `named`: whether they name it."""

    wanted: bool
    named: bool
    name: str
    reason: str


def reranker_state() -> RerankerState:
    """How the configured reranker is, without loading it."""
    setting = _setting()
    if not is_wanted():
        return RerankerState(False, False, "", "")
    try:
        prepared = find(setting, settings.MODELS_DIR)
    except ModelUnavailable as problem:
        return RerankerState(True, True, "", str(problem))
    if prepared is not None:
        return RerankerState(True, bool(setting), prepared.manifest.model, "")
    missing = "not prepared yet; the worker does that at its first start" if setting else NOT_HERE
    return RerankerState(True, bool(setting), "", missing)


def _setting() -> str:
    return str(settings.EVERLORE["EVERLORE_RERANKER_MODEL"]).strip()

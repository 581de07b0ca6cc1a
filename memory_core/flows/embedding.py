"""The embedder of this process and the space it belongs to; a question's vector, or why there is none."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from django.conf import settings

from memory_core.domain.errors import ModelUnavailable, ProviderError
from memory_core.domain.ports import Embedder
from memory_core.domain.tunables_recall import QUESTION_CACHE
from memory_core.index import spaces
from memory_core.providers.embedding import NO_MODEL, embedder_or_null
from memory_core.providers.embedding.prepared import find_prepared
from memory_core.providers.embedding.weights import locate
from memory_core.retrieve.question import DenseQuestion
from memory_core.text.languages import can_read
from memory_core.text.scripts import script_shares

if TYPE_CHECKING:  # the supervisor asks about the model and loads no vector
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger("everlore.embedding")

SPACE_TTL_SECONDS = 5.0
"""How long a process trusts the active space it has read; unit: seconds. A swap is seen by all within it."""


@dataclass(slots=True)
class _Held:
    """What this process knows; changed under the lock only."""

    embedder: Embedder | None = None
    replaced: bool = False
    space: tuple[int, int, bool] | None = None
    read_at: float = float("-inf")


_lock = threading.Lock()
_loading = threading.Lock()
_held = _Held()


def embedder(threads: int = 1, *, may_export: bool = False) -> Embedder:
    """The configured embedder, loaded at the first call; the null twin as long as there is none.

    Only the embedding worker passes `may_export`: it prepares a model that this machine has not prepared yet. Every
    other process goes on without, and takes the model up when it is there.
    """
    held = _held.embedder
    if held is not None and (held.available or _held.replaced):
        return held
    if not _loading.acquire(blocking=held is None):
        return cast(Embedder, held)  # another thread looks just now
    try:
        return _look(threads, may_export)
    finally:
        _loading.release()


def _look(threads: int, may_export: bool) -> Embedder:
    """Ask the provider, which believes "there is none" for a while and then looks again."""
    held = _held.embedder
    if held is not None and (held.available or _held.replaced):
        return held
    model = settings.EVERLORE["EVERLORE_EMBEDDING_MODEL"]
    found = embedder_or_null(model, settings.MODELS_DIR, threads=threads, may_export=may_export)
    with _lock:
        if found is not held:
            _held.embedder, _held.space, _held.read_at = found, None, float("-inf")
    return found


def use(replacement: Embedder | None) -> None:
    """Take another embedder (None: the configured one, loaded anew); for tests and after a change of the model."""
    with _lock:
        _held.embedder, _held.replaced = replacement, replacement is not None
        _held.space, _held.read_at = None, float("-inf")


def _space(own: Embedder) -> tuple[int, int] | None:
    """Id and width of the active space, None when it is not this embedder's."""
    if time.monotonic() - _held.read_at > SPACE_TTL_SECONDS:
        active = spaces.active()
        known = (active.pk, active.dimensions, spaces.matches(active, own)) if active else None
        with _lock:
            _held.space, _held.read_at = known, time.monotonic()
    if _held.space is None or not _held.space[2]:
        return None
    return _held.space[0], _held.space[1]


@lru_cache(maxsize=QUESTION_CACHE)
def _vector(own: Hashable, text: str) -> NDArray[np.float32]:
    """The vector of a question; the same question to the same embedder is embedded once."""
    return cast(Embedder, own).embed_query(text)


def question(text: str) -> tuple[DenseQuestion | None, str]:
    """The question's vector, and in words why there is none."""
    own = embedder()
    if not own.available:
        return None, own.reason
    space = _space(own)
    if space is None:
        return None, "nothing has been embedded with this model yet"
    shares = script_shares(text)
    try:
        vector = _vector(cast(Hashable, own), text)
    except (ModelUnavailable, ProviderError) as problem:
        logger.warning("The question could not be embedded: %s", problem)
        return None, str(problem)
    return DenseQuestion(vector, space[0], space[1], can_read(shares, own.scripts)), ""


@dataclass(frozen=True, slots=True)
class ModelState:
    """The configured model as it is on this machine; `ready` once it is prepared, else `reason` says what is missing."""

    setting: str
    name: str
    dimensions: int
    ready: bool
    reason: str


def model_state() -> ModelState:
    """How the configured model is, without loading it."""
    setting = settings.EVERLORE["EVERLORE_EMBEDDING_MODEL"].strip()
    if setting.lower() == NO_MODEL:
        return ModelState(setting, "", 0, False, "search is by words alone, as EVERLORE_EMBEDDING_MODEL says")
    try:
        name = locate(setting).model
    except ModelUnavailable as problem:
        return ModelState(setting, "", 0, False, str(problem))
    prepared = find_prepared(settings.MODELS_DIR, name)
    if prepared is None:
        return ModelState(setting, name, 0, False, "not prepared yet; the worker does that at its first start")
    return ModelState(setting, name, prepared.manifest.dimensions, True, "")


def refuse_other_space() -> None:
    """Raise WidthMismatch when the stored vectors are another model's; like `spaces.guard`, without loading the model."""
    state, active = model_state(), spaces.active()
    if active is None or not state.name:
        return
    dimensions = state.dimensions or (active.dimensions if active.model == state.name else 0)
    if (active.model, active.dimensions) != (state.name, dimensions):
        raise spaces.mismatch(active, state.name, state.dimensions)


def configured_reason() -> str:
    """Why there are no vectors, in words; empty when there are, or when the model was not asked for yet."""
    return _held.embedder.reason if _held.embedder is not None and not _held.embedder.available else ""


def forget_space() -> None:
    """Read the active space anew at the next question; for tests and after a swap."""
    with _lock:
        _held.read_at = float("-inf")

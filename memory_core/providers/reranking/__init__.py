"""The reranker behind its port. Importing this loads neither numpy nor a runtime; the first call does."""

from __future__ import annotations

import logging
from pathlib import Path

from memory_core.domain.errors import ModelUnavailable
from memory_core.domain.ports import Reranker
from memory_core.providers.loading import Loaded
from memory_core.providers.preparation import run_export
from memory_core.providers.reranking.kind import RERANKER
from memory_core.providers.reranking.known_models import KNOWN_RERANKERS
from memory_core.providers.reranking.null import NullReranker
from memory_core.providers.reranking.prepared import PreparedReranker, find_prepared
from memory_core.providers.reranking.weights import locate, on_this_machine

__all__ = ["AUTOMATIC", "NO_MODEL", "find", "prepare", "reranker_or_null"]

AUTOMATIC = ""
"""The setting's value that takes what is on the machine, and downloads nothing."""

NO_MODEL = "none"
"""The setting's value that asks for no reranking."""

NOT_HERE = "no cross-encoder that is known is on this machine (EVERLORE_RERANKER_MODEL names one, or is none)"

_log = logging.getLogger(__name__)


def find(model: str, models_dir: Path) -> PreparedReranker | None:
    """The prepared model that the setting means: the one it names, or the first known one. Nothing is loaded.

    Raises:
        ModelUnavailable: it names something that is no model.
    """
    if model:
        return find_prepared(models_dir, locate(model).model)
    prepared = (find_prepared(models_dir, known.model) for known in KNOWN_RERANKERS if known.automatic)
    return next((one for one in prepared if one is not None), None)


def prepare(model: str, models_dir: Path) -> PreparedReranker:
    """The prepared model that the setting means, made now in a process of its own unless it is there.

    Raises:
        ModelUnavailable: there is none on this machine, or it cannot be fetched, loaded or exported.
        ModelUntrusted: packaged weights are not what they claim to be.
    """
    prepared = find(model, models_dir)
    if prepared is not None:
        return prepared
    name = model or on_this_machine()
    if name is None:
        raise ModelUnavailable(NOT_HERE)
    _log.info("Preparing the reranking model %r; this happens once.", name)
    run_export(RERANKER, name, models_dir)
    prepared = find_prepared(models_dir, locate(name).model)
    if prepared is None:
        raise ModelUnavailable(f"The reranking model {name!r} was prepared, but {models_dir} does not hold it.")
    return prepared


def reranker_or_null(model: str, models_dir: Path, *, threads: int, may_export: bool = False) -> Reranker:
    """The process's one reranker for the setting's value, or the null twin with its reason.

    A model that was named and is missing is logged once; either way it is looked for again after a while.
    """
    model = model.strip()
    if model.lower() == NO_MODEL:
        return NullReranker("EVERLORE_RERANKER_MODEL is none.")
    missing = logging.WARNING if model else logging.DEBUG
    return _models.get_or_null(model, models_dir, threads, may_export, missing=missing)


def _load(model: str, models_dir: Path, threads: int, may_export: bool) -> Reranker:
    prepared = prepare(model, models_dir) if may_export else find(model, models_dir)
    if prepared is None:
        raise ModelUnavailable(
            f"The reranking model {model!r} is not prepared yet; the worker does that." if model else NOT_HERE
        )
    from memory_core.providers.reranking.onnx_reranker import OnnxReranker

    return OnnxReranker(prepared, threads=threads)


_models: Loaded[Reranker] = Loaded(_load, NullReranker, _log)

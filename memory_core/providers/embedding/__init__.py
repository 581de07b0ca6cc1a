"""The embedder behind its port. Importing this loads neither numpy nor a runtime; the first call does."""

from __future__ import annotations

import logging
from pathlib import Path

from memory_core.domain.errors import ModelUnavailable
from memory_core.domain.ports import Embedder
from memory_core.providers.embedding.kind import EMBEDDER
from memory_core.providers.embedding.null import NullEmbedder
from memory_core.providers.embedding.prepared import find_prepared
from memory_core.providers.embedding.weights import locate
from memory_core.providers.loading import Loaded
from memory_core.providers.preparation import run_export

__all__ = ["NO_MODEL", "embedder_or_null", "load_embedder"]

NO_MODEL = "none"
"""The setting's value that asks for search by words alone."""

_log = logging.getLogger(__name__)


def load_embedder(model: str, models_dir: Path, *, threads: int, may_export: bool = True) -> Embedder:
    """The process's one embedder for `model` (a known name, a folder, or a hub id), loaded on the first call.

    The very first load on a machine prepares the model in a process of its own (half a minute, one process however
    many ask) and writes it to `models_dir`; with `may_export=False` that is left to another process.

    Raises:
        ModelUnavailable: there is no such model here, it cannot be fetched, or it is not prepared yet.
        ModelUntrusted: packaged weights are not what they claim to be.
    """
    return _models.get(model, models_dir, threads, may_export)


def embedder_or_null(model: str, models_dir: Path, *, threads: int, may_export: bool = True) -> Embedder:
    """Like `load_embedder`, but the null twin with its reason when there is no model.

    The reason is logged once, and the model looked for again after a while.
    """
    if model.strip().lower() == NO_MODEL:
        return NullEmbedder("EVERLORE_EMBEDDING_MODEL is none: search is by words alone.")
    return _models.get_or_null(model, models_dir, threads, may_export)


def _load(model: str, models_dir: Path, threads: int, may_export: bool) -> Embedder:
    source = locate(model)
    prepared = find_prepared(models_dir, source.model)
    if prepared is None and not may_export:
        raise ModelUnavailable(f"The embedding model {model!r} is not prepared yet; the worker does that.")
    if prepared is None:
        _log.info("Preparing the embedding model %r; this happens once.", model)
        run_export(EMBEDDER, model, models_dir)
        prepared = find_prepared(models_dir, source.model)
    if prepared is None:
        raise ModelUnavailable(f"The embedding model {model!r} was prepared, but {models_dir} does not hold it.")
    from memory_core.providers.embedding.onnx_embedder import OnnxEmbedder

    return OnnxEmbedder(prepared, threads=threads)


_models: Loaded[Embedder] = Loaded(_load, NullEmbedder, _log)

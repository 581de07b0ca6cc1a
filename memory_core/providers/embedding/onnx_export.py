"""sentence-transformers to ONNX to int8. Imports torch: only the export process may import this module."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

from memory_core.domain.errors import ModelUnavailable
from memory_core.domain.tunables_embedding import EXPORT_MIN_COSINE, EXPORT_PLAIN_MIN_COSINE
from memory_core.domain.tunables_models import SEQUENCE_TOKENS
from memory_core.providers.embedding.known_models import KnownModel
from memory_core.providers.embedding.onnx_embedder import OnnxEmbedder
from memory_core.providers.embedding.prepared import Manifest, PreparedModel
from memory_core.providers.onnx_graph import PRECISIONS, Precision, export_graph, versions, write_precision
from memory_core.providers.prepared import MODEL_FILE, TOKENIZER_FILE

PROBES = (
    "The deploy failed because the database connection pool was exhausted.",
    "def retry(call, attempts=3): return call() if attempts == 1 else retry(call, attempts - 1)",
    "We chose Postgres over MySQL; see docs/decisions/0007-database.md for the reasons.",
    "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType' at app/totals.py:42",
    "Quelle est la capitale de l'Australie ?",
    "數據庫連接池已耗盡 データベース接続",
    "ok",
    "A long note about caching, eviction, time to live and what happens when the clock jumps. " * 40,
)
"""Own texts on which a prepared model is held to the original: prose, code, an error, other scripts, one word, a long
one."""


class _Pipeline(torch.nn.Module):
    """The whole model with its pooling and projection, as a graph with two inputs and one output."""

    def __init__(self, model: SentenceTransformer) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        features = self.model({"input_ids": input_ids, "attention_mask": attention_mask})
        embedding: torch.Tensor = features["sentence_embedding"]
        return embedding


def load_model(folder: Path) -> SentenceTransformer:
    """Load a folder on the CPU; no code from the folder runs, and only safetensors are read.

    Raises:
        ModelUnavailable: the folder is not a model that can be loaded so.
    """
    try:
        # Plain attention: the fused kinds do not trace to ONNX.
        options = {"attn_implementation": "eager", "use_safetensors": True}
        model = SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, trust_remote_code=False, model_kwargs=options
        )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, AttributeError) as error:
        raise ModelUnavailable(f"The embedding model in {folder} cannot be loaded: {error}") from error
    if getattr(model.tokenizer, "backend_tokenizer", None) is None:
        raise ModelUnavailable(f"The embedding model in {folder} has no fast tokenizer, which serving needs.")
    model.eval()
    model.max_seq_length = min(model.max_seq_length or SEQUENCE_TOKENS, SEQUENCE_TOKENS)
    return model


def write_prepared(
    model: SentenceTransformer, known: KnownModel | None, name: str, digest: str, folder: Path
) -> Manifest:
    """Write model, tokenizer and manifest of the smallest faithful precision to `folder`; return the manifest.

    Raises:
        ModelUnavailable: not even the plain export gives the original's vectors.
    """
    prefixes = _prefixes(model, known)
    model.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER_FILE))
    plain = folder / "plain.onnx"
    tokens = {
        "input_ids": torch.tensor([[5, 6, 7, 8], [5, 6, 9, 9]], device="cpu"),
        "attention_mask": torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]], device="cpu"),
    }
    export_graph(_Pipeline(model), tokens, "embedding", plain)
    manifest = Manifest(
        model=name,
        source_digest=digest,
        precision="fp32",
        dimensions=int(model.encode([PROBES[0]]).shape[1]),
        sequence_tokens=int(model.max_seq_length or SEQUENCE_TOKENS),
        query_prefix=prefixes[0],
        document_prefix=prefixes[1],
        pad_id=int(model.tokenizer.pad_token_id or 0),
        cosine=0.0,
        model_bytes=0,
        tokenizer_bytes=(folder / TOKENIZER_FILE).stat().st_size,
        versions=versions(),
    )
    wanted = _own_vectors(model, prefixes)
    for precision in PRECISIONS:
        write_precision(precision, plain, folder / MODEL_FILE)
        attempt = replace(manifest, precision=precision.name, model_bytes=(folder / MODEL_FILE).stat().st_size)
        cosines = (_served_vectors(PreparedModel(folder, attempt)) * wanted).sum(axis=1)
        if _accepts(precision, cosines):
            plain.unlink()
            return replace(attempt, cosine=round(float(cosines.mean()), 4))
    raise ModelUnavailable(
        f"The embedding model {name!r} cannot be exported: its ONNX form gives other vectors than the original"
        f" (least cosine {cosines.min():.3f}, {EXPORT_PLAIN_MIN_COSINE} asked)."
    )


def _prefixes(model: SentenceTransformer, known: KnownModel | None) -> tuple[str, str]:
    """Query and document prefix: the table's, else those the model's own configuration names."""
    if known is not None:
        return known.query_prefix, known.document_prefix
    prompts = model.prompts or {}
    return str(prompts.get("query") or ""), str(prompts.get("document") or prompts.get("passage") or "")


def _accepts(precision: Precision, cosines: NDArray[np.float32]) -> bool:
    """Whether vectors with these cosines to the original's will do."""
    if precision.quantised:
        return bool(cosines.mean() >= EXPORT_MIN_COSINE)
    return bool(cosines.min() >= EXPORT_PLAIN_MIN_COSINE)


def _own_vectors(model: SentenceTransformer, prefixes: tuple[str, str]) -> NDArray[np.float32]:
    """The original's vectors of the probes, as documents and as queries: shape (2 x probes, dimensions)."""
    query, document = prefixes
    parts = [
        model.encode(list(PROBES), prompt=prefix, normalize_embeddings=True, show_progress_bar=False)
        for prefix in (document, query)
    ]
    return np.concatenate(parts).astype(np.float32)


def _served_vectors(prepared: PreparedModel) -> NDArray[np.float32]:
    """The prepared model's vectors of the same, through the very code that serves."""
    embedder = OnnxEmbedder(prepared, threads=1)
    queries = [embedder.embed_query(probe) for probe in PROBES]
    return np.concatenate([embedder.embed_documents(PROBES), np.stack(queries)])

"""The embedder that serves: onnxruntime on a prepared model; neither torch nor sentence-transformers is imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from memory_core.domain.tunables_embedding import BATCH_TOKENS
from memory_core.providers.embedding.known_models import known_model
from memory_core.providers.embedding.prepared import PreparedModel
from memory_core.providers.known import LATIN
from memory_core.providers.onnx_session import open_session
from memory_core.providers.prepared import MODEL_FILE, TOKENIZER_FILE
from memory_core.providers.tokens import ModelTokenizer

_SHORTEST = np.finfo(np.float32).tiny


class OnnxEmbedder:
    """A sentence-transformers model, exported: see `memory_core.domain.ports.Embedder`."""

    available = True
    reason = ""
    provider = "local"

    def __init__(self, prepared: PreparedModel, *, threads: int) -> None:
        manifest = prepared.manifest
        known = known_model(manifest.model.partition("@")[0])
        self.model = manifest.model
        self.dimensions = manifest.dimensions
        self.scripts: frozenset[str] = known.scripts if known else LATIN
        self._query_prefix = manifest.query_prefix
        self._document_prefix = manifest.document_prefix
        self._pad_id = manifest.pad_id
        self._tokenizer = ModelTokenizer(prepared.folder / TOKENIZER_FILE, manifest.sequence_tokens)
        self._session = open_session(prepared.folder / MODEL_FILE, threads=threads)
        self.max_tokens = min(self._tokenizer.room(prefix) for prefix in (self._query_prefix, self._document_prefix))

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts to be found: shape (n, dimensions), rows of length 1, in the order given."""
        sequences = [self._tokenizer.sequence(self._document_prefix, text) for text in texts]
        vectors = np.empty((len(sequences), self.dimensions), dtype=np.float32)
        for batch in batches([len(sequence) for sequence in sequences], BATCH_TOKENS):
            vectors[batch] = self._run([sequences[index] for index in batch])
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question: shape (dimensions,), of length 1."""
        vector: NDArray[np.float32] = self._run([self._tokenizer.sequence(self._query_prefix, text)])[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """The number of spans `token_spans` gives."""
        return len(self._tokenizer.spans(text))

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the whole text lies. A word the model does not know is one span, however long."""
        return self._tokenizer.spans(text)

    def _run(self, sequences: list[list[int]]) -> NDArray[np.float32]:
        """Pad, run, and scale to length 1: shape (len(sequences), dimensions)."""
        ids = np.full((len(sequences), max(map(len, sequences))), self._pad_id, dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        (pooled,) = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
        scaled: NDArray[np.float32] = pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), _SHORTEST)
        return scaled


def batches(lengths: Sequence[int], limit: int) -> Iterator[list[int]]:
    """Indices of `lengths` from short to long, in runs whose padded size (count x longest) is at most `limit`.

    A single longer one is a run by itself.

    >>> list(batches([3, 9, 1, 2], 6))
    [[2, 3], [0], [1]]
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > limit:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch

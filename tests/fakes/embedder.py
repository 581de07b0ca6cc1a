"""An embedder for tests: no model, the same vector for the same words on every machine."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from memory_core.domain.errors import ProviderError

_WORD = re.compile(r"\w+|[^\w\s]")


class HashingEmbedder:
    """Texts that share words have near vectors: each lower-case word adds its own fixed random direction."""

    available = True
    reason = ""
    provider = "fake"
    model = "hashing"
    max_tokens = 254
    scripts = frozenset({"Latin"})

    def __init__(self, dimensions: int = 384) -> None:
        self.dimensions = dimensions

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (n, dimensions), rows of length 1."""
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (dimensions,), of length 1."""
        words = [text[start:end].lower() for start, end in self.token_spans(text)][: self.max_tokens] or [""]
        total = np.sum([self._direction(word) for word in words], axis=0)
        scaled: NDArray[np.float32] = (total / np.linalg.norm(total)).astype(np.float32)
        return scaled

    def count_tokens(self, text: str) -> int:
        """Words and punctuation marks."""
        return len(self.token_spans(text))

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where they lie."""
        return [match.span() for match in _WORD.finditer(text)]

    def _direction(self, word: str) -> NDArray[np.float64]:
        seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "replace")).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.dimensions)


class ThesaurusEmbedder(HashingEmbedder):
    """Knows that some words mean the same, keeps what it was asked for, and fails where it is told to."""

    same = MappingProxyType({"automobile": "car", "vehicle": "car"})

    def __init__(self, dimensions: int = 64) -> None:
        super().__init__(dimensions)
        self.embedded: list[str] = []
        self.fails_on: str | None = None

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (n, dimensions). Raises ProviderError when a text holds `fails_on`."""
        if self.fails_on is not None and any(self.fails_on in text for text in texts):
            raise ProviderError(f"cannot embed {self.fails_on!r}")
        self.embedded += texts
        return super().embed_documents(texts)

    def _direction(self, word: str) -> NDArray[np.float64]:
        return super()._direction(self.same.get(word, word))

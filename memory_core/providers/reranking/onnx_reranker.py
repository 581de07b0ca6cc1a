"""The reranker that serves: onnxruntime on a cross-encoder; neither torch nor sentence-transformers is imported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_core.domain import tunables_rerank as tunables
from memory_core.providers.known import LATIN
from memory_core.providers.onnx_session import open_session
from memory_core.providers.reranking.pairs import PairTokenizer


class OnnxReranker:
    """A cross-encoder's graph: see `memory_core.domain.ports.Reranker`."""

    available = True
    reason = ""

    def __init__(
        self,
        folder: Path,
        *,
        threads: int,
        sequence_tokens: int = tunables.SEQUENCE_TOKENS,
        scripts: frozenset[str] = LATIN,
    ) -> None:
        self.model = folder.name
        self.scripts = scripts
        self._tokenizer = PairTokenizer(folder / "tokenizer.json", sequence_tokens)
        self._session = open_session(folder / "model.onnx", threads=threads)
        self._inputs = {given.name for given in self._session.get_inputs()}

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """A logit for each passage: shape (n,), in the order given.

        One pair a run: an int8 graph scales its activations by the largest of the whole run, so in company a pair's
        score would depend on the company.
        """
        asked = self._tokenizer.question(question)
        return np.array([self._run(asked, passage) for passage in passages], dtype=np.float32)

    def _run(self, question: list[int], passage: str) -> float:
        ids, kinds = self._tokenizer.pair(question, passage)
        given = {
            "input_ids": np.array([ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(ids)), dtype=np.int64),
            "token_type_ids": np.array([kinds], dtype=np.int64),
        }
        (logits,) = self._session.run(None, {name: given[name] for name in self._inputs})
        return float(logits.reshape(-1)[0])

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the whole text lies."""
        return self._tokenizer.spans(text)

    def room(self, question: str) -> int:
        """How many of a passage's tokens are read beside this question."""
        return self._tokenizer.room(self._tokenizer.question(question))

"""The reranker that serves: onnxruntime on a prepared cross-encoder; neither torch nor sentence-transformers is imported."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory_core.domain import tunables_rerank as tunables
from memory_core.domain.errors import ProviderError
from memory_core.providers.known import LATIN
from memory_core.providers.onnx_session import open_session, run_session
from memory_core.providers.prepared import MODEL_FILE, TOKENIZER_FILE
from memory_core.providers.reranking.known_models import known_reranker
from memory_core.providers.reranking.prepared import PreparedReranker
from memory_core.providers.tokens import PairTokenizer


class OnnxReranker:
    """A cross-encoder's graph: see `memory_core.domain.ports.Reranker`.

    Raises:
        ProviderError: the files are no graph, or no tokenizer.
    """

    available = True
    reason = ""

    def __init__(self, prepared: PreparedReranker, *, threads: int) -> None:
        manifest = prepared.manifest
        known = known_reranker(manifest.model.partition("@")[0])
        self.model = manifest.model
        self.scripts: frozenset[str] = known.scripts if known else LATIN
        self._tokenizer = PairTokenizer(prepared.folder / TOKENIZER_FILE, manifest.sequence_tokens)
        self._session = open_session(prepared.folder / MODEL_FILE, threads=threads)
        self._inputs = {given.name for given in self._session.get_inputs()}

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """A logit for each passage: shape (n,), in the order given.

        One pair a run. An int8 graph scales its activations by the largest of the whole run, so in company a pair's
        score would depend on the company; and batches were no faster on a CPU (30 pairs of 110 tokens: 0.79 s of CPU
        one by one, 0.76 to 0.94 s in fours to thirties) and held up to four times the memory.

        Raises:
            ProviderError: the graph does not run, or gives something else than one finite score.
        """
        asked = self._question(question)
        return np.array([self._run(asked, passage) for passage in passages], dtype=np.float32)

    def room(self, question: str) -> int:
        """How many of a passage's tokens are read beside this question."""
        return self._tokenizer.room(self._question(question))

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the whole text lies."""
        return self._tokenizer.spans(text)

    def _question(self, text: str) -> list[int]:
        """The question's ids; whatever it is, half of the sequence is left for the passage."""
        return self._tokenizer.ids(text)[: min(tunables.QUESTION_TOKENS, self._tokenizer.room(()) // 2)]

    def _run(self, question: list[int], passage: str) -> float:
        ids, types = self._tokenizer.pair(question, passage)
        given = {
            "input_ids": np.array([ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(ids)), dtype=np.int64),
            "token_type_ids": np.array([types], dtype=np.int64),
        }
        unknown = self._inputs - set(given)
        if unknown:
            raise ProviderError(f"The graph of {self.model} asks for {', '.join(sorted(unknown))}.")
        logits = run_session(self._session, {name: given[name] for name in self._inputs})[0]
        if logits.size != 1 or not np.isfinite(logits).all():
            raise ProviderError(f"The graph of {self.model} gave {logits.size} values, or one that is not finite.")
        return float(logits.reshape(-1)[0])

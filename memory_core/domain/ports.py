"""What the core asks of the world outside the process, as protocols; the providers fill them in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:  # the domain is read by processes that never load numpy
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Turns text into vectors whose dot product is their cosine similarity.

    Every member may be read from several threads at once.
    """

    @property
    def available(self) -> bool:
        """False for the null twin; then only `count_tokens` and `token_spans` answer."""

    @property
    def reason(self) -> str:
        """Why there is no model, in words for a person; empty when `available`."""

    @property
    def dimensions(self) -> int:
        """Width of every vector, 0 when there is no model."""

    @property
    def provider(self) -> str:
        """Who computes the vectors: `local` is this machine, `none` nobody."""

    @property
    def model(self) -> str:
        """The model's one canonical name; (provider, model, dimensions) names the embedding space."""

    @property
    def max_tokens(self) -> int:
        """How many of a text's own tokens the model reads; what comes after them is ignored."""

    @property
    def scripts(self) -> frozenset[str]:
        """Unicode script names (`Latin`, `Han`, ...) of the text the model was trained to read."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts to be found: shape (n, dimensions), rows of length 1, in the order given.

        Raises:
            ModelUnavailable: there is no model.
        """

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question: shape (dimensions,), of length 1.

        Raises:
            ModelUnavailable: there is no model.
        """

    def count_tokens(self, text: str) -> int:
        """The number of spans `token_spans` gives; the text is read whole if it is at most `max_tokens`."""

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the whole text lies: (start, end) in characters, in order."""


@runtime_checkable
class Reranker(Protocol):
    """Reads a question and a passage together and says how well the one answers the other.

    Every member may be read from several threads at once.
    """

    @property
    def available(self) -> bool:
        """False for the null twin, which refuses to score."""

    @property
    def reason(self) -> str:
        """Why there is no model, in words for a person; empty when `available`."""

    @property
    def model(self) -> str:
        """The model's one canonical name."""

    @property
    def scripts(self) -> frozenset[str]:
        """Unicode script names (`Latin`, `Han`, ...) of the text the model was trained to read."""

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """A logit for each passage, the higher the better the answer: shape (n,), in the order given.

        A pair's score does not depend on what else is scored with it. The end of what is too long is not read.

        Raises:
            ModelUnavailable: there is no model.
        """

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the whole text lies: (start, end) in characters, in order."""

    def room(self, question: str) -> int:
        """How many of a passage's tokens are read beside this question."""

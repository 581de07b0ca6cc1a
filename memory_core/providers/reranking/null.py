"""The reranker that is there when there is none: it says why, and invents no score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_core.domain.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NullReranker:
    """See `memory_core.domain.ports.Reranker`."""

    available = False
    model = "none"
    scripts: frozenset[str] = frozenset()

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Refuse. Raises ModelUnavailable, always, with the reason."""
        raise ModelUnavailable(self.reason)

    def room(self, question: str) -> int:
        """Nothing is read."""
        return 0

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Nothing is read."""
        return []

"""The embedder that is there when there is none: search by words alone, and say why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_core.domain.errors import ModelUnavailable
from memory_core.domain.tunables_embedding import FALLBACK_TOKENS, FALLBACK_WORD_CHARACTERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TOKEN = re.compile(rf"[A-Za-z0-9_]{{1,{FALLBACK_WORD_CHARACTERS}}}|[^\s]")


class NullEmbedder:
    """Has no vectors and refuses to invent any, but still cuts text into countable pieces."""

    available = False
    dimensions = 0
    provider = "none"
    model = "none"
    max_tokens = FALLBACK_TOKENS
    scripts: frozenset[str] = frozenset()

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Refuse, so that no entry is taken for embedded.

        Raises:
            ModelUnavailable: always, with the reason.
        """
        raise ModelUnavailable(self.reason)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Refuse, so that the dense arm is reported as left out.

        Raises:
            ModelUnavailable: always, with the reason.
        """
        raise ModelUnavailable(self.reason)

    def count_tokens(self, text: str) -> int:
        """The number of spans of `token_spans`."""
        return sum(1 for _ in _TOKEN.finditer(text))

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Pieces of ASCII words, and every other character that is not white space by itself.

        >>> NullEmbedder("").token_spans("connection 池")
        [(0, 6), (6, 10), (11, 12)]
        """
        return [match.span() for match in _TOKEN.finditer(text)]

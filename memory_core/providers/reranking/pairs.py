"""A question and a passage as the one sequence a cross-encoder reads: bounded, and safe on any string."""

from __future__ import annotations

from pathlib import Path

from memory_core.domain import tunables_rerank as tunables
from memory_core.providers.tokens import ModelTokenizer


class PairTokenizer(ModelTokenizer):
    """Token ids and token types of a pair of at most `sequence_tokens`, special tokens included."""

    def __init__(self, file: Path, sequence_tokens: int) -> None:
        super().__init__(file, sequence_tokens)
        framed = self._tokenizer.encode("a", "a")
        first, second = (framed.special_tokens_mask.index(0), _last(framed.special_tokens_mask, 0))
        self._opening = framed.ids[:first]
        self._between = framed.ids[first + 1 : second]
        self._closing = framed.ids[second + 1 :]
        self._kinds = framed.type_ids[first], framed.type_ids[second]
        self._between_kinds = framed.type_ids[first + 1 : second]
        self._free = sequence_tokens - len(self._opening) - len(self._between) - len(self._closing)

    def question(self, text: str) -> list[int]:
        """The ids of a question; its end is cut."""
        return self._plain_ids(text[: tunables.PASSAGE_CHARACTERS])[: tunables.QUERY_TOKENS]

    def room(self, question: list[int]) -> int:  # type: ignore[override]
        """How many tokens of a passage fit beside a question."""
        return self._free - len(question)

    def pair(self, question: list[int], passage: str) -> tuple[list[int], list[int]]:
        """Ids and types of the sequence; the passage's end is cut to fit."""
        read = self._plain_ids(passage[: tunables.PASSAGE_CHARACTERS])[: self.room(question)]
        ids = [*self._opening, *question, *self._between, *read, *self._closing]
        ahead, behind = self._kinds
        kinds = [
            *[ahead] * (len(self._opening) + len(question)),
            *self._between_kinds,
            *[behind] * (len(read) + len(self._closing)),
        ]
        return ids, kinds


def _last(values: list[int], wanted: int) -> int:
    return len(values) - 1 - values[::-1].index(wanted)

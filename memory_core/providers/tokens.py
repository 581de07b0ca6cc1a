"""A model's own tokenizer: bounded, safe on any string, the same for one text and for many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokenizers import Tokenizer

from memory_core.domain.tunables_models import INPUT_CHARACTERS, SPAN_WINDOW_CHARACTERS

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


class TextTokenizer:
    """The ids of a text's own tokens, and where they lie."""

    def __init__(self, file: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        # Text that spells a special token, "[SEP]" say, stays text: it must not steer the model.
        self._tokenizer.encode_special_tokens = True

    def ids(self, text: str) -> list[int]:
        """Ids without special tokens; at most INPUT_CHARACTERS are read."""
        # One by one and not `encode_batch`: that starts a thread pool, which does not survive a worker's fork.
        ids: list[int] = self._tokenizer.encode(well_formed(text[:INPUT_CHARACTERS]), add_special_tokens=False).ids
        return ids

    def spans(self, text: str) -> list[tuple[int, int]]:
        """(start, end) of every token of the whole text, in characters; tokens that cover nothing are left out."""
        return [
            (window_start + start, window_start + end)
            for window_start, window in windows(text, SPAN_WINDOW_CHARACTERS)
            for start, end in self._tokenizer.encode(well_formed(window), add_special_tokens=False).offsets
            if end > start
        ]


class ModelTokenizer(TextTokenizer):
    """Token ids of a sequence of at most `sequence_tokens`, special tokens and prefix included."""

    def __init__(self, file: Path, sequence_tokens: int) -> None:
        super().__init__(file)
        self._before, self._after = self._special_tokens()
        self._room = sequence_tokens - len(self._before) - len(self._after)

    def room(self, prefix: str) -> int:
        """How many tokens of a text fit behind `prefix`."""
        return self._room - len(self.ids(prefix))

    def sequence(self, prefix: str, text: str) -> list[int]:
        """The ids the model reads for one text; its end is cut to fit."""
        return [*self._before, *self.ids(prefix + text[:INPUT_CHARACTERS])[: self._room], *self._after]

    def _special_tokens(self) -> tuple[list[int], list[int]]:
        """The special ids before and after a text, learnt from how the tokenizer frames a one-letter one."""
        framed = self._tokenizer.encode("a")
        mask: list[int] = framed.special_tokens_mask
        first = mask.index(0)
        last = len(mask) - mask[::-1].index(0)
        return framed.ids[:first], framed.ids[last:]


class PairTokenizer(TextTokenizer):
    """Token ids and token types of a question and a passage, of at most `sequence_tokens`, special tokens included."""

    def __init__(self, file: Path, sequence_tokens: int) -> None:
        super().__init__(file)
        framed = self._tokenizer.encode("a", "a")
        own = [place for place, special in enumerate(framed.special_tokens_mask) if not special]
        first, second = own[0], own[-1]
        self._opening, self._between, self._closing = (
            framed.ids[:first],
            framed.ids[first + 1 : second],
            framed.ids[second + 1 :],
        )
        self._types = framed.type_ids[: first + 1], framed.type_ids[first + 1 : second], framed.type_ids[second:]
        self._room = sequence_tokens - len(framed.ids) + len(own)

    def room(self, question: Sequence[int]) -> int:
        """How many tokens of a passage fit beside a question."""
        return self._room - len(question)

    def pair(self, question: Sequence[int], passage: str) -> tuple[list[int], list[int]]:
        """Ids and types of the sequence; the passage's end is cut to fit."""
        read = self.ids(passage)[: self.room(question)]
        ids = [*self._opening, *question, *self._between, *read, *self._closing]
        asked, between, answering = self._types
        types = [*asked[:-1], *asked[-1:] * len(question), *between, *answering[:1] * len(read), *answering[1:]]
        return ids, types


def well_formed(text: str) -> str:
    """The text with every lone surrogate replaced, one for one, so that it can be written as UTF-8.

    >>> well_formed("a\\ud800b") == "a\\ufffdb"
    True
    """
    return text if text.isascii() else _LONE_SURROGATE.sub(_REPLACEMENT, text)


def windows(text: str, size: int) -> Iterator[tuple[int, str]]:
    """Cut a text into (start, piece) of at most `size` characters, before white space where there is some.

    >>> list(windows("one two three", 9))
    [(0, 'one two'), (7, ' three')]
    """
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        if end < len(text):
            cut = end
            while cut > start and not text[cut].isspace():
                cut -= 1
            end = cut if cut > start else end
        yield start, text[start:end]
        start = end

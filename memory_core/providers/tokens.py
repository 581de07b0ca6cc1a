"""The model's own tokenizer: bounded, safe on any string, the same for one text and for many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Tokenizer

from memory_core.domain.tunables_models import INPUT_CHARACTERS, SPAN_WINDOW_CHARACTERS

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


class ModelTokenizer:
    """Token ids of a sequence of at most `sequence_tokens`, special tokens and prefix included."""

    def __init__(self, file: Path, sequence_tokens: int) -> None:
        self._tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        # Text that spells a special token, "[SEP]" say, stays text: it must not steer the model.
        self._tokenizer.encode_special_tokens = True
        self._before, self._after = self._special_tokens()
        self._room = sequence_tokens - len(self._before) - len(self._after)

    def room(self, prefix: str) -> int:
        """How many tokens of a text fit behind `prefix`."""
        return self._room - len(self._plain_ids(prefix))

    def sequence(self, prefix: str, text: str) -> list[int]:
        """The ids the model reads for one text; its end is cut to fit."""
        ids = self._plain_ids(prefix + text[:INPUT_CHARACTERS])
        return [*self._before, *ids[: self._room], *self._after]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """(start, end) of every token of the whole text, in characters; tokens that cover nothing are left out."""
        return [
            (window_start + start, window_start + end)
            for window_start, window in windows(text, SPAN_WINDOW_CHARACTERS)
            for start, end in self._tokenizer.encode(well_formed(window), add_special_tokens=False).offsets
            if end > start
        ]

    def _plain_ids(self, text: str) -> list[int]:
        # One by one and not `encode_batch`: that starts a thread pool, which does not survive a worker's fork.
        ids: list[int] = self._tokenizer.encode(well_formed(text), add_special_tokens=False).ids
        return ids

    def _special_tokens(self) -> tuple[list[int], list[int]]:
        """The special ids before and after a text, learnt from how the tokenizer frames a one-letter one."""
        framed = self._tokenizer.encode("a")
        mask: list[int] = framed.special_tokens_mask
        first = mask.index(0)
        last = len(mask) - mask[::-1].index(0)
        return framed.ids[:first], framed.ids[last:]


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

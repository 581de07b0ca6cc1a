"""Cut a long text for an embedder, at the best borders its token limit allows."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memory_core.domain.tunables_text import CHUNK_FILL

Span = tuple[int, int]
"""Start and end of one token in the text, in characters, as fast tokenizers report them."""

_WORD = re.compile(r"\w+|[^\w\s]")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_LINE = re.compile(r"\n+")
_SENTENCE = re.compile(r"(?<![.!?…])[.!?…]+[\"')\]]*\s+|[。！？]+[」』”）]*")
_SPACE = re.compile(r"\s+")
_BORDERS = (_PARAGRAPH, _LINE, _SENTENCE, _SPACE)
"""From the best border to the worst. A chunk ends after the match."""


class Chunk(NamedTuple):
    """`text` is the source's `[start:end]`, in characters."""

    start: int
    end: int
    text: str


def word_spans(text: str) -> list[Span]:
    """Spans of words and signs, for when no tokenizer is at hand; a model makes more tokens of them."""
    return [match.span() for match in _WORD.finditer(text)]


def chunk(
    text: str,
    max_tokens: int,
    overlap_tokens: int = 0,
    spans: Callable[[str], Sequence[Span]] = word_spans,
) -> list[Chunk]:
    """Cut `text` into chunks of at most `max_tokens` tokens that follow one another.

    `spans` gives the token spans of the whole text, ascending (a tokenizer's offsets without its
    special tokens); it is called once. The first chunk starts at 0, the last ends at the text's end,
    and each starts at or before the end of the one before it: no character is lost. Neighbours share
    up to `overlap_tokens`. The limit is passed only by a single character of more tokens than it.
    An empty text has no chunks. Raises ValueError unless 0 <= overlap_tokens < max_tokens.
    """
    if not 0 <= overlap_tokens < max_tokens:
        raise ValueError("chunk needs 0 <= overlap_tokens < max_tokens")
    if not text:
        return []
    tokens = [span for span in spans(text) if span[1] > span[0]]
    cutter = _Cutter(text, [start for start, _ in tokens], [end for _, end in tokens], max_tokens)
    chunks: list[Chunk] = []
    start = end = 0
    while end < len(text):
        end = cutter.end_after(start, end)
        chunks.append(Chunk(start, end, text[start:end]))
        start = cutter.start_before(end, overlap_tokens, start)
    return chunks


class _Cutter:
    """The text and its tokens' borders, and where the next chunk may end and start."""

    def __init__(self, text: str, starts: list[int], ends: list[int], max_tokens: int) -> None:
        self.text, self.starts, self.ends, self.max_tokens = (
            text,
            starts,
            ends,
            max_tokens,
        )

    def end_after(self, start: int, previous_end: int) -> int:
        """End of the chunk that starts at `start`, beyond `previous_end`."""
        first = bisect_right(self.ends, start)  # the first token that reaches into the chunk
        beyond = first + self.max_tokens
        if beyond >= len(self.starts):
            return len(self.text)
        latest = self.starts[beyond]
        if latest <= previous_end:  # one character of more tokens than the limit
            following = bisect_right(self.starts, previous_end)
            return self.starts[following] if following < len(self.starts) else len(self.text)
        filled = first + int(self.max_tokens * CHUNK_FILL)
        since = self.starts[max(first, filled - 1)]  # a border may begin with the token before
        return self._border(since, max(self.starts[filled], previous_end + 1), latest)

    def start_before(self, end: int, overlap_tokens: int, previous_start: int) -> int:
        """Start of the next chunk: at most `overlap_tokens` before `end`, at a border if there is one."""
        following = bisect_left(self.starts, end)
        if overlap_tokens == 0 or following == 0:
            return end
        earliest = max(self.starts[max(0, following - overlap_tokens)], previous_start + 1)
        if earliest >= end:
            return end
        for border in _BORDERS:
            match = border.search(self.text, earliest, end)
            if match and match.end() < end:
                return match.end()
        return earliest

    def _border(self, since: int, low: int, high: int) -> int:
        """End of the last of the best borders with `low` <= end <= `high`; `high` when there is none.

        Borders are looked for from `since` on.
        """
        for border in _BORDERS:
            last = 0
            for match in border.finditer(self.text, since, high):
                last = match.end()
            if last >= low:
                return last
        return high

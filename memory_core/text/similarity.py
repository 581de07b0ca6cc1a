"""Likeness of two short texts by their words, for superseding and near-duplicates.

Source: wire/algorithms.md 12. Words are compared as written, unstemmed: two memories that differ in
one ending are still two statements.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from memory_core.domain.tunables_text import MIN_SIMILARITY_WORD
from memory_core.text.script_ranges import SCRIPT_RANGES

_CJK = re.compile("[〇" + "".join(SCRIPT_RANGES[s] for s in ("Han", "Hiragana", "Katakana", "Hangul")) + "]+")
_ASCII_WORD = re.compile(r"[a-z0-9_./\\-]+")

Words = Callable[[str], Iterable[str]]
"""Finds the words of one run of an unspaced script: `Analyzer.words`."""


def no_words(_run: str) -> Iterable[str]:
    """Stand in for a segmenter: character pairs alone."""
    return ()


def similarity_words(text: str, words: Words = no_words) -> frozenset[str]:
    """Give the set of words that similarity compares.

    NFC and lower case. A text without CJK: its words by whitespace that are longer than two
    characters. With CJK: of each run the segmenter's words and the character pairs (a run of one
    character is itself), and the ASCII words longer than two.
    """
    text = unicodedata.normalize("NFC", text).lower()
    if not _CJK.search(text):
        return frozenset(word for word in text.split() if len(word) >= MIN_SIMILARITY_WORD)
    found = {word for word in _ASCII_WORD.findall(text) if len(word) >= MIN_SIMILARITY_WORD}
    for run in _CJK.findall(text):
        found.update(words(run))
        found.update([run] if len(run) == 1 else (run[i : i + 2] for i in range(len(run) - 1)))
    return frozenset(found)


def jaccard(left: str, right: str, words: Words = no_words) -> float:
    """Words in common by words in all, 0 to 1; symmetric.

    When a side has no words at all: 1 if the texts are equal but for whitespace, else 0.

    >>> jaccard("use postgres always", "use postgres never")
    0.5
    """
    a, b = similarity_words(left, words), similarity_words(right, words)
    if not a or not b:
        return float(left.split() == right.split())
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)

"""The analyzer: text in, terms out; the same for documents and queries.

Unspaced scripts (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) give, for each run, every
pair of neighbouring characters, every single character, and the segmenters' words of three or more
characters (a word of two is a pair already). Runs never join over a border. Because pairs, single
characters and Chinese dictionary words depend on nothing outside themselves, the terms of any part
of a run are among the terms of the run.

A term that lies over others (the whole of a split name, single characters, words over pairs) does
not make a document longer: `Analysis.length` counts positions, as Lucene's "discount overlaps" does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from memory_core.domain.tunables_text import (
    CHARACTERS_PER_POSITION,
    MAX_TERM_CHARACTERS,
    TOKEN_CACHE_ENTRIES,
)
from memory_core.text.identifiers import TokenTerms, token_terms, tokens
from memory_core.text.script_ranges import SCRIPT_RANGES
from memory_core.text.scripts import fold, normalize
from memory_core.text.segmenters import load_segmenter

VERSION = 1
"""Raised when the same text would give other terms, so that indexes can tell they are old."""

UNSPACED_RUNS = (
    ("Han", "Hiragana", "Katakana", "Bopomofo"),
    ("Hangul",),
    ("Thai",),
    ("Lao",),
    ("Khmer",),
    ("Myanmar",),
)
"""Scripts without usable spaces; those in one tuple are written together in one word."""

UNSPACED = re.compile(
    "|".join(f"[{'〇' if 'Han' in run else ''}{''.join(SCRIPT_RANGES[s] for s in run)}]+" for run in UNSPACED_RUNS)
)
"""One run of an unspaced script."""

_SHORTEST_WORD = 3
"""Characters of the shortest word of a run that is not among its pairs and single characters."""

_known: dict[str, TokenTerms] = {}
"""Token -> its terms, shared by all threads: reads and writes of one entry are atomic, and what is
stored depends on the token alone."""


@dataclass(frozen=True)
class Analysis:
    """What retrieval knows of a text: its terms, in order and with repetition, and its length.

    A term is 1 to 64 characters, folded, without spaces, NUL and surrogates. `length` is in
    positions: about one a word, one per two characters of an unspaced script.
    """

    terms: tuple[str, ...]
    length: int

    @cached_property
    def counts(self) -> Counter[str]:
        """Term -> its frequency in the text."""
        return Counter(self.terms)


class Analyzer:
    """Analysis with the segmenters of some languages; safe to share between threads.

    A document and a query must be analysed with the same segmenters: compare `fingerprint`.
    """

    def __init__(self, segmenters: Collection[str] = ("zh",)) -> None:
        """Enable the segmenters of these languages (`zh`, `ja`, `ko`); raises ConfigurationError."""
        self._segmenters = tuple(load_segmenter(language) for language in sorted(set(segmenters)))

    @property
    def fingerprint(self) -> str:
        """What the terms depend on besides the text; an index made under another one is to be rebuilt."""
        return "+".join([f"terms{VERSION}", *(segmenter.name for segmenter in self._segmenters)])

    def analyze(self, text: str) -> Analysis:
        """Give the terms of `text`. Never raises, linear in the text, deterministic.

        >>> Analyzer().analyze("Fix parseUrl, 数据库").terms
        ('fix', 'parseurl', 'pars', 'url', '数据', '据库', '数', '据', '库', '数据库')
        """
        text = normalize(text)
        terms: list[str] = []
        length = 0
        for token in tokens(text):
            found = _known.get(token) or self._token(token)
            terms += found.terms
            length += found.positions
        return Analysis(tuple(terms), length)

    def words(self, run: str) -> list[str]:
        """Words that the enabled segmenters find in one run of an unspaced script."""
        return [word for segmenter in self._segmenters for word in segmenter.words(run)]

    def _token(self, token: str) -> TokenTerms:
        if not token.isascii() and UNSPACED.search(token):
            return self._mixed(token)
        found = token_terms(token)
        if len(token) <= MAX_TERM_CHARACTERS:
            if len(_known) >= TOKEN_CACHE_ENTRIES:
                _known.clear()
            _known[token] = found
        return found

    def _mixed(self, token: str) -> TokenTerms:
        """Take apart a token that holds runs of unspaced script, and analyse what lies between them."""
        terms: list[str] = []
        positions = end = 0
        for match in UNSPACED.finditer(token):
            positions += self._spaced(token[end : match.start()], terms)
            positions += self._unspaced(match[0], terms)
            end = match.end()
        positions += self._spaced(token[end:], terms)
        return TokenTerms(tuple(terms), positions)

    def _spaced(self, text: str, terms: list[str]) -> int:
        positions = 0
        for token in tokens(text):
            found = token_terms(token)
            terms += found.terms
            positions += found.positions
        return positions

    def _unspaced(self, run: str, terms: list[str]) -> int:
        if len(run) > 1:
            terms += [first + second for first, second in pairwise(run)]
        terms += run
        for word in self.words(run):
            if len(word) >= _SHORTEST_WORD or word not in run:
                terms.append(fold(word)[:MAX_TERM_CHARACTERS])
        return -(-len(run) // CHARACTERS_PER_POSITION)

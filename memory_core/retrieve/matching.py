"""Which of a question's words stand in a record, in words that people can read; for a request that asks to explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_core.sql.expansion import MATCHED_TERMS
from memory_core.text.analyzer import UNSPACED, Analyzer
from memory_core.text.identifiers import tokens
from memory_core.text.scripts import normalize

from .question import LexicalQuestion


@dataclass(frozen=True, slots=True)
class Match:
    """A word that stands in a record: the question's own, or one asked for besides: then `of` is the question's word that
    it widens, and `by` the way (`synonym`, `prefix`)."""

    word: str
    of: str = ""
    by: str = ""


def words_of(question: str, analyzer: Analyzer) -> dict[str, str]:
    """The word as the question has it, by its term: the stem `configur` stands there as `configuration`.

    A term that has no such word (a part of a name, characters of a script without spaces) is missing: it is its own.
    """
    words: dict[str, str] = {}
    for token in tokens(normalize(question)):
        terms = () if UNSPACED.search(token) else analyzer.analyze(token).terms
        if terms:
            words.setdefault(terms[0], token)
    return words


def matches(ids: Sequence[str], asked: LexicalQuestion, words: Mapping[str, str]) -> dict[str, tuple[Match, ...]]:
    """What of a question stands in each record, in one statement: its own words first, the rarest first."""
    meanings = {term: Match(words.get(term, term)) for term in asked.terms}
    for one in asked.expansions:
        meanings[one.term] = Match(one.word, words.get(one.source, one.source), one.by)
    rows = MATCHED_TERMS.rows({"ids": list(ids), "terms": list(meanings)})
    held = {object_id: set(terms) for object_id, terms in rows}
    return {
        object_id: tuple(match for term, match in meanings.items() if term in terms)
        for object_id, terms in held.items()
    }

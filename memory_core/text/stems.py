"""Snowball stemmers by script. A word's stem depends on the word alone."""

from __future__ import annotations

import re
import threading
import unicodedata
from typing import cast

import Stemmer

from memory_core.text.scripts import script_of

LANGUAGE_OF_SCRIPT = {
    "Latin": "english",
    "Cyrillic": "russian",
    "Greek": "greek",
    "Arabic": "arabic",
    "Armenian": "armenian",
    "Devanagari": "hindi",
    "Tamil": "tamil",
}
"""The stemmer of each script; a word of another script is its own stem."""

FOLDED_SCRIPTS = frozenset({"Latin", "Hebrew", "Arabic"})
"""Scripts whose marks people leave out when they type: accents, vowel points."""

_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670]+")


class _ThreadStemmers(threading.local):
    """Snowball objects keep state while they work: one set a thread."""

    def __init__(self) -> None:
        self.by_script: dict[str, Stemmer.Stemmer] = {}


_stemmers = _ThreadStemmers()


def stem(word: str) -> str:
    """Stem one folded word by the stemmer of its first letter's script.

    >>> stem("authenticating"), stem("книгами")
    ('authent', 'книг')
    """
    script = "Latin" if word.isascii() else script_of(word[:1])
    language = LANGUAGE_OF_SCRIPT.get(script)
    if language is None:
        return word
    if script == "Cyrillic":
        word = word.replace("ё", "е")
    stemmer = _stemmers.by_script.get(script)
    if stemmer is None:
        stemmer = _stemmers.by_script[script] = Stemmer.Stemmer(language)
    return cast("str", stemmer.stemWord(word)) or word


def without_marks(word: str) -> str:
    """Take accents and vowel points away where writers leave them out: `café` -> `cafe`."""
    if word.isascii() or script_of(word[:1]) not in FOLDED_SCRIPTS:
        return word
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", word)))

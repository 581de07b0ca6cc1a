"""From one token to its terms: words are stemmed, names are kept whole and split.

A token is what stands between spaces and brackets: a word, a path, a URL, a version. It is taken
apart level by level (slashes; colons, at signs and pluses; dots; hyphens and apostrophes;
underscores and case), and every level gives its whole, in lower case, beside its parts. A path or a
dotted name also gives its last few components, so that a suffix of it finds it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memory_core.domain.tunables_text import (
    ENCODED_CHARACTERS_PER_PIECE,
    MAX_TERM_CHARACTERS,
    MIN_ENCODED_CHARACTERS,
    MIN_LETTERS_BESIDE_DIGITS,
    PATH_SUFFIX_COMPONENTS,
    SHORT_SHA_CHARACTERS,
)
from memory_core.text.script_ranges import MARK_RANGES
from memory_core.text.scripts import fold, has_marks
from memory_core.text.stems import stem, without_marks

_JOIN = r"[./\\:@+'\-]"
_AFTER = r"(?:\+\+|(?<=\b[CFJcfj])#)?"
_ASCII_TOKEN = re.compile(rf"\w++(?:{_JOIN}++\w++)*{_AFTER}", re.ASCII)
_UNMARKED_TOKEN = re.compile(rf"\w++(?:{_JOIN}++\w++)*{_AFTER}")
_TOKEN = re.compile(rf"[\w{MARK_RANGES}]++(?:{_JOIN}++[\w{MARK_RANGES}]++)*{_AFTER}")
"""One language in three speeds: marks are parts of words, and slow to look for where there are none."""

_LEVELS = (
    re.compile(r"[/\\]+"),
    re.compile(r"[:@+]+"),
    re.compile(r"\.+"),
    re.compile(r"[-']+"),
)
_SUFFIX_LEVELS = (0, 2)
_EDGES = "/\\:@+.-'"
_POSITION_IN_FILE = re.compile(r"([^:]+(?::[/\\][^:]*)?)((?::\d+)+)")
_CONTRACTION = re.compile(r"[^\W\d_]+'(?:s|t|d|m|re|ve|ll)", re.IGNORECASE)
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ATOM = re.compile(_UUID, re.IGNORECASE)
_VERSION = re.compile(r"(v?)(\d+(?:\.\d+)+)(?:-(.+))?", re.IGNORECASE)
_EMBEDDED = re.compile(rf"(?<![0-9a-z.])(?:{_UUID}|\d{{4}}-\d\d-\d\d|v?\d+(?:\.\d+)+)", re.IGNORECASE)
_SHA = re.compile(r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,64}", re.IGNORECASE)
_HEX = re.compile(r"0x[0-9a-f]{1,62}", re.IGNORECASE)
_BASE64 = re.compile(r"(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=[^0-9]*[0-9])[0-9A-Za-z+/]+")
_PIECE = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class TokenTerms(NamedTuple):
    """The distinct terms of one token, wholes before parts, and how many positions it takes."""

    terms: tuple[str, ...]
    positions: int


class _Collector:
    """Terms in the order in which they are met, and the count of the smallest parts."""

    def __init__(self) -> None:
        self.terms: dict[str, None] = {}
        self.positions = 0

    def whole(self, text: str) -> None:
        """Add a name as it is written, unless it is too long to be looked for."""
        if len(text) > MAX_TERM_CHARACTERS:
            return
        term = fold(text)
        if len(term) <= MAX_TERM_CHARACTERS:
            self.terms[term] = None

    def word(self, text: str) -> None:
        """Add one run of letters: its stem, and the stem without accents."""
        self.positions += 1
        folded = fold(text)
        if len(folded) > MAX_TERM_CHARACTERS:
            self.terms[folded[:MAX_TERM_CHARACTERS]] = None
            return
        self.terms[stem(folded)] = None
        plain = without_marks(folded)
        if plain != folded:
            self.terms[stem(plain)] = None

    def opaque(self, text: str) -> None:
        """Add what has no words in it: a number, a digest, encoded data."""
        self.positions += 1
        self.terms[fold(text)[:MAX_TERM_CHARACTERS]] = None


def tokens(text: str) -> list[str]:
    """Split a normalised text into tokens; spaces, brackets, quotes and most signs are dropped.

    >>> tokens("see (C++, src/a.py:3) ...")
    ['see', 'C++', 'src/a.py:3']
    """
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    return (_TOKEN if has_marks(text) else _UNMARKED_TOKEN).findall(text)


def token_terms(token: str) -> TokenTerms:
    """Give the terms of one of `tokens`. Linear in the token, whatever it holds.

    >>> token_terms("src/userStore.ts").terms
    ('src/userstore.ts', 'src', 'userstore.ts', 'userstore', 'userstor', 'user', 'store', 'ts')
    """
    found = _Collector()
    if token.isascii() and token.isalpha() and (token.islower() or token[1:].islower()):
        found.word(token)
    elif _is_encoded(token) and _BASE64.fullmatch(token) and not _SHA.fullmatch(token):
        found.opaque(token)
    else:
        _level(found, token, 0)
    return TokenTerms(tuple(found.terms), found.positions)


def _level(found: _Collector, text: str, level: int) -> None:
    if level == len(_LEVELS):
        _name(found, text)
        return
    separator = _LEVELS[level]
    if level >= 1 and _atom(found, text):
        return
    if level == 0 and "://" not in text and (place := _POSITION_IN_FILE.fullmatch(text)):
        found.whole(text.replace("\\", "/"))
        _level(found, place[1], 0)
        for number in place[2].split(":")[1:]:
            found.opaque(number)
        return
    if not separator.search(text):
        _level(found, text, level + 1)
        return
    if level == len(_LEVELS) - 1 and _CONTRACTION.fullmatch(text):
        found.word(text)
        return
    found.whole(text.replace("\\", "/"))
    if level >= 2:
        for embedded in _EMBEDDED.findall(text):
            found.whole(embedded)
    if level in _SUFFIX_LEVELS:
        _suffixes(found, text, separator)
    for part in separator.split(text):
        if bare := part.strip(_EDGES):
            _level(found, bare, level + 1)


def _suffixes(found: _Collector, text: str, separator: re.Pattern[str]) -> None:
    """Add the ends of a path: with two components, three, up to the bound."""
    starts = [match.end() for match in separator.finditer(text)][-PATH_SUFFIX_COMPONENTS:-1]
    for start in starts:
        found.whole(text[start:].replace("\\", "/"))


def _atom(found: _Collector, text: str) -> bool:
    """Add a UUID or a version as what it is; False when `text` is neither."""
    if _ATOM.fullmatch(text):
        found.opaque(text)
        return True
    version = _VERSION.fullmatch(text) if len(text) <= MAX_TERM_CHARACTERS else None
    if version is None:
        return False
    found.opaque(text)
    found.whole(text[len(version[1]) :])
    found.whole(version[2])
    if version[3]:
        _level(found, version[3], len(_LEVELS) - 1)
    return True


def _name(found: _Collector, name: str) -> None:
    """Add a name without separators but underscores: the whole, and the words of it."""
    if _SHA.fullmatch(name):
        found.opaque(name)
        found.whole(name[:SHORT_SHA_CHARACTERS])
        return
    if _HEX.fullmatch(name):
        found.opaque(name)
        return
    words = [_pieces(part) for part in name.split("_") if part]
    flat = [piece for pieces in words for piece in pieces]
    if not flat or (len(flat) == 1 and flat[0] == name and not name.isupper()):
        _leaf(found, name)
        return
    if _is_encoded(name):
        _leaf(found, name)
        return
    found.whole(name)
    if name.isalpha() and len(name) <= MAX_TERM_CHARACTERS:
        found.terms[stem(fold(name))] = None
    before = found.positions
    for pieces in words:
        for piece in _words_among(pieces):
            _leaf(found, piece)
    if found.positions == before:
        found.opaque(name)


def _words_among(pieces: list[str]) -> list[str]:
    """Leave out digits and short letters that stand beside digits: the `E` and `0308` of `E0308`."""
    if len(pieces) == 1 or all(piece[:1].isalpha() for piece in pieces):
        return pieces
    return [piece for piece in pieces if piece[:1].isalpha() and len(piece) >= MIN_LETTERS_BESIDE_DIGITS]


def _leaf(found: _Collector, piece: str) -> None:
    if piece.isalpha():
        found.word(piece)
    else:
        found.opaque(piece)


def _is_encoded(name: str) -> bool:
    """Whether case and digits change too often for a name that a person wrote."""
    if len(name) < MIN_ENCODED_CHARACTERS:
        return False
    return sum(1 for _ in _PIECE.finditer(name)) * ENCODED_CHARACTERS_PER_PIECE > len(name)


def _pieces(name: str) -> list[str]:
    """Split at changes of case and between letters and digits."""
    if name.isascii():
        return _PIECE.findall(name)
    pieces, start = [], 0
    for at in range(1, len(name)):
        if _is_border(name, at):
            pieces.append(name[start:at])
            start = at
    pieces.append(name[start:])
    return pieces


def _is_border(name: str, at: int) -> bool:
    left, right = name[at - 1], name[at]
    if left.isdecimal() != right.isdecimal():
        return True
    if right.isupper():
        return left.islower() or (left.isupper() and name[at + 1 : at + 2].islower())
    return False

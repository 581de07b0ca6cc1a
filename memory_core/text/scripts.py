"""Unicode scripts: which script a letter is of, runs of one script, shares; and normalisation.

Scripts have their Unicode names (`Latin`, `Han`, ...); letters of a script without an entry in
`SCRIPT_RANGES` are `OTHER`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memory_core.domain.tunables_text import MAX_COMBINING_MARKS
from memory_core.text.script_ranges import MARK_RANGES, SCRIPT_RANGES

OTHER = "Other"
"""Script of a letter that the table does not know."""

_INHERITED = (
    "\u0300-\u036f\u064b-\u0655\u0670\u0951-\u0954\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"
)
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
"""Unicode's Default_Ignorable_Code_Point: soft hyphen, zero-width, direction and variation marks."""

_MARK = re.compile(f"[{MARK_RANGES}]")
_TOO_MANY_MARKS = re.compile(f"([{MARK_RANGES}]{{{MAX_COMBINING_MARKS}}})[{MARK_RANGES}]+")
_SCRIPT_CLASSES = {script: re.compile(f"[{ranges}]") for script, ranges in SCRIPT_RANGES.items()}
_LETTERS = "|".join(f"(?P<{s}>[{r}][{r}{_INHERITED}]*)" for s, r in SCRIPT_RANGES.items())
_RUN = re.compile(f"{_LETTERS}|(?P<{OTHER}>[^\\W\\d_])")


class ScriptRun(NamedTuple):
    """A stretch `text[start:end]` of letters of one script."""

    script: str
    start: int
    end: int


def normalize(text: str) -> str:
    """NFKC without invisible characters, the one hyphen and the one apostrophe; ASCII stays as it is.

    Case is kept, since identifiers are split by it: `fold` takes it away. Linear in the text.

    >>> normalize("ｆｕｌｌ‐width ﬁle")
    'full-width file'
    """
    if text.isascii():
        return text
    if _IGNORABLE.search(alphabet := "".join(set(text))):
        text = _IGNORABLE.sub("", text)
    if _MARK.search(alphabet):
        text = _TOO_MANY_MARKS.sub(r"\1", text)
    return unicodedata.normalize("NFKC", text).replace("\u2010", "-").replace("\u2019", "'")


def has_marks(text: str) -> bool:
    """Whether `text` has a combining mark; asked of the set of its characters, which is 20 times as fast."""
    return not text.isascii() and _MARK.search("".join(set(text))) is not None


def fold(term: str) -> str:
    """Take away case (Unicode case folding, then NFKC again): `Straße` -> `strasse`."""
    if term.isascii():
        return term.lower()
    return unicodedata.normalize("NFKC", term.casefold())


def script_runs(text: str) -> Iterator[ScriptRun]:
    """Yield the maximal runs of letters of one script, in order; what is no letter is left out."""
    previous: ScriptRun | None = None
    for match in _RUN.finditer(text):
        run = ScriptRun(match.lastgroup or OTHER, match.start(), match.end())
        if previous and previous.end == run.start and previous.script == run.script:
            run = ScriptRun(run.script, previous.start, run.end)
        elif previous:
            yield previous
        previous = run
    if previous:
        yield previous


@lru_cache(maxsize=8192)
def script_of(letter: str) -> str:
    """Name the script of one letter."""
    return next((script for script, one in _SCRIPT_CLASSES.items() if one.match(letter)), OTHER)


def script_shares(text: str) -> dict[str, float]:
    """Share of each script among the letters of `text`; the shares sum to 1, no letters give {}.

    >>> script_shares("ab 12 Ω!")["Greek"]
    0.3333333333333333
    """
    letters: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if character.isalpha():
            letters[script_of(character)] += count
    total = letters.total()
    return {script: count / total for script, count in letters.items()}

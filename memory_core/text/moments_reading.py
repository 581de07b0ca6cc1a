"""What the readers of times share: the folded text, what was found in it, and rules that find more."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from string import ascii_lowercase

from memory_core.domain import tunables_time as tunables
from memory_core.text.spans import Calendar, Period

_TRADITIONAL = str.maketrans(
    "週後個過這現剛幾兩號禮數開來時鐘點間從與們頭當麼內發舊東對爾",
    "周后个过这现刚几两号礼数开来时钟点间从与们头当么内发旧东对尔",
)
_WIDE = {ord("Ａ") + n: chr(ord("a") + n) for n in range(26)} | {
    code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF21)
}
_DIGITS = {code: str(unicodedata.decimal(chr(code))) for code in range(0x80, 0x20000) if chr(code).isdecimal()}
_FOLD = _DIGITS | (
    {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)} | _WIDE | _TRADITIONAL | {0x2019: "'", 0x3000: " "}
)
_LETTERS = frozenset(ascii_lowercase)
_WORD = re.compile(r"[a-z]+")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\b[a-zA-Z][a-zA-Z+]{1,9}://\S+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """A period and the characters it was read from, `begin` to before `finish`."""

    begin: int
    finish: int
    period: Period


@dataclass(frozen=True)
class Reading:
    """A text as the rules see it: `folded` is in lower case, narrow, simplified, without code, and as long as `original`."""

    folded: str
    original: str
    calendar: Calendar

    @cached_property
    def signs(self) -> frozenset[str]:
        """The words of the text and its characters that are no Latin letters; a rule without a cue here finds nothing."""
        return frozenset(_WORD.findall(self.folded)) | (frozenset(self.folded) - _LETTERS)

    def is_capital(self, at: int) -> bool:
        """Whether the original has a capital letter there."""
        return self.original[at].isupper()


@dataclass(frozen=True, slots=True)
class Rule:
    """`cues`: words and characters of which one stands in all that it finds; `core`, a group of the pattern: what the time
    was read from, where that is not the whole match; `meaning`: the period, None where the words mean no time."""

    cues: frozenset[str]
    pattern: re.Pattern[str]
    meaning: Callable[[re.Match[str], Reading], Period | None]


def rule(cues: Iterable[str], pattern: str, meaning: Callable[[re.Match[str], Reading], Period | None]) -> Rule:
    """A rule with its pattern compiled."""
    return Rule(frozenset(cues), re.compile(pattern), meaning)


def fold(text: str) -> str:
    """The text to find times in, as long as it was: code, addresses and file names give none."""
    if "`" in text or "://" in text:
        text = _CODE.sub(lambda match: "\0" * len(match[0]), text)
    return text.translate(_FOLD)


def find(rules: Iterable[Rule], reading: Reading) -> list[Found]:
    """What the rules find, in the order of the text; what an earlier rule has read is not read again."""
    found: list[Found] = []
    for one in rules:
        if one.cues.isdisjoint(reading.signs):
            continue
        group = "core" if "core" in one.pattern.groupindex else 0
        for match in islice(one.pattern.finditer(reading.folded), 4 * tunables.MOST_SPANS):
            begin, finish = match.span(group)
            if any(begin < other.finish and other.begin < finish for other in found):
                continue
            period = one.meaning(match, reading)
            if period is not None:
                found.append(Found(begin, finish, period))
    return sorted(found, key=lambda each: each.begin)

"""What stands where a secret could stand and is none: placeholders, code, words, paths.

Redacting such text costs meaning and hides nothing, so every rule that goes by the name beside a value
asks here first.
"""

from __future__ import annotations

import re

MARKERS = ("[REDACTED_SECRET]", "[REDACTED]")
"""What the scrubber writes; text that holds nothing else is never redacted again."""

_PLACEHOLDER = re.compile(
    r"""\*+ | [xX]{3,} | \.{3,} | … | -+ | <[^<>]*> | \$\{[^{}]*\} | \$\([^()]*\) | \$[A-Za-z_]\w* | \{\{[^{}]*\}\}
    | \{[\w.]*\} | %\(\w+\)s | %[sdr] | %\w+% | (?:your|my|the|some|insert|enter|example|placeholder)[-_ ][\w\- ]*""",
    re.VERBOSE | re.IGNORECASE,
)
_KIND = re.compile(
    r"""none | null | nil | true | false | undefined | string | str | text | bytes | varchar | number | integer | int
    | boolean | bool | object | any | unknown | optional | required | password | passwd | passphrase | secret | token
    | credentials? | authorization | redacted | hidden | masked | missing | invalid | expired | omitted | disabled
    | enabled | default | same-origin | include | omit | bearer | basic | digest | secretstr | placeholder | example""",
    re.VERBOSE | re.IGNORECASE,
)
_REFERENCE = re.compile(r"[A-Za-z_$@][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PATH_START = ("/", "~", "./", "../")

_MEAN_WORD = 3.5
"""Letters. Pieces of identifiers and paths average 5; those of random base62 average 1.7."""


def without_markers(text: str) -> str:
    """`text` with every redaction mark taken out."""
    for marker in MARKERS:
        text = text.replace(marker, "")
    return text


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret, or names its kind, and cannot be one itself."""
    value = value.strip()
    return not value or any(pattern.fullmatch(value) for pattern in (_KIND, _PLACEHOLDER))


def is_reference(value: str) -> bool:
    """Whether the value reads as a name in code, such as `settings.API_KEY` or `getToken`."""
    return _REFERENCE.fullmatch(value) is not None and (value.isalpha() or is_words(value))


def is_path(value: str) -> bool:
    """Whether the value reads as a path of files made of words."""
    return "/" in value and (value.startswith(_PATH_START) or is_words(value)) and is_words(value, at_least=1)


def is_words(value: str, at_least: int = 2) -> bool:
    """Whether the value is `at_least` words in snake, kebab, dotted or camel case, with at most one short number.

    >>> is_words("read_all-the.Things2"), is_words("a8Fk2LmQ9xZr4TbV7cNd")
    (True, False)
    """
    pieces = _PIECE.findall(value)
    words = [piece for piece in pieces if piece[0].isalpha()]
    numbers = [piece for piece in pieces if piece[0].isdigit()]
    if len(words) < at_least or len(numbers) > 1 or any(len(number) > 4 for number in numbers):
        return False
    return sum(map(len, words)) / len(words) >= _MEAN_WORD

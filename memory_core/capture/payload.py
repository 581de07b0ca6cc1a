"""Make parsed JSON storable in Postgres `jsonb` and `text`, or refuse it in words."""

from __future__ import annotations

import math
import re
from typing import Any

from memory_core.capture.tree import rewrite
from memory_core.domain.errors import InvalidInput
from memory_core.domain.events import Json
from memory_core.domain.tunables_capture import MAX_INTEGER_DIGITS, MAX_JSON_DEPTH

REPLACEMENT = "\ufffd"
"""Stands for a character that Postgres or UTF-8 cannot hold."""

_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_INTEGER_LIMIT = 10**MAX_INTEGER_DIGITS


def clean(value: Any) -> Json:
    """A copy of `value` that `jsonb` takes and that encodes to UTF-8.

    NUL and lone surrogates become U+FFFD, in keys too; keys that become equal by that are all kept,
    numbered ` (2)`, ` (3)`. Raises InvalidInput for NaN and infinity, integers of more than
    MAX_INTEGER_DIGITS digits, nesting deeper than MAX_JSON_DEPTH, and anything that is not JSON.
    """
    return rewrite(value, _clean_leaf, _clean_key, max_depth=MAX_JSON_DEPTH)


def clean_text(text: str) -> str:
    """`text` without NUL and lone surrogates; the halves of one character are joined.

    >>> clean_text("a\\x00b")
    'a\ufffdb'
    """
    if "\0" in text:
        text = text.replace("\0", REPLACEMENT)
    if not text.isascii() and _SURROGATE.search(text):
        text = _SURROGATE_PAIR.sub(_join, text)
        text = _SURROGATE.sub(REPLACEMENT, text)
    return text


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _clean_key(key: Any) -> str:
    if not isinstance(key, str):
        raise InvalidInput("A key of the data is not a string.")
    return clean_text(key)


def _clean_leaf(value: Any, _key: str | None) -> Json:
    if isinstance(value, str):
        return clean_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if not -_INTEGER_LIMIT < value < _INTEGER_LIMIT:
            raise InvalidInput(f"A number of the data has more than {MAX_INTEGER_DIGITS} digits.")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput("The data holds NaN or infinity, which JSON cannot express.")
        return value
    raise InvalidInput(f"The data holds a {type(value).__name__}, which is not JSON.")

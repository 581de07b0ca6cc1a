"""Public ids: `<prefix>_<base36 milliseconds>_<12 hex>`, sortable by time within a prefix."""

from __future__ import annotations

import hashlib
import uuid
from datetime import datetime

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number: int) -> str:
    """Write a non-negative integer in base 36, lower case.

    >>> base36(35), base36(36)
    ('z', '10')
    """
    if number < 0:
        raise ValueError("base36 takes a non-negative integer")
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
        if not number:
            return digits


def new_id(prefix: str, now: datetime) -> str:
    """A fresh id of the time `now`; two calls never give the same one."""
    return f"{prefix}_{base36(int(now.timestamp() * 1000))}_{uuid.uuid4().hex[:12]}"


def fingerprint_id(prefix: str, text: str) -> str:
    """The id that equal text always gets: the first 16 hex digits of its SHA-256."""
    return f"{prefix}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"

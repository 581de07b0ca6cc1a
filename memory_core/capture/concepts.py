"""Concepts without a model: error codes and names, packages, and the identifiers that a text speaks of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from memory_core.domain.tunables_capture import (
    CONCEPT_LENGTH,
    CONCEPT_LIMIT,
    CONCEPT_SCAN,
)

_ERROR_NAME = re.compile(r"\b[A-Z][A-Za-z0-9]{2,60}(?:Error|Exception|Warning)\b")
_ERROR_CODE = re.compile(
    r"\b(?:ERR_[A-Z0-9_]{2,60}|E(?:NOENT|ACCES|PERM|EXIST|ADDRINUSE|CONNREFUSED|CONNRESET|TIMEDOUT|PIPE|ISDIR|NOTDIR|MFILE)"
    r"|E0[0-9]{3}|TS[0-9]{4}|CS[0-9]{4}|ORA-[0-9]{5}|SQLSTATE [0-9A-Z]{5}|CVE-[0-9]{4}-[0-9]{4,7})\b"
)
_PACKAGE = re.compile(
    r"\b(?:pip|pip3|uv pip|uv|poetry|npm|pnpm|yarn|bun|cargo|gem|go|brew|apt|apt-get)[ \t](?:install|add|get|i)[ \t]"
    r"(?P<installed>[^\r\n;&|]{1,200})"
    r"|^[ \t]{0,32}(?:from[ \t](?P<origin>[A-Za-z_][\w.]{1,60})[ \t]import\b|import[ \t](?P<module>[A-Za-z_][\w.]{1,60}))"
    r"|\bfrom[ \t]['\"](?P<imported>@?[a-z][\w./-]{1,60})['\"]|\brequire\(['\"](?P<required>@?[a-z][\w./-]{1,60})['\"]\)",
    re.MULTILINE | re.ASCII,
)
_PACKAGE_NAME = re.compile(
    r"(?P<name>@?[A-Za-z][\w./-]{1,60}+)(?:\[[\w,]{1,40}\])?(?:[@=<>~^!][^\s]{0,40})?",
    re.ASCII,
)
_IDENTIFIER = re.compile(r"(?<![\w/.-])[A-Za-z_]\w{3,62}(?![\w-])", re.ASCII)
_JOINED = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z][A-Z]|[A-Z]_[A-Z]|[A-Z]{2,}[a-z]")


def concepts(texts: Iterable[str]) -> tuple[str, ...]:
    """At most CONCEPT_LIMIT names as they are spelled, surest first: errors, then packages, then identifiers.

    An identifier is a word that people write only for code: snake_case, camelCase, CONSTANT_CASE. Identifiers come by
    how often they occur, then by first occurrence. Only CONCEPT_SCAN characters of each text are read.

    >>> concepts(["pip install httpx; parse_config raised KeyError in parse_config"])
    ('KeyError', 'httpx', 'parse_config')
    """
    read = [text[:CONCEPT_SCAN] for text in texts]
    errors = [name for text in read for pattern in (_ERROR_NAME, _ERROR_CODE) for name in pattern.findall(text)]
    packages = [name for text in read for match in _PACKAGE.finditer(text) for name in _packages(match)]
    counted = Counter(
        word for text in read for word in _IDENTIFIER.findall(text) if _JOINED.search(word) and not _encoded(word)
    )
    identifiers = [word for word, _ in counted.most_common(3 * CONCEPT_LIMIT)]
    distinct: dict[str, str] = {}
    for name in errors + packages + identifiers:
        distinct.setdefault(name.lower(), name)
    return tuple(name for name in distinct.values() if len(name) <= CONCEPT_LENGTH)[:CONCEPT_LIMIT]


def _packages(match: re.Match[str]) -> list[str]:
    if not match["installed"]:
        name = match["origin"] or match["module"] or match["imported"] or match["required"]
        return [name.split(".")[0]] if match["origin"] or match["module"] else [name]
    names = (_PACKAGE_NAME.fullmatch(word) for word in match["installed"].split())
    return [name["name"] for name in names if name and not name["name"].endswith((".txt", "/"))]


def _encoded(word: str) -> bool:
    """Whether the word is a digest or random text rather than a name: digits among its letters again and again."""
    changes = sum(a.isdigit() != b.isdigit() for a, b in pairwise(word))
    return changes > 4

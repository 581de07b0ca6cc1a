"""Concepts without a model: error codes and names, packages, and the identifiers that a text speaks of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from memory_core.capture.harmless import without_markers
from memory_core.domain.tunables_capture import (
    CONCEPT_LENGTH,
    CONCEPT_LIMIT,
    CONCEPT_SCAN,
)

_ERROR_NAME = re.compile(r"[A-Z][A-Za-z0-9]{2,60}(?:Error|Exception|Warning)")
_ERROR_CODE = re.compile(
    r"ERR_[A-Z0-9_]{2,60}|E(?:NOENT|ACCES|PERM|EXIST|ADDRINUSE|CONNREFUSED|CONNRESET|TIMEDOUT|PIPE|ISDIR|NOTDIR|MFILE)"
    r"|E0[0-9]{3}|TS[0-9]{4}|CS[0-9]{4}|ORA-[0-9]{5}|CVE-[0-9]{4}-[0-9]{4,7}"
)
_INSTALLED = re.compile(
    r"\b(?:pip|pip3|uv|poetry|npm|pnpm|yarn|bun|cargo|gem|go|brew|apt|apt-get)[ \t](?:install|add|get|i)[ \t]"
    r"(?P<names>[^\r\n;&|]{1,200})"
)
_IMPORTED = re.compile(r"^[ \t]{0,32}(?:from|import)[ \t](?P<module>[A-Za-z_]\w{1,60})", re.MULTILINE | re.ASCII)
_REQUIRED = re.compile(r"\b(?:from[ \t]|require\()['\"](?P<name>@?[a-z][\w./-]{1,60})['\"]", re.ASCII)
_PACKAGE_NAME = re.compile(
    r"(?P<name>@?[A-Za-z][\w./-]{1,60}+)(?:\[[\w,]{1,40}\])?(?:[@=<>~^!][^\s]{0,40})?",
    re.ASCII,
)
_TOKEN = re.compile(r"[A-Za-z0-9_/.-]{4,}+")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w{3,62}", re.ASCII)
_JOINED = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z][A-Z]|[A-Z]_[A-Z]|[A-Z]{2,}[a-z]")


def concepts(texts: Iterable[str]) -> tuple[str, ...]:
    """At most CONCEPT_LIMIT names as they are spelled, surest first: errors, then packages, then identifiers.

    An identifier is a word that people write only for code: snake_case, camelCase, CONSTANT_CASE. Identifiers come by
    how often they occur, then by first occurrence. Only CONCEPT_SCAN characters of each text are read.

    >>> concepts(["pip install httpx; parse_config raised KeyError in parse_config"])
    ('KeyError', 'httpx', 'parse_config')
    """
    read = [without_markers(text[:CONCEPT_SCAN]) for text in texts]
    tokens = Counter(token for text in read for token in _TOKEN.findall(text))
    parts = [(part, count) for token, count in tokens.items() for part in _parts(token)]
    errors = [part for part, _ in parts if _ERROR_NAME.fullmatch(part) or _ERROR_CODE.fullmatch(part)]
    packages = [name for text in read for name in _packages(text)]
    identifiers: Counter[str] = Counter()
    for part, count in parts:
        if _JOINED.search(part) and _IDENTIFIER.fullmatch(part) and not _encoded(part):
            identifiers[part] += count
    distinct: dict[str, str] = {}
    for name in [*errors, *packages, *(word for word, _ in identifiers.most_common(3 * CONCEPT_LIMIT))]:
        distinct.setdefault(name.lower(), name)
    return tuple(name for name in distinct.values() if len(name) <= CONCEPT_LENGTH)[:CONCEPT_LIMIT]


def _parts(token: str) -> list[str]:
    """A dotted name's parts; a path and a kebab word are one part, in which no identifier is looked for."""
    token = token.strip("./-")
    return [token] if "/" in token or "-" in token else token.split(".")


def _packages(text: str) -> list[str]:
    """Packages that the text installs, imports or requires; each pattern runs only where its words occur."""
    found: list[str] = []
    if any(word in text for word in (" install ", " add ", " get ", " i ")):
        for match in _INSTALLED.finditer(text):
            names = (_PACKAGE_NAME.fullmatch(word) for word in match["names"].split())
            found += [name["name"] for name in names if name and not name["name"].endswith((".txt", "/"))]
    if "import " in text:
        found += [match["module"] for match in _IMPORTED.finditer(text)]
    if any(word in text for word in ("from '", 'from "', "require(")):
        found += [match["name"] for match in _REQUIRED.finditer(text)]
    return found


def _encoded(word: str) -> bool:
    """Whether the word is a digest or random text rather than a name: digits among its letters again and again."""
    changes = sum(a.isdigit() != b.isdigit() for a, b in pairwise(word))
    return changes > 4

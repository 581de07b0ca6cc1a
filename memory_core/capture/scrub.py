"""Take secrets and private blocks out of text and JSON before anything is stored.

`<private>...</private>` becomes `[REDACTED]`, a secret becomes `[REDACTED_SECRET]`. JSON is scrubbed string by string,
keys too, so a redaction never breaks it. A pass is repeated until it finds nothing more, and what still changes after
MAX_SCRUB_PASSES is redacted whole; so scrubbing twice is scrubbing once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from memory_core.capture.catalogue import Catalogue
from memory_core.capture.harmless import (
    MARKERS,
    is_path,
    is_placeholder,
    without_markers,
)
from memory_core.capture.secret_rules import Rule, Span, rules_for, sensitive_key
from memory_core.capture.tree import rewrite
from memory_core.domain.events import Json
from memory_core.domain.tunables_capture import MAX_SCRUB_PASSES, MIN_SENSITIVE_VALUE

SECRET_MARKER, PRIVATE_MARKER = MARKERS

_PRIVATE_TAG = re.compile(r"<(?P<close>/?)private\s{0,8}>", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"[^\W_]")


class Scrubbed(NamedTuple):
    """A scrubbed text and how often each rule redacted something."""

    text: str
    counts: dict[str, int]


class ScrubbedJson(NamedTuple):
    """A scrubbed value and how often each rule redacted something."""

    value: Json
    counts: dict[str, int]


class Scrubber:
    """Scrubs texts and JSON; has no state beyond its catalogue, so threads may share it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def warm(self) -> None:
        """Load the catalogue before the first event needs it."""
        self._catalogue.warm()

    def text(self, text: str) -> Scrubbed:
        """The text without secrets. Linear in its length."""
        value, counts = self.json(text)
        return Scrubbed(value if isinstance(value, str) else SECRET_MARKER, counts)

    def json(self, value: Any) -> ScrubbedJson:
        """The value without secrets; the same object when it holds none."""
        counts: Counter[str] = Counter()
        for _ in range(MAX_SCRUB_PASSES):
            scrubbed = _Pass(value, self._catalogue).result(counts)
            if scrubbed is value:
                return ScrubbedJson(value, dict(counts))
            value = scrubbed
        counts["unstable"] += 1
        return ScrubbedJson(SECRET_MARKER, dict(counts))


class _Pass:
    """One look at one value: its strings are laid out as one document, which is checked once for every rule."""

    def __init__(self, value: Any, catalogue: Catalogue) -> None:
        self._value = value
        self._starts: list[int] = []
        self._strings: list[str] = []
        self._sensitive = False
        self._document = self._lay_out()
        self._catalogue = catalogue

    def result(self, counts: Counter[str]) -> Json:
        """The scrubbed value, or the very same object when nothing was found."""
        replaced = self._replacements(counts)
        if not replaced and not self._sensitive:
            unchanged: Json = self._value
            return unchanged

        def leaf(node: Any, key: str | None) -> Json:
            if not isinstance(node, str):
                kept: Json = node
                return kept
            text = replaced.get(node, node)
            if key is not None and _is_exposed(key, text):
                counts["sensitive_key"] += 1
                return SECRET_MARKER
            return text

        return rewrite(self._value, leaf, lambda key: replaced.get(key, key))

    def _lay_out(self) -> str:
        """`key: value` lines, the way the catalogue's rules expect a name beside a secret."""
        parts: list[str] = []
        position = 0

        def add(text: str, separator: str) -> None:
            nonlocal position
            self._starts.append(position)
            self._strings.append(text)
            parts.append(text)
            parts.append(separator)
            position += len(text) + len(separator)

        stack: list[Any] = [self._value]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                add(node, "\n")
            elif isinstance(node, dict):
                for key, child in node.items():
                    if isinstance(child, str):
                        add(key, ": ")
                        add(child, "\n")
                        self._sensitive = self._sensitive or _is_exposed(key, child)
                    else:
                        add(key, "\n")
                        stack.append(child)
            elif isinstance(node, list):
                stack.extend(reversed(node))
        return "".join(parts)

    def _replacements(self, counts: Counter[str]) -> dict[str, str]:
        """The strings that change and what they become."""
        lower = self._document.lower()
        rules = rules_for(lower)
        private = "<private" in lower
        secrets = self._catalogue_spans(counts)
        if not (rules or private or secrets):
            return {}
        replaced: dict[str, str] = {}
        for text in set(self._strings):
            scrubbed = _without_private(text, counts) if private else text
            if scrubbed == text:
                spans = secrets.get(text, []) + _rule_spans(text, rules, counts)
                scrubbed = _redact(text, spans)
            if scrubbed != text:
                replaced[text] = scrubbed
        return replaced

    def _catalogue_spans(self, counts: Counter[str]) -> dict[str, list[Span]]:
        """What the catalogue found, by the string it lies in; a finding across strings counts in each of them."""
        spans: dict[str, list[Span]] = {}
        for hit in self._catalogue.find(self._document):
            index = bisect_right(self._starts, hit.start) - 1
            while index < len(self._starts) and self._starts[index] < hit.end:
                text, offset = self._strings[index], self._starts[index]
                span = max(0, hit.start - offset), min(len(text), hit.end - offset)
                if _holds_secret(text, span):
                    spans.setdefault(text, []).append(span)
                    counts[hit.rule] += 1
                index += 1
        return spans


def _is_exposed(key: str, text: str) -> bool:
    """Whether the text is a secret by the name of its key."""
    if len(text) < MIN_SENSITIVE_VALUE or not sensitive_key(key):
        return False
    bare = without_markers(text)
    if len(bare.strip()) < MIN_SENSITIVE_VALUE or is_placeholder(bare) or is_path(bare):
        return False
    name = key.lower()
    if "authorization" in name or "cookie" in name:
        return True
    prose = any(character.isspace() for character in bare.strip())
    return not prose and not (name.endswith("token") and bare.isalpha())


def _rule_spans(text: str, rules: Iterable[Rule], counts: Counter[str]) -> list[Span]:
    spans: list[Span] = []
    for rule in rules:
        for span in rule.spans(text):
            if _holds_secret(text, span):
                spans.append(span)
                counts[rule.name] += 1
    return spans


def _holds_secret(text: str, span: Span) -> bool:
    """Whether more than marks of earlier redactions lies in the span."""
    return _WORD.search(without_markers(text[span[0] : span[1]])) is not None


def _redact(text: str, spans: list[Span]) -> str:
    """The text with every span replaced; spans that overlap become one mark."""
    parts: list[str] = []
    kept = 0
    opened: Span | None = None
    for start, end in sorted(spans):
        if opened is not None and start < opened[1]:
            opened = opened[0], max(opened[1], end)
            continue
        if opened is not None:
            parts += (text[kept : opened[0]], SECRET_MARKER)
            kept = opened[1]
        opened = start, end
    if opened is not None:
        parts += (text[kept : opened[0]], SECRET_MARKER)
        kept = opened[1]
    return "".join(parts) + text[kept:]


def _without_private(text: str, counts: Counter[str]) -> str:
    """The text with each outermost private block replaced; a block that never closes goes to the end."""
    parts: list[str] = []
    kept = depth = 0
    for tag in _PRIVATE_TAG.finditer(text):
        if not tag["close"]:
            if depth == 0:
                parts += (text[kept : tag.start()], PRIVATE_MARKER)
                counts["private_block"] += 1
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                kept = tag.end()
    if not parts:
        return text
    return "".join(parts) + ("" if depth else text[kept:])

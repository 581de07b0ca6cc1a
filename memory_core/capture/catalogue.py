"""The catalogue of secrets' shapes that others maintain, behind a port: Kingfisher, offline and in process."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kingfisher_sdk import Scanner


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret at `start:end` of the scanned text, in characters, and the rule that knows it."""

    rule: str
    start: int
    end: int


class Catalogue(Protocol):
    """Finds secrets in a text. Safe to call from several threads."""

    def warm(self) -> None:
        """Load what the first `find` would load."""

    def find(self, text: str) -> list[Hit]:
        """Every secret, by rising start; spans may overlap."""


class NoCatalogue:
    """Knows no secret; for tests of the scrubber's own rules."""

    def warm(self) -> None:
        """Nothing to load."""

    def find(self, text: str) -> list[Hit]:
        """No hit in any text."""
        return []


class KingfisherCatalogue:
    """Kingfisher's 488 rules. It only reads: credentials are never validated or revoked.

    Measured on two shared cores: the first load on a machine compiles for 5 s and caches 2.4 MB under `cache_dir`
    (default: the user's cache folder), later loads take 0.4 s; a process grows by 45 MB; a 2 KB payload takes 30 us.
    So it is loaded lazily, once a process, and a web process can warm it in a thread at its start.
    """

    def __init__(self, cache_dir: Path | None = None) -> None:
        self._cache_dir = cache_dir
        self._scanner: Scanner | None = None
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Compile the rules or load them from the cache; a second call returns at once."""
        self._loaded()

    def find(self, text: str) -> list[Hit]:
        """Visible findings, base64-encoded ones included; the span of those is the encoded text."""
        if not text:
            return []
        data = _scannable(text)
        found = [f for f in self._loaded().scan(data) if f.visible]
        spans = sorted((f.location["start_offset"], f.location["end_offset"], f.rule_id) for f in found)
        if len(data) == len(text):
            return [Hit(rule, start, end) for start, end, rule in spans]
        return _in_characters(data, spans)

    def _loaded(self) -> Scanner:
        scanner = self._scanner
        if scanner is None:
            with self._lock:
                scanner = self._scanner
                if scanner is None:
                    # Imported here: 10 MB that a process without capture need not pay for.
                    from kingfisher_sdk import Rules, Scanner

                    scanner = Scanner(Rules(confidence="low", cache_dir=self._cache_dir))
                    self._scanner = scanner
        return scanner


def _scannable(text: str) -> bytes:
    """UTF-8 with one character for each of the text's, without what could be taken for UTF-16 or for binary."""
    return text.replace("\0", " ").replace("\ufeff", " ").encode("utf-8", "replace")


def _in_characters(data: bytes, spans: list[tuple[int, int, str]]) -> list[Hit]:
    """Byte offsets as character offsets, reading the data once."""
    characters: dict[int, int] = {}
    at = count = 0
    for border in sorted({offset for start, end, _ in spans for offset in (start, end)}):
        whole = border
        while whole < len(data) and data[whole] & 0xC0 == 0x80:  # inside a character: take all of it
            whole += 1
        count += len(data[at:whole].decode())
        at = whole
        characters[border] = count
    return [Hit(rule, characters[start], characters[end]) for start, end, rule in spans]

"""What could not be read as it should have been: kept, bounded, never silent."""

from __future__ import annotations

from collections import Counter

from memory_core.domain.tunables_transcripts import MAX_PROBLEMS


class Problems:
    """Sentences for the reader of an import report.

    `note` keeps a sentence that names one place, `count` counts a sentence that may come often.
    """

    def __init__(self, limit: int = MAX_PROBLEMS) -> None:
        self._limit = limit
        self._notes: list[str] = []
        self._dropped = 0
        self._counts: Counter[str] = Counter()

    def note(self, text: str) -> None:
        """Keep one sentence; beyond the limit it is only counted."""
        if len(self._notes) < self._limit:
            self._notes.append(text)
        else:
            self._dropped += 1

    def count(self, text: str) -> None:
        """Count one more occurrence of `text`."""
        if text in self._counts or len(self._counts) < self._limit:
            self._counts[text] += 1
        else:
            self._dropped += 1

    def listed(self) -> list[str]:
        """Every problem so far: sentences in order of appearance, then the counted ones with their number."""
        counted = [f"{text} ({n} times)" if n > 1 else text for text, n in self._counts.items()]
        dropped = [f"{self._dropped} more problems are not listed"] if self._dropped else []
        return [*self._notes, *counted, *dropped]

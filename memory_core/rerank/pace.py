"""Whether a model keeps up: after slow runs, or a failed one, it rests for a while."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean


@dataclass(slots=True)
class Pace:
    """`runs`: how many of the last runs count; `budget`: seconds they may take in the mean; `rest`: seconds without any.

    `now` is seconds of any clock that only goes forward.
    """

    runs: int
    budget: float
    rest: float
    _last: list[float] = field(default_factory=list)
    _until: float = float("-inf")
    _why: str = ""

    def resting(self, now: float) -> str:
        """Why it rests, in words; empty when it may run."""
        return self._why if now < self._until else ""

    def ran(self, seconds: float, now: float) -> None:
        """Take in how long a run took; the mean counts as soon as there are `runs` of them."""
        self._last = [*self._last, seconds][-self.runs :]
        if len(self._last) == self.runs and (mean := fmean(self._last)) > self.budget:
            self.stop(f"it took {mean:.1f} s for a question, more than {self.budget:g} s", now)

    def stop(self, why: str, now: float) -> None:
        """Rest from now on; the runs so far are forgotten, so that it starts afresh afterwards."""
        self._last, self._until, self._why = [], now + self.rest, why

"""The connection: checked before it is used again, but not within HEALTH_CHECK_SECONDS of the last good answer.

Django asks the server `SELECT 1` at every request's first query of a connection that stays open. A connection that
answered a moment ago answers now; one that died in between costs one request a 503, and is replaced at its end.
"""

from __future__ import annotations

import time
from typing import Any

from django.db.backends.postgresql import base

HEALTH_CHECK_SECONDS = 1.0
"""How long a connection that answered is taken to be alive; unit: seconds."""


class DatabaseWrapper(base.DatabaseWrapper):
    """Postgres as Django knows it; `is_usable` remembers its last good answer for a moment."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._answered_at = float("-inf")

    def connect(self) -> None:
        """Open the connection; a fresh one has just answered."""
        super().connect()
        self._answered_at = time.monotonic()

    def is_usable(self) -> bool:
        """Whether the server answers; after an error it is always asked."""
        if not self.errors_occurred and time.monotonic() - self._answered_at < HEALTH_CHECK_SECONDS:
            return True
        usable = super().is_usable()
        if usable:
            self._answered_at = time.monotonic()
        return usable

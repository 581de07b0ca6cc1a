"""What goes to the database, below every layer of ours: listened to, or cut off at one statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

_ENDS_A_TRANSACTION = ("ROLLBACK", "RELEASE", "COMMIT")


@contextmanager
def listening(cut_at: int | None = None) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are run meanwhile, with their parameters; the `cut_at`-th, from 1, fails as a cut connection
    does. What ends a transaction is not listed and gets through. Psycopg's own cursors are heard, too, which Django's
    `execute_wrapper` does not hear."""
    heard: list[tuple[str, Any]] = []
    execute = psycopg.Cursor.execute

    def listen(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
        if isinstance(query, str) and not query.startswith(_ENDS_A_TRANSACTION):
            heard.append((query, params))
            if len(heard) == cut_at:
                raise psycopg.OperationalError("the connection was cut")
        return execute(self, query, params, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", listen)
        yield heard

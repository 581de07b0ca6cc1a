"""`everlore worker`."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from memory_core.domain.errors import WidthMismatch


class Command(BaseCommand):
    """Embed what waits, as it comes."""

    help = "Run one embedding worker (`everlore up` runs one; more may run beside it, on any machine)."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own name and type

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until stopped; exit status 2 when the stored vectors are another model's."""
        from workers.embedding_worker import main

        try:
            main()
        except WidthMismatch as problem:
            self.stderr.write(str(problem))
            sys.exit(2)

"""`everlore jobs`."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, connections
from django.utils.translation import gettext as _


class Command(BaseCommand):
    """Run the regular jobs."""

    help = "Run the regular jobs: forgetting, sweeping, trimming (`everlore up` runs them)."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own name and type

    def add_arguments(self, parser: CommandParser) -> None:
        """`--list` shows the table."""
        parser.add_argument("--list", action="store_true", help="Show the table of jobs and run none.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the schedules equal to the table, then run the cluster until stopped."""
        from workers.schedules import TABLE, synchronise

        if options["list"]:
            for row in TABLE:
                self.stdout.write(f"{row.name:<24} {row.minutes:>5} min  {_(row.meaning)}")
            return
        try:
            synchronise()
        except OperationalError as problem:
            self.stderr.write(_("The database does not answer: {problem}").format(problem=str(problem).splitlines()[0]))
            sys.exit(1)
        connections.close_all()  # the cluster forks: each of its processes opens its own
        from django_q.cluster import Cluster

        Cluster().start()

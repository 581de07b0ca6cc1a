"""`everlore up`."""

from __future__ import annotations

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _


class Command(BaseCommand):
    """Start the database, the server and the workers, and keep them running."""

    help = "Start everything: database, server, embedding worker, regular jobs. Ctrl-C stops it."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own name and type

    def add_arguments(self, parser: CommandParser) -> None:
        """The flags --port, --host and --data-dir were put in the environment before the settings were read."""
        parser.add_argument("--port", help="Port to listen on, like EVERLORE_PORT.")
        parser.add_argument("--host", help="Address to listen on, like EVERLORE_HOST.")
        parser.add_argument("--data-dir", help="Where everything is kept, like EVERLORE_DATA_DIR.")
        parser.add_argument("--no-jobs", action="store_true", help="Leave the regular jobs to another instance.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until stopped."""
        if sys.platform == "win32":
            raise CommandError(_("`everlore up` needs Linux, macOS or WSL."))
        from workers.run import up

        sys.exit(up(dict(settings.EVERLORE), with_jobs=not options["no_jobs"]))

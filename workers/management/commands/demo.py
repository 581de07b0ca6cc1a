"""`everlore demo`."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import IO, Any, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError
from django.utils.translation import gettext as _
from rich.console import Console

from memory_core.domain.errors import EverloreError
from workers import start
from workers.demo import data, show
from workers.demo.doors import DirectDoor, Door, HttpDoor


class Command(BaseCommand):
    """Show what Everlore does."""

    help = "Load three small sessions and ask them questions whose words they do not have."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own name and type

    def add_arguments(self, parser: CommandParser) -> None:
        """`--remove` takes it away again."""
        parser.add_argument("--remove", action="store_true", help="Forget the demo's sessions.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status 1 when something stands in the way."""
        console = Console(file=cast("IO[str]", self.stdout), width=None if sys.stdout.isatty() else 120)
        values = settings.EVERLORE
        runs = start.live(values["EVERLORE_HOST"], values["EVERLORE_PORT"]) is not None
        around: AbstractContextManager[None] = nullcontext() if runs else start.running_database()
        door: Door = HttpDoor() if runs else DirectDoor()
        try:
            with around:
                if options["remove"]:
                    self._remove(door, console)
                else:
                    self._show(door, console, runs=runs)
        except (EverloreError, DatabaseError) as problem:
            self.stderr.write(str(problem))
            sys.exit(1)

    def _remove(self, door: Door, console: Console) -> None:
        gone = sum(door.forget(session) for session in data.sessions())
        console.print(_("The demo is removed ({count} records).").format(count=gone))

    def _show(self, door: Door, console: Console, *, runs: bool) -> None:
        if not runs:
            console.print(_("No server answers; working on the database directly."))
        show.load(door, console)
        show.wait_for_vectors(door, console)
        show.say_when_words_only(show.ask(door, console), console)
        show.show_isolation(door, console)
        console.print(_("`everlore demo --remove` takes it away again."))

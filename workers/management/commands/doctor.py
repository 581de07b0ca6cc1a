"""`everlore doctor`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from memory_core.domain.errors import EverloreError
from workers import doctor

COLOURS = {doctor.OK: "green", doctor.WARN: "yellow", doctor.FAIL: "red"}


class Command(BaseCommand):
    """Check everything and say what to do."""

    help = "Check everything and say what to do."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own name and type

    def add_arguments(self, parser: CommandParser) -> None:
        """`--json` for programs, `--fix` for repairs."""
        parser.add_argument("--json", action="store_true", help="Answer in JSON.")
        parser.add_argument("--fix", action="store_true", help="Repair what is safe to repair, then check.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status 1 when something fails, else 0; a warning is no failure."""
        try:
            fixed = doctor.fix() if options["fix"] else []
        except EverloreError as problem:
            fixed = [str(problem)]
        found = doctor.examine()
        if options["json"]:
            rows = [{"check": name, **asdict(finding)} for name, finding in found]
            self.stdout.write(json.dumps({"fixed": fixed, "checks": rows}, ensure_ascii=False, indent=2))
        else:
            self._show(found, fixed)
        sys.exit(1 if any(finding.level == doctor.FAIL for _name, finding in found) else 0)

    def _show(self, found: list[tuple[str, doctor.Finding]], fixed: list[str]) -> None:
        console = Console(file=cast("IO[str]", self.stdout), width=None if sys.stdout.isatty() else 120)
        for line in fixed:
            console.print(escape(line))
        table = Table(box=box.ROUNDED if console.is_terminal else box.ASCII)
        for heading, ratio in ((_("Check"), 2), ("", 1), (_("Found"), 4), (_("What to do"), 5)):
            table.add_column(heading, ratio=ratio, overflow="fold")
        for name, finding in found:
            level = f"[{COLOURS[finding.level]}]{finding.level}[/]"
            table.add_row(escape(_(name)), level, escape(finding.found), escape(finding.advice))
        console.print(table)

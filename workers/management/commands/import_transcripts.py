"""`everlore import-transcripts [PATH]`: take in what agents did before Everlore was there."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.domain.tunables_transcripts import DEFAULT_MAX_FILES, MAX_FILES_UPPER_BOUND
from memory_core.flows.transcripts import FileReport, ImportReport, Progress, import_path
from workers.start import running_database

SHOWN_PROBLEMS = 3
"""Problems printed per file; all of them are in the answer of --json."""


class Command(BaseCommand):
    """Imports a transcript, a folder of them, or every one in the agents' usual places."""

    help = (
        "Import session transcripts of Claude Code, Codex, Copilot CLI and Gemini CLI. Without PATH: those in ~/.claude, "
        "~/.codex, ~/.copilot and ~/.gemini. Importing again stores only what is new."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", nargs="?", type=Path, help="a transcript or a folder")
        parser.add_argument(
            "--max-files",
            type=int,
            default=DEFAULT_MAX_FILES,
            help=f"import at most so many files, 1 to {MAX_FILES_UPPER_BOUND} (default {DEFAULT_MAX_FILES})",
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = Console(stderr=True, quiet=options["json"] or options["verbosity"] == 0)
        try:
            with running_database():
                report = _import(options["path"], options["max_files"], quiet)
        except (InvalidInput, NotFound) as problem:
            raise CommandError(str(problem)) from problem
        if options["json"]:
            self.stdout.write(json.dumps(as_json(report), ensure_ascii=False, indent=2))
        else:
            self.stdout.write(_as_text(report, colours=self.stdout.isatty()))
        if not report.read:
            raise CommandError("nothing could be read" if report.files else "there are no transcripts here")


def _import(path: Path | None, max_files: int, console: Console) -> ImportReport:
    columns = (
        TextColumn("{task.fields[name]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[stored]} stored, {task.fields[problems]} problems"),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task: TaskID = bar.add_task("import", total=None, name="", stored=0, problems=0)

        def show(step: Progress) -> None:
            bar.update(
                task,
                completed=step.done,
                total=step.total,
                name=step.path.name[-40:].replace("[", "("),
                stored=step.stored,
                problems=step.problems,
            )

        return import_path(path, clock=timezone.now, max_files=max_files, progress=show)


def as_json(report: ImportReport) -> dict[str, Any]:
    """The report as JSON, file by file."""
    return {
        "files": [
            {
                "path": str(file.path),
                "sessions": list(file.sessions),
                "stored": file.stored,
                "duplicates": file.duplicates,
                "skipped": file.skipped,
                "problems": file.problems,
            }
            for file in report.files
        ],
        "sessions": len(report.sessions),
        "stored": report.stored,
        "duplicates": report.duplicates,
        "skipped": report.skipped,
        "truncated": report.truncated,
        "traversal_capped": report.traversal_capped,
        "problems": report.problems,
    }


def _as_text(report: ImportReport, *, colours: bool) -> str:
    page = StringIO()
    console = Console(file=page, force_terminal=colours, width=Console().width, soft_wrap=True)
    table = Table("file", box=None, pad_edge=False)
    for figure in ("sessions", "stored", "known", "skipped", "problems"):
        table.add_column(figure, justify="right")
    for file in report.files:
        table.add_row(Text(file.path.name), *map(str, _figures(file)))
    total = (report.stored, report.duplicates, report.skipped, sum(len(file.problems) for file in report.files))
    table.add_section()
    table.add_row(f"{len(report.files)} files", str(len(report.sessions)), *map(str, total), style="bold")
    console.print(table)
    for file in report.files:
        for problem in file.problems[:SHOWN_PROBLEMS]:
            console.print(Text(f"{file.path.name}: {problem}"))
        if len(file.problems) > SHOWN_PROBLEMS:
            console.print(Text(f"{file.path.name}: {len(file.problems) - SHOWN_PROBLEMS} more, see --json"))
    for problem in report.problems:
        console.print(Text(problem))
    if report.truncated:
        console.print("There are more files: import again with a higher --max-files, or name a folder.")
    return page.getvalue()


def _figures(file: FileReport) -> tuple[int, ...]:
    return len(file.sessions), file.stored, file.duplicates, file.skipped, len(file.problems)

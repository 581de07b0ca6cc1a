"""`everlore reindex`: make the index anew from the records, while searches go on."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from memory_core.flows import embedding, reindex
from workers.start import running_database


class Command(BaseCommand):
    """Words in place, vectors in a new space that is made active when it is complete."""

    help = "Make the search index anew from the records: words, and vectors of the configured model."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--words", action="store_true", help="Only the words.")
        parser.add_argument("--vectors", action="store_true", help="Only the vectors.")
        parser.add_argument("--keep", action="store_true", help="Keep the vectors of other models.")
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        with running_database():
            self._reindex(**options)

    def _reindex(self, **options: Any) -> None:
        both = options["words"] == options["vectors"]
        embedder = embedding.embedder(settings.EVERLORE["EVERLORE_EMBEDDING_THREADS"], may_export=True)
        result: dict[str, Any] = {}
        with _bar(quiet=options["json"]) as bar:
            if both or options["words"]:
                task = bar.add_task(_("Words"), total=reindex.total(None).records)
                result["records"] = reindex.words(clock=timezone.now, progress=lambda n: bar.advance(task, n))
            if both or options["vectors"]:
                if embedder.available:
                    result.update(self._vectors(bar, embedder, keep=options["keep"]))
                elif options["vectors"]:
                    raise CommandError(embedder.reason)
                else:
                    result["degraded"] = embedder.reason
        self.stdout.write(json.dumps(result) if options["json"] else _("Done: {result}").format(result=result))

    def _vectors(self, bar: Progress, embedder: Any, *, keep: bool) -> dict[str, Any]:
        space = reindex.space_for(embedder)
        task = bar.add_task(_("Vectors"), total=reindex.total(space).vectors)

        def advance(count: int) -> None:
            bar.advance(task, count)

        done = reindex.vectors(space, embedder, clock=timezone.now, progress=advance)
        others = reindex.activate(space)
        done += reindex.vectors(space, embedder, clock=timezone.now, progress=advance)  # what came before the swap
        embedding.forget_space()
        if not keep:
            for other in others:
                reindex.delete_space(other)
        return {"vectors": done, "space": str(space), "deleted": [] if keep else [str(other) for other in others]}


def _bar(*, quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=quiet,
    )

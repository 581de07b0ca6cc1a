"""`everlore weights`: the learned weights of the streams, old and new, and the way back."""

from __future__ import annotations

import getpass
import json
from argparse import ArgumentParser
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from memory_core.domain.errors import NotFound
from memory_core.flows import fit_weights, weights
from workers.start import running_database


class Command(BaseCommand):
    """Show what was learned; fit now; go back; use an earlier fit."""

    help = "Show the learned weights of each project; --fit, --reset and --use change them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One change at a time."""
        parser.add_argument("--project", help="Only this project.")
        change = parser.add_mutually_exclusive_group()
        change.add_argument("--fit", action="store_true", help="Fit now; the old weights stay unless the new ones win.")
        change.add_argument("--reset", action="store_true", help="Go back to the configured votes of --project.")
        change.add_argument("--use", type=int, metavar="NUMBER", help="Use the new weights of this fit.")
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Change what is asked for, then show."""
        if options["reset"] and options["project"] is None:
            raise CommandError(_("--reset needs --project."))
        with running_database():
            try:
                self._change(**options)
            except NotFound as problem:
                raise CommandError(str(problem)) from problem
            self._show(options["project"], as_json=options["json"])

    def _change(self, **options: Any) -> None:
        now, project = timezone.now(), options["project"]
        if options["fit"]:
            for one in fit_weights.projects() if project is None else [project]:
                fit_weights.fit_project(one, now=now, random=np.random.default_rng(int(now.timestamp())))
        elif options["reset"]:
            weights.reset(project, user=_user(), now=now)
        elif options["use"] is not None:
            weights.choose(options["use"], user=_user(), now=now)

    def _show(self, project: str | None, *, as_json: bool) -> None:
        known = fit_weights.known_projects() if project is None else [project]
        found = {one: fit_weights.summary(one) for one in known}
        if as_json:
            self.stdout.write(json.dumps({"projects": found}, default=str))
            return
        if not found:
            self.stdout.write(_("Nothing was logged yet: a weight is learned from answers whose records are used."))
        for name, one in found.items():
            self.stdout.write(
                _(
                    "{project}: {answers} answers, {used} with a used record, {followed} followed by another question"
                ).format(project=name or _("(global)"), **one)
            )
            self.stdout.write("  " + _("in use: {weights}").format(weights=_words(one["in_use"])))
            for row in one["fits"]:
                self.stdout.write("  " + _line(row))


def _user() -> str:
    return f"shell:{getpass.getuser()}"


def _words(given: dict[str, float]) -> str:
    """Weights on one line; none are the configured votes."""
    return ", ".join(f"{stream} x{weight:g}" for stream, weight in sorted(given.items())) or _("the configured votes")


def _line(row: dict[str, Any]) -> str:
    scores = ""
    if row["old_score"] is not None:
        scores = _(
            "NDCG {old:.3f} to {new:.3f} on {held_out} of {questions} questions, gain at least {least:+.3f}"
        ).format(
            old=row["old_score"],
            new=row["new_score"],
            held_out=row["held_out"],
            questions=row["questions"],
            least=row["least_gain"],
        )
    mark = "*" if row["in_use"] else " "
    at = f"{row['number']:>5}  {row['fitted_at']:%Y-%m-%d %H:%M}"
    return f"{mark} {at}  {weights.WHY[row['outcome']]}: {_words(row['new'])}  {scores}"

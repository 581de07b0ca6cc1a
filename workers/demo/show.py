"""Load, wait, ask, and show it in a table."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from memory_core.domain import tunables_workers as tunables
from workers.demo import data
from workers.demo.doors import Answer, Door

_SHOWN = 88


def load(door: Door, console: Console) -> int:
    """Store every event of the demo; gives how many were new."""
    events = data.events()
    start = timezone.now() - timedelta(minutes=len(events))
    new = sum(door.store(event, start + timedelta(minutes=number)) for number, event in enumerate(events))
    console.print(
        _("{new} events of {sessions} sessions in two projects stored ({known} were there).").format(
            new=new, sessions=len(data.sessions()), known=len(events) - new
        )
    )
    return new


def wait_for_vectors(door: Door, console: Console) -> bool:
    """Wait until nothing waits for vectors any more, with a bar on a terminal; False when the time was up."""
    deadline = time.monotonic() + tunables.DEMO_WAIT_SECONDS
    most = left = door.waiting()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(_("Making vectors"), total=most)
        while left and time.monotonic() < deadline:
            time.sleep(tunables.DEMO_POLL_SECONDS)
            left = door.waiting()
            most = max(most, left)
            progress.update(task, total=most, completed=most - left)
    if left:
        console.print(
            _("{left} entries still wait for vectors: the answers below go by words for them.").format(left=left)
        )
    return not left


def ask(door: Door, console: Console) -> list[tuple[data.Question, Answer]]:
    """Ask every question and show what a keyword search and what Everlore finds."""
    table = Table(box=box.ROUNDED if console.is_terminal else box.ASCII, show_lines=True, safe_box=True)
    for heading, ratio in ((_("Question"), 3), (_("Keyword search finds"), 2), (_("Everlore finds"), 5)):
        table.add_column(heading, ratio=ratio, overflow="fold")
    answers = [(question, door.ask(question, 3)) for question in data.questions()]
    for question, answer in answers:
        grep = [_short(event.text) for event in data.keyword_hits(question)]
        own = [_short(hit.text or hit.title) for hit in answer.hits[:1]]
        asked = f"{escape(question.query)}\n[dim]{question.project}[/dim]"
        table.add_row(asked, escape(_or_nothing(grep)), escape(_or_nothing(own)))
    console.print(table)
    return answers


def show_isolation(door: Door, console: Console) -> bool:
    """Ask one project what only the other one knows; True when nothing of the other one came."""
    question, hidden = data.other_project()
    leaked = [hit for hit in door.ask(question, 10).hits if hit.project == hidden]
    words = _("{project} was asked: {query}. Hits from {hidden}: {count}.").format(
        project=question.project, query=question.query, hidden=hidden, count=len(leaked)
    )
    console.print(escape(words))
    return not leaked


def say_when_words_only(answers: Sequence[tuple[data.Question, Answer]], console: Console) -> None:
    """Say plainly when no vectors took part."""
    reasons = {answer.words_only for _question, answer in answers if answer.words_only}
    for reason in sorted(reasons):
        console.print(escape(_("These answers come from words alone: {reason}").format(reason=reason)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _or_nothing(found: Sequence[str]) -> str:
    return "\n".join(found) or _("nothing")

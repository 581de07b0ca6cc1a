"""`python -m benchmarks load`: drive a running server over HTTP and say how fast it is, what it costs, how large it is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.progress import Progress

from benchmarks import instance
from benchmarks.freshness import ROOT
from benchmarks.revision import commit

from . import report
from .measuring import Measurement, measure
from .requests import OPERATIONS
from .server import Server, cores, serve

HISTORY = ROOT / "benchmarks" / "history" / "load.jsonl"
STRIDE = 1_000_000
"""Distance between the request numbers of two measurements of a run, so that no request is sent twice."""


def numbers(text: str) -> list[int]:
    """A list of positive integers, sorted. Raises ArgumentTypeError (argparse's) for anything else.

    >>> numbers("1000,10")
    [10, 1000]
    """
    try:
        found = sorted({int(part) for part in text.split(",")})
    except ValueError as problem:
        raise argparse.ArgumentTypeError("write whole numbers, separated by commas") from problem
    if found[0] < 1:
        raise argparse.ArgumentTypeError("write numbers from 1")
    return found


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    options = argparse.ArgumentParser(prog="python -m benchmarks load", description=__doc__)
    options.add_argument(
        "--n", type=numbers, default=[1_000, 10_000], help="observations in the database, e.g. 1000,10000"
    )
    options.add_argument("--c", type=numbers, default=[1, 10], help="connections, e.g. 1,10")
    options.add_argument(
        "--url", help="a server that runs already; it is not seeded, and its processes are not measured"
    )
    options.add_argument("--secret", default="", help="the bearer token of that server")
    options.add_argument("--seconds", type=float, default=10.0, help="time of one measurement")
    options.add_argument("--embed", choices=("fake", "real"), default="fake", help="vectors of the seeded observations")
    options.add_argument("--keep", type=Path, default=instance.CACHE / "load", help="data directory, kept between runs")
    options.add_argument("--web", type=int, default=2, help="web processes")
    options.add_argument("--out", type=Path, default=HISTORY, help="JSON lines are appended to this file")
    options.add_argument("--page", type=Path, metavar="FOLDER", help="write load.md and its plots there")
    options.add_argument("--read", type=Path, metavar="FILE", help="measure nothing: take the JSON lines of a run")
    return options


def _measurements(
    chosen: argparse.Namespace, server: Server, corpus: int, between: Callable[[], None]
) -> Iterator[Measurement]:
    """Every operation at every number of connections, reads first; `between` runs before each."""
    number = 0
    for operation in OPERATIONS:
        for connections in chosen.c:
            between()
            yield measure(
                server,
                operation,
                corpus=corpus,
                connections=connections,
                seconds=chosen.seconds,
                first=number,
                secret=chosen.secret,
            )
            number += STRIDE


def main(arguments: Sequence[str]) -> int:
    """Run the command; what is measured is printed and appended as it comes."""
    chosen = parser().parse_args(arguments)
    when, at = datetime.now(UTC).isoformat(timespec="seconds"), commit(ROOT)
    found: list[Measurement] = []
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    print(report.HEAD, report.RULE, sep="\n", flush=True)
    for one in _read(chosen.read) if chosen.read else _run(chosen):
        found.append(one)
        print(report.table([one]).splitlines()[-1], flush=True)
        if not chosen.read:
            embed_with = "" if chosen.url else chosen.embed
            with chosen.out.open("a", encoding="utf-8") as file:
                file.write(report.line(one, when=when, commit=at, embed_with=embed_with) + "\n")
    print("\n" + report.sizes_table(found))
    if chosen.page:
        report.page(found, chosen.page)
    return 1 if any(one.errors for one in found) else 0


def _read(path: Path) -> Iterator[Measurement]:
    with path.open(encoding="utf-8") as file:
        yield from (report.read_line(text) for text in file if text.strip())


def _run(chosen: argparse.Namespace) -> Iterator[Measurement]:
    if chosen.url:
        address = urlsplit(chosen.url)
        server = Server(address.hostname or "localhost", address.port or 80)
        yield from _measurements(chosen, server, chosen.n[-1], lambda: None)
        return
    home = chosen.keep.resolve()
    with instance.database(home):
        for corpus in chosen.n:
            with _seeded(home, corpus, chosen) as server:
                yield from _measurements(chosen, server, corpus, _drop_backlog)


@contextmanager
def _seeded(home: Path, corpus: int, chosen: argparse.Namespace) -> Iterator[Server]:
    from django.db import connections

    from . import seeding

    instance.postgres("start", instance.environment(home))  # the server before this one has stopped it
    with Progress(console=Console(file=sys.stderr)) as progress:
        seeding.prepare(home, corpus, embed_with=chosen.embed, processes=cores(), progress=progress)
    with serve(home, web_processes=chosen.web) as server:
        yield server
        connections.close_all()


def _drop_backlog() -> None:
    """Forget what waits for vectors, so that no measurement pays for the one before it."""
    from memory_core.models import EmbeddingBacklog

    EmbeddingBacklog.objects.all().delete()

"""A corpus of a given size in the instance's database: by the product's flows, in several processes, kept as a template.

Events go through `flows.observe`, the function that the HTTP endpoint calls; only HTTP itself is left out. Their vectors
are either the model's, or (`fake`) sums of random vectors of their words: as many, as wide, as clustered by common words,
at a hundredth of the CPU. Questions are embedded by the real model in any case, so their cost is in every figure.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import re
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from pathlib import Path

import numpy as np
from django.core.management import call_command
from django.db import connection, connections
from django.utils import timezone
from numpy.typing import NDArray
from psycopg import sql
from rich.progress import Progress

from benchmarks import instance
from benchmarks.freshness import write_path_digest
from memory_core.domain.tunables_index import MOST_CHUNKS
from memory_core.flows import embed, embedding, link
from memory_core.flows.texts import texts
from memory_core.index import backlog, spaces, statistics
from memory_core.models import EmbeddingSpace
from memory_core.sql.index import drop_space_index

from . import content, filling

FAKE_CHUNK_CHARACTERS = 900
"""Characters of a fake vector's text: about what the model's 254 tokens are in this corpus."""

CLAIM = 1_000
"""Entries that get fake vectors at once."""

BUILD_MEMORY = "512MB"
"""maintenance_work_mem while the vector index is built: 100,000 vectors and their graph fit."""

_WORD = re.compile(r"\w+")


def template(count: int, embed_with: str) -> str:
    """The name of the database that holds a corpus of this size, made by this version."""
    digest = write_path_digest(also=("benchmarks/load/content.py", "benchmarks/load/seeding.py"))
    return f"seed_{count}_{embed_with}_{digest[:12]}"


def prepare(home: Path, count: int, *, embed_with: str, processes: int, progress: Progress) -> None:
    """Let the instance's database hold exactly the first `count` events; seeds of other versions are dropped."""
    name, suffix = template(count, embed_with), template(count, embed_with).partition("_")[2].partition("_")[2]
    with instance.administration(home) as server:
        rows = server.execute("SELECT datname FROM pg_database WHERE datname LIKE 'seed\\_%%'").fetchall()
        for (other,) in rows:
            if other.rpartition("_")[2] != name.rpartition("_")[2]:
                server.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(other)))
    sizes = [int(other.split("_")[1]) for (other,) in rows if other.endswith(suffix)]
    smaller = max((size for size in sizes if size <= count), default=0)
    _restore(home, template(smaller, embed_with) if smaller else None)
    if smaller == count:
        return
    _fill(smaller, count, processes, progress)
    _embed(embed_with, progress)
    _settle(progress)
    _keep(home, name)


def _restore(home: Path, name: str | None) -> None:
    """Make the instance's database anew, from a template or empty."""
    connections.close_all()
    with instance.administration(home) as server:
        server.execute(f"DROP DATABASE IF EXISTS {instance.DATABASE} WITH (FORCE)")
        copy = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        source = sql.Identifier(name) if name else sql.Identifier("template1")
        server.execute(copy.format(sql.Identifier(instance.DATABASE), source))
    call_command("migrate", verbosity=0)
    embedding.forget_space()
    statistics.forget_averages()


def _keep(home: Path, name: str) -> None:
    connections.close_all()
    with instance.administration(home) as server:
        renamed = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        server.execute(renamed.format(sql.Identifier(instance.DATABASE), sql.Identifier(name)))
    _restore(home, name)


def _fill(first: int, last: int, processes: int, progress: Progress) -> None:
    """Store the events in `processes` processes; a slice is one round of sessions, so that no two wait for a session."""
    step = content.SESSIONS_A_ROUND * content.SESSION_EVENTS
    bar = progress.add_task(f"observe {first:,} to {last:,}", total=last - first)
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=fresh, initializer=filling.start) as pool:
        slices = [(start, min(start + step, last)) for start in range(first, last, step)]
        running = {pool.submit(filling.store, *one): one for one in slices}
        for done in as_completed(running):
            start, end = running[done]
            if done.result() != end - start:
                raise RuntimeError(f"of the events {start} to {end} only {done.result()} were stored")
            progress.advance(bar, end - start)


def _embed(embed_with: str, progress: Progress) -> None:
    """Give every entry its vectors, the index on them built at the end."""
    model = embedding.embedder()
    space = spaces.guard(model)
    if space is None or not model.available:
        raise RuntimeError(f"there is no embedding model: {model.reason}")
    with connection.cursor() as cursor:
        cursor.execute(drop_space_index(space.pk))
        cursor.execute("SET synchronous_commit = off")
        cursor.execute(f"SET maintenance_work_mem = '{BUILD_MEMORY}'")
    bar = progress.add_task(f"vectors ({embed_with})", total=backlog.waiting()[0])
    while done := _fake_once(space) if embed_with == "fake" else embed.drain_once(space, model, timezone.now):
        progress.advance(bar, done)
    bar = progress.add_task("index the vectors", total=None)
    spaces.build_index(space)
    progress.update(bar, total=1, completed=1)


def _fake_once(space: EmbeddingSpace) -> int:
    claims = backlog.claim(timezone.now(), CLAIM)
    found = texts("observation", [one.object_id for one in claims])
    backlog.store(space, claims, [fake_vectors(found[one.object_id], space.dimensions) for one in claims])
    return len(claims)


def fake_vectors(text: str, dimensions: int) -> list[NDArray[np.float32]]:
    """One vector of length 1 for each piece of the text: the sum of its words' random vectors; always the same."""
    most = MOST_CHUNKS * FAKE_CHUNK_CHARACTERS
    pieces = [
        text[start : start + FAKE_CHUNK_CHARACTERS] for start in range(0, min(len(text), most), FAKE_CHUNK_CHARACTERS)
    ]
    return [_sum_of_words(piece, dimensions) for piece in pieces or [""]]


def _sum_of_words(text: str, dimensions: int) -> NDArray[np.float32]:
    words = _WORD.findall(text.lower()) or [""]
    total = np.zeros(dimensions, dtype=np.float32)
    for word in words:
        total += _word_vector(word, dimensions)
    return total / np.float32(np.linalg.norm(total))


@lru_cache(maxsize=content.VOCABULARY)
def _word_vector(word: str, dimensions: int) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(dimensions, dtype=np.float32)


def _settle(progress: Progress) -> None:
    """What the worker and autovacuum would have done by then: term statistics, graph, weights, planner statistics."""
    bar = progress.add_task("count terms", total=None)
    while done := statistics.count_pending():
        progress.advance(bar, done)
    while done := link.link_pending(timezone.now()):
        progress.advance(bar, done)
    statistics.forget_averages()
    while done := statistics.reweigh_drifted():
        progress.advance(bar, done)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    progress.update(bar, total=1, completed=1)

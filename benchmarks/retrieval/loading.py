"""Sets into the product by its own write path: observe, embed, count; what is there already is kept."""

from __future__ import annotations

from pathlib import Path

from django.db import connection
from django.utils import timezone
from rich.progress import Progress

from benchmarks.freshness import write_path_digest
from memory_core.flows import embed, embedding, link
from memory_core.flows.observe import observe
from memory_core.index import backlog, spaces, statistics
from memory_core.models import EmbeddingSpace, Observation

from .events import event, event_id
from .sets import RetrievalSet

KEPT_TABLES = frozenset({"memory_core_embeddingspace", "memory_core_embeddingcache"})
"""Tables that a reload keeps: vectors depend on the text alone, and cost most of the loading time."""


def forget_if_stale(home: Path) -> bool:
    """Empty the database when the write path has changed since it was loaded; says whether it did."""
    mark, digest = home / "write-path", write_path_digest()
    stale = mark.exists() and mark.read_text() != digest
    if stale:
        tables = [t for t in connection.introspection.table_names() if t.startswith("memory_core_")]
        names = ", ".join(connection.ops.quote_name(table) for table in tables if table not in KEPT_TABLES)
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {names} CASCADE")
    mark.write_text(digest)
    return stale


def store(chosen: RetrievalSet, progress: Progress) -> int:
    """Observe the documents that are not there yet; gives how many."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")  # a benchmark's rows can be loaded again
    known = set(Observation.objects.filter(channel_detail="benchmark").values_list("event_id", flat=True))
    missing = [d for d in chosen.documents if event_id(chosen.name, d.doc_id) not in known]
    for document in progress.track(missing, description=f"{chosen.name}: store"):
        observe(event(chosen.name, document), now=timezone.now())
    return len(missing)


def count() -> None:
    """Bring the term statistics, the graph, and the weights that depend on the average length, up to date."""
    while statistics.count_pending():
        pass
    while link.link_pending(timezone.now()):
        pass
    statistics.forget_averages()
    while statistics.reweigh_drifted():
        pass


def vectors(progress: Progress, threads: int) -> EmbeddingSpace | None:
    """Embed what waits for it; None where there is no model. Raises RuntimeError when entries were given up."""
    model = embedding.embedder(threads)
    space = spaces.guard(model)
    if space is None or not model.available:
        return None
    waiting, _ = backlog.waiting()
    bar = progress.add_task("embed", total=waiting)
    while done := embed.drain_once(space, model, timezone.now):
        progress.advance(bar, done)
    left, failed = backlog.waiting()
    if left or failed:
        raise RuntimeError(f"{left} texts wait for vectors and {failed} were given up: see the backlog's last_error")
    embedding.forget_space()
    return space


def document_ids(chosen: RetrievalSet) -> dict[str, str]:
    """Document by the id of the observation it became. Raises RuntimeError when some are not stored."""
    by_event = {event_id(chosen.name, d.doc_id): d.doc_id for d in chosen.documents}
    rows = Observation.objects.filter(channel_detail="benchmark").values_list("event_id", "pk")
    found = {pk: by_event[name] for name, pk in rows if name in by_event}
    if len(found) != len(by_event):
        raise RuntimeError(f"{chosen.name}: {len(by_event) - len(found)} of {len(by_event)} documents are not stored")
    return found

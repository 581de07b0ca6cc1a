"""The embedding worker: woken by commits, it drains the backlog and keeps the term statistics and the graph up to date.

Several may run at once (claims skip each other's rows). Killed at any moment it loses nothing: what it had claimed is
freed by the next worker that starts alone, and by the clock otherwise.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.db.utils import Error as DatabaseTrouble
from django.utils import timezone

from memory_core.domain import tunables_index, tunables_models, tunables_workers
from memory_core.domain.errors import ModelUnavailable, ModelUntrusted, WidthMismatch
from memory_core.domain.ports import Embedder
from memory_core.flows import embedding, link, reranking
from memory_core.flows.embed import Interrupted, drain_once
from memory_core.index import backlog, spaces, statistics
from memory_core.index.wake import CHANNEL
from memory_core.models import EmbeddingSpace
from memory_core.sql import server as sql

if TYPE_CHECKING:
    import numpy as np
    from django.db.backends.base.base import BaseDatabaseWrapper
    from numpy.typing import NDArray

logger = logging.getLogger("everlore.worker")


class StoppableEmbedder:
    """An embedder that looks between two runs of its model whether to go on; raises Interrupted when not."""

    def __init__(self, inner: Embedder, stopping: Callable[[], bool]) -> None:
        self._inner, self._stopping = inner, stopping

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (n, dimensions), in the order given; short texts go together, so that little is padded."""
        import numpy as np

        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        vectors = np.empty((len(texts), self._inner.dimensions), dtype=np.float32)
        for start in range(0, len(order), tunables_workers.EMBED_SLICE):
            if self._stopping():
                raise Interrupted
            part = order[start : start + tunables_workers.EMBED_SLICE]
            vectors[part] = self._inner.embed_documents([texts[index] for index in part])
        return vectors


class BatchSize:
    """How many entries to claim next: less after a batch that took too long, more after a quick one."""

    def __init__(self, most: int = tunables_index.EMBED_BATCH) -> None:
        self.most = most
        self.size = max(1, most // 4)

    def learn(self, claimed: int, seconds: float) -> None:
        """Take in how long a batch took."""
        if claimed and seconds > tunables_workers.EMBED_TURN_SECONDS:
            self.size = max(1, int(claimed * tunables_workers.EMBED_TURN_SECONDS / seconds))
        elif claimed == self.size and seconds < tunables_workers.EMBED_TURN_SECONDS / 2:
            self.size = min(self.most, self.size * 2)


class Worker:
    """One embedding worker. `run` returns after `stop`, which any signal handler or thread may call."""

    def __init__(self) -> None:
        self._stopped = False
        self._preparing = False
        self._careful = False
        self._started = False
        self._mismatch = False
        self._next_reranker = float("-inf")
        self._no_reranker = ""
        self._batch = BatchSize()
        self._next_statistics = 0.0
        self._next_reweighing = float("-inf")
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        os.set_blocking(self._wake_read, False)

    def stop(self, *_signal: object) -> None:
        """End soon. While the model is being prepared there is nothing to hand back, so that ends at once."""
        self._stopped = True
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"s")
        if self._preparing and threading.current_thread() is threading.main_thread():
            raise SystemExit(0)

    def run(self) -> None:
        """Work until stopped, through every outage of the database. Raises WidthMismatch when it must not start."""
        pause = tunables_workers.RECONNECT_BASE_SECONDS
        while not self._stopped:
            began = time.monotonic()
            try:
                with self._listening() as listener:
                    self._serve(listener)
            except DatabaseTrouble as problem:
                logger.warning("The database went away (%s); trying again in %g s", _first_line(problem), pause)
                self._close()
                self._wait(pause)
            if time.monotonic() - began > tunables_workers.CRASH_WINDOW_SECONDS:
                pause = tunables_workers.RECONNECT_BASE_SECONDS
            else:
                pause = min(pause * 2, tunables_workers.RECONNECT_MOST_SECONDS)

    def _close(self) -> None:
        with contextlib.suppress(DatabaseError):
            connections.close_all()

    @contextlib.contextmanager
    def _listening(self) -> Iterator[BaseDatabaseWrapper]:
        """A second connection that hears the wake-ups and holds this worker's place among the living."""
        listener = connection.copy()
        try:
            with listener.cursor() as cursor:
                cursor.execute(f'LISTEN "{CHANNEL}"')
                self._take_place(cursor)
            yield listener
        finally:
            with contextlib.suppress(DatabaseError):
                listener.close()

    def _take_place(self, cursor: Any) -> None:
        """Count as alive; and when no other worker is, free what dead ones had claimed."""
        cursor.execute(sql.HOLD_ALONE.text, tunables_workers.WORKER_LOCK)
        if cursor.fetchone()[0]:
            most_attempts = backlog.reclaim(timezone.now())
            self._careful = most_attempts > 1
            if most_attempts:
                logger.info("Took over entries of a worker that died")
            cursor.execute(sql.HOLD_SHARED.text, tunables_workers.WORKER_LOCK)
            cursor.execute(sql.RELEASE_ALONE.text, tunables_workers.WORKER_LOCK)
        else:
            cursor.execute(sql.HOLD_SHARED.text, tunables_workers.WORKER_LOCK)

    def _embedder(self) -> Embedder:
        self._preparing = True
        try:
            if self._stopped:
                raise SystemExit(0)
            return embedding.embedder(settings.EVERLORE["EVERLORE_EMBEDDING_THREADS"], may_export=True)
        finally:
            self._preparing = False

    def _see_to_reranker(self) -> None:
        """Prepare the cross-encoder that the settings mean, when nothing else is waiting; without one, go on and look again
        after a while."""
        if time.monotonic() < self._next_reranker or not reranking.is_wanted():
            return
        self._preparing = True
        try:
            reranking.prepare_configured()
            self._next_reranker = float("inf")
        except (ModelUnavailable, ModelUntrusted) as problem:
            self._next_reranker = time.monotonic() + tunables_models.UNAVAILABLE_RETRY_SECONDS
            self._say_no_reranker(str(problem))
        finally:
            self._preparing = False

    def _say_no_reranker(self, why: str) -> None:
        """Once for each reason, and aloud only where the settings name a model."""
        if why != self._no_reranker:
            logger.log(logging.WARNING if reranking.reranker_state().named else logging.DEBUG, "No reranking: %s", why)
        self._no_reranker = why

    def _space(self, embedder: Embedder) -> EmbeddingSpace | None:
        """The space to embed for, None for none. A mismatch refuses the start; later it is a rebuild that was swapped in,
        and this worker rests until it is started with the new settings."""
        if not embedder.available:
            return None
        try:
            space = spaces.guard(embedder)
        except WidthMismatch as problem:
            if not self._started:
                raise
            if not self._mismatch:
                logger.error("%s", problem)
            self._mismatch = True
            return None
        if not self._started:
            logger.info("Embedding with %s", space)
        self._started, self._mismatch = True, False
        return space

    def _serve(self, listener: BaseDatabaseWrapper) -> None:
        """Drain, count, wait; again."""
        self._count(time.monotonic() + tunables_workers.STATISTICS_TURN_SECONDS)  # before a minute of preparing a model
        woken = False
        while not self._stopped:
            embedder = self._embedder()
            if space := self._space(embedder):
                self._drain(space, StoppableEmbedder(embedder, lambda: self._stopped))
            more = self._count(time.monotonic() + tunables_workers.STATISTICS_TURN_SECONDS)
            if not more:
                self._see_to_reranker()
            # A wake-up's like may have been coalesced away: look again soon after one.
            pause = tunables_workers.SECOND_LOOK_SECONDS if woken else tunables_index.BACKLOG_POLL_SECONDS
            woken = self._wait(0.0 if more else pause, listener)

    def _drain(self, space: EmbeddingSpace, embedder: Any) -> None:
        """Empty the backlog, most urgent first, counting terms in between."""
        while not self._stopped:
            if self._careful and not backlog.suspects(timezone.now()):
                self._careful = False
            before = time.monotonic()
            try:
                claimed = drain_once(space, embedder, timezone.now, 1 if self._careful else self._batch.size)
            except Interrupted:
                return
            now = time.monotonic()
            if not self._careful:
                self._batch.learn(claimed, now - before)
            if not claimed:
                return
            if now >= self._next_statistics:
                self._count(now + tunables_workers.STATISTICS_TURN_SECONDS)

    def _count(self, until: float) -> bool:
        """Count new entries, link them and renew drifted weights until that time; whether there is more to do."""
        self._next_statistics = time.monotonic() + tunables_workers.STATISTICS_SECONDS
        while not self._stopped and time.monotonic() < until:
            if not statistics.count_pending() and not link.link_pending(timezone.now()) and not self._reweigh():
                return False
        return not self._stopped

    def _reweigh(self) -> int:
        if time.monotonic() < self._next_reweighing:
            return 0
        done = statistics.reweigh_drifted()
        if not done:
            self._next_reweighing = time.monotonic() + tunables_index.REWEIGH_PAUSE_SECONDS
        return done

    def _wait(self, seconds: float, listener: BaseDatabaseWrapper | None = None) -> bool:
        """Wait for a stop, for a wake-up, or for the time to pass; whether it was a wake-up."""
        if self._stopped:
            return False
        if listener is None:
            select.select([self._wake_read], [], [], seconds)
            return False
        with listener.wrap_database_errors:  # psycopg's own errors, which `run` would not know
            inner = listener.connection
            ready, _, _ = select.select([self._wake_read, inner.fileno()], [], [], seconds)
            return inner.fileno() in ready and bool(list(inner.notifies(timeout=0)))


def _first_line(problem: Exception) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]


def main() -> None:
    """Run a worker until SIGTERM or SIGINT."""
    os.nice(max(0, tunables_workers.WORKER_NICE - os.nice(0)))
    worker = Worker()
    signal.signal(signal.SIGTERM, worker.stop)
    signal.signal(signal.SIGINT, worker.stop)
    worker.run()

"""ASGI entry: REST and pages on a fixed pool of threads, websockets beside them, one port.

Django's own ASGI handler makes a thread, and with it a database connection, for every request; a pool of long-lived
threads over WSGI answered three times as many requests (`livez`, ten at once: 953/s to 303/s on a busy machine) and never
takes more connections than it has threads.
"""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_core.settings")

from django.core.wsgi import get_wsgi_application

django_application = get_wsgi_application()  # first: it sets Django up

import contextlib
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import cast

from django.conf import settings
from django.db import DatabaseError
from starlette.applications import Starlette
from starlette.routing import Mount

from memory_core.domain.errors import WidthMismatch
from memory_core.domain.events import HookEvent
from memory_core.flows import access, embedding, observe, reranking, scrubbing
from memory_core.index import spaces
from viewer.on_threads import Application, OnThreads
from viewer.whole_bodies import WholeBodies

logger = logging.getLogger("everlore.web")


def warm() -> None:
    """Load what the first request would otherwise wait for, longer than a hook waits: an event is taken through everything
    that needs no database."""
    scrubbing.scrubber().warm()
    now = datetime.now(UTC)  # no Chinese text: its dictionary is 90 MB, and loaded when the first one comes
    event = HookEvent(hook_type="stop", session_id="", project="", cwd="", timestamp=now, data={"a": "warm"})
    observe.prepare(event)
    embedder = embedding.embedder()
    if embedder.available:
        embedder.embed_query("warm")
    reranking.warm()


def refuse_other_width() -> None:
    """Refuse to serve with vectors of another model. Raises WidthMismatch with the three ways out."""
    embedder = embedding.embedder()
    try:
        spaces.guard(embedder)
    except DatabaseError as problem:
        logger.warning("The database does not answer yet: %s", str(problem).splitlines()[0])


@contextlib.asynccontextmanager
async def lifespan(application: Starlette) -> AsyncIterator[None]:
    """Guard and warm in a thread of their own: what they load must not hold up the loop."""
    import asyncio

    try:
        await asyncio.to_thread(refuse_other_width)
    except WidthMismatch as problem:
        logger.error("%s", problem)
        raise SystemExit(1) from problem
    await asyncio.to_thread(warm)
    access.start()
    yield
    await asyncio.to_thread(access.stop)


_rest = WholeBodies(
    OnThreads(cast(Application, django_application), settings.EVERLORE["EVERLORE_WEB_THREADS"]),
    settings.EVERLORE["EVERLORE_MAX_BODY_BYTES"],
)

application = Starlette(
    lifespan=lifespan,
    routes=[Mount("/", app=_rest)],
)

"""How this instance is: the database, the backlog, the model, this process."""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

from memory_core.index import backlog, spaces
from memory_core.models import Memory, Observation, Project, Session

from . import embedding

_started = time.monotonic()


def _database() -> dict[str, Any]:
    before = time.perf_counter()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as problem:
        return {"status": "error", "error": str(problem).splitlines()[0]}
    return {"status": "ok", "latencyMs": round((time.perf_counter() - before) * 1000, 2)}


def _resident_bytes() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # no /proc: the peak is the best there is
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def snapshot() -> dict[str, Any]:
    """A health snapshot in the protocol's shape, and what Everlore adds to it (`everlore`)."""
    database = _database()
    alerts: list[str] = []
    notes: list[str] = []
    added: dict[str, Any] = {}
    if database["status"] == "ok":
        waiting, failed = backlog.waiting()
        active = spaces.active()
        added = {
            "embeddingBacklog": waiting,
            "embeddingFailed": failed,
            "embeddingSpace": str(active) if active else None,
        }
        if failed:
            alerts.append(f"embedding_failed_{failed}")
    else:
        alerts.append("database_unreachable")
    if reason := embedding.configured_reason():
        notes.append(f"words only: {reason}")
    usage = resource.getrusage(resource.RUSAGE_SELF)
    resident = _resident_bytes()
    uptime = time.monotonic() - _started
    seconds = usage.ru_utime + usage.ru_stime
    return {
        "connectionState": "connected" if database["status"] == "ok" else "disconnected",
        "workers": [{"id": str(os.getpid()), "name": "web", "status": "running"}],
        "memory": {"heapUsed": resident, "heapTotal": resident, "rss": resident, "external": 0},
        "cpu": {
            "userMicros": int(usage.ru_utime * 1e6),
            "systemMicros": int(usage.ru_stime * 1e6),
            "percent": round(100 * seconds / uptime, 2) if uptime > 0 else 0.0,
        },
        "eventLoopLagMs": 0,
        "uptimeSeconds": round(uptime, 1),
        "kvConnectivity": database,
        "status": "critical" if database["status"] != "ok" else "degraded" if alerts else "healthy",
        "alerts": alerts,
        "notes": notes,
        "threads": threading.active_count(),
        "everlore": added,
    }


def counts() -> dict[str, int]:
    """How many records of each kind there are."""
    return {
        "projects": Project.objects.exclude(slug="").count(),
        "sessions": Session.objects.count(),
        "observations": Observation.objects.count(),
        "memories": Memory.objects.filter(is_latest=True).count(),
    }


def flags() -> list[dict[str, Any]]:
    """The switches that clients show, in the protocol's order. The first three need a language model, which this
    version does not talk to: they are off whatever the environment says."""
    docs = "docs/settings.md"
    rows = (
        ("GRAPH_EXTRACTION_ENABLED", "Knowledge graph extraction", ["Graph", "Dashboard"], True, False),
        ("CONSOLIDATION_ENABLED", "Memory consolidation", ["Dashboard", "Memories", "Crystals"], True, False),
        ("AGENTMEMORY_AUTO_COMPRESS", "LLM-powered observation compression", ["Memories", "Timeline"], True, False),
        (
            "AGENTMEMORY_INJECT_CONTEXT",
            "In-conversation context injection",
            ["Hooks"],
            False,
            settings.EVERLORE["EVERLORE_INJECT_CONTEXT"],
        ),
    )
    return [
        {
            "key": key,
            "label": label,
            "enabled": enabled,
            "default": False,
            "affects": affects,
            "needsLlm": needs,
            "description": f"{label}: {'on' if enabled else 'off'}.",
            "enableHow": "This version works without a language model."
            if needs
            else f"Set {key}=true where the agent runs.",
            "docsHref": docs,
        }
        for key, label, affects, needs, enabled in rows
    ]

"""One measurement: an operation, a corpus size, a number of connections, a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import processes
from .client import write_requests
from .requests import Operation, requests
from .server import Server

WARM_SECONDS = 2.0
"""Requests before the clock: connections open, caches and plans in place."""

MOST_PER_SECOND = 600
"""Requests built for each second; a faster server ends the measurement early, which the seconds reported show."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Latencies in milliseconds; CPU in milliseconds a request by role (`client`: this load generator); sizes in bytes by
    role: (largest process' RSS, sum of PSS). `others`: cores that processes outside the measurement kept busy."""

    operation: str
    corpus: int
    connections: int
    requests: int
    errors: int
    seconds: float
    p50: float
    p90: float
    p99: float
    cpu_ms: Mapping[str, float]
    sizes: Mapping[str, tuple[int, int]]
    load_average: float
    others: float

    @property
    def per_second(self) -> float:
        """Requests answered a second."""
        return self.requests / self.seconds if self.seconds else 0.0


def _drive(server: Server, connections: int, seconds: float, stream: bytes) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.load.client", server.host, str(server.port), str(connections)]
    done = subprocess.run([*command, str(seconds)], input=stream, stdout=subprocess.PIPE, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def measure(
    server: Server, operation: Operation, *, corpus: int, connections: int, seconds: float, first: int, secret: str = ""
) -> Measurement:
    """Warm up, drive for `seconds`, read the processes' clocks before and after."""
    warm_count, count = int(WARM_SECONDS * MOST_PER_SECOND), int(seconds * MOST_PER_SECOND)
    warm = requests(operation, corpus=corpus, first=first, count=warm_count, secret=secret)
    _drive(server, connections, WARM_SECONDS, write_requests(warm))
    built = requests(operation, corpus=corpus, first=first + warm_count, count=count, secret=secret)
    stream = write_requests(built)
    before, machine = processes.usage(server.roots), processes.machine_busy_seconds()
    answer = _drive(server, connections, seconds, stream)
    after, machine_after = processes.usage(server.roots), processes.machine_busy_seconds()
    used = {role: after[role] - before[role] for role in server.roots} | {"client": answer["cpu_seconds"]}
    return _summary(operation, corpus, connections, answer, used, machine_after - machine, server)


def _summary(
    operation: Operation,
    corpus: int,
    connections: int,
    answer: Mapping[str, Any],
    used: Mapping[str, float],
    machine: float,
    server: Server,
) -> Measurement:
    latencies = np.asarray([took for _, took in answer["samples"]]) * 1000
    count = max(len(latencies), 1)
    p50, p90, p99 = np.percentile(latencies, [50, 90, 99]) if len(latencies) else (0.0, 0.0, 0.0)
    listed = {role: processes.sizes(pid) for role, pid in server.roots.items()}
    return Measurement(
        operation=operation.name,
        corpus=corpus,
        connections=connections,
        requests=len(latencies),
        errors=sum(not 200 <= status < 300 for status in answer["statuses"]),
        seconds=answer["seconds"],
        p50=float(p50),
        p90=float(p90),
        p99=float(p99),
        cpu_ms={role: 1000 * seconds / count for role, seconds in used.items()},
        sizes={role: (found[0].rss, processes.total(found).pss) for role, found in listed.items() if found},
        load_average=os.getloadavg()[0],
        others=max(0.0, machine - sum(used.values())) / answer["seconds"],
    )

"""The load generator: a process of its own, so that its CPU is not the server's; threads on raw sockets, kept open.

    python -m benchmarks.load.client HOST PORT CONNECTIONS SECONDS < requests

Standard input holds requests, each behind its length (4 bytes). Standard output gets one JSON object: seconds, one
[start, latency] in seconds and one status a request, the CPU seconds of this process.
"""

from __future__ import annotations

import json
import resource
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import BinaryIO

RECEIVE_BYTES = 65_536
TIMEOUT_SECONDS = 60.0


def read_requests(stream: BinaryIO) -> list[bytes]:
    """The requests of a stream of (length, bytes)."""
    found = []
    while head := stream.read(4):
        found.append(stream.read(struct.unpack("!I", head)[0]))
    return found


def write_requests(requests: Iterator[bytes]) -> bytes:
    """The stream that `read_requests` reads."""
    return b"".join(struct.pack("!I", len(request)) + request for request in requests)


class Connection:
    """One connection, open until the server closes it."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._socket = self._connect()

    def _connect(self) -> socket.socket:
        connected = socket.create_connection(self._address, timeout=TIMEOUT_SECONDS)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connected

    def exchange(self, request: bytes) -> int:
        """Send one request and read its whole answer; its status. Raises OSError when the connection fails."""
        self._socket.sendall(request)
        received = self._socket.recv(RECEIVE_BYTES)
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, _, body = received.partition(b"\r\n\r\n")
        length = _length(head)
        left = length - len(body)
        while left > 0:
            left -= len(self._more())
        if b"connection: close" in head.lower():
            self._socket.close()
            self._socket = self._connect()
        return int(head[9:12])

    def close(self) -> None:
        """Close it."""
        self._socket.close()

    def _more(self) -> bytes:
        data = self._socket.recv(RECEIVE_BYTES)
        if not data:
            raise ConnectionError("the server closed the connection inside an answer")
        return data


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    raise ConnectionError("the answer has no Content-Length")


class Load:
    """Requests shared by the connections, each taken once, until the time is over."""

    def __init__(self, requests: Sequence[bytes]) -> None:
        self._requests = iter(requests)
        self._lock = threading.Lock()
        self.samples: list[tuple[float, float, int]] = []

    def _next(self) -> bytes | None:
        with self._lock:
            return next(self._requests, None)

    def run(self, host: str, port: int, until: float) -> None:
        """One connection's loop. A request that fails counts with status 0, and the loop goes on."""
        connection = Connection(host, port)
        while time.perf_counter() < until and (request := self._next()) is not None:
            start = time.perf_counter()
            try:
                status = connection.exchange(request)
            except OSError:
                connection.close()
                status, connection = 0, Connection(host, port)
            self.samples.append((start, time.perf_counter() - start, status))
        connection.close()


def main(arguments: Sequence[str]) -> int:
    """Drive the server and print what happened."""
    host, port, connections, seconds = arguments[0], int(arguments[1]), int(arguments[2]), float(arguments[3])
    load = Load(read_requests(sys.stdin.buffer))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    threads = [threading.Thread(target=load.run, args=(host, port, start + seconds)) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    end, after = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime
    samples = [[begun - start, took] for begun, took, _ in load.samples]
    statuses = [status for *_, status in load.samples]
    print(json.dumps({"seconds": end - start, "samples": samples, "statuses": statuses, "cpu_seconds": cpu}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The load generator: keeps connections open, reads answers whole, counts failures, stops in time."""

from __future__ import annotations

import io
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from benchmarks.load import client
from benchmarks.load.requests import post

ANSWER = json.dumps({"text": "x" * 200_000}).encode()


class Large(BaseHTTPRequestHandler):
    """Answers with more than one packet; `/agentmemory/bad` with 400."""

    protocol_version = "HTTP/1.1"
    addresses: ClassVar[set[tuple[str, int]]] = set()

    def do_POST(self) -> None:
        self.addresses.add(self.client_address)
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(400 if self.path.endswith("bad") else 201)
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    Large.addresses = set()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Large)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield "127.0.0.1", server.server_address[1]
    server.shutdown()
    server.server_close()


def test_requests_survive_the_way_to_the_process() -> None:
    given = [post("/observe", {"a": "好"}), b"", post("/remember", {})]

    assert client.read_requests(io.BytesIO(client.write_requests(iter(given)))) == given


def test_answers_are_read_whole_on_one_connection(address: tuple[str, int]) -> None:
    load = client.Load([post("/observe", {"n": n}) for n in range(5)])

    load.run(*address, time.perf_counter() + 10)

    assert [status for *_, status in load.samples] == [201] * 5
    assert len(Large.addresses) == 1


def test_an_error_of_the_server_is_counted_as_it_is(address: tuple[str, int]) -> None:
    load = client.Load([post("/bad", {})])

    load.run(*address, time.perf_counter() + 10)

    assert [status for *_, status in load.samples] == [400]


def test_nothing_is_sent_after_the_time_is_over(address: tuple[str, int]) -> None:
    load = client.Load([post("/observe", {})])

    load.run(*address, time.perf_counter() - 1)

    assert load.samples == []


def test_an_answer_that_breaks_off_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def break_off() -> None:
            accepted, _ = listening.accept()
            with accepted:
                accepted.recv(1000)
                accepted.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")

        threading.Thread(target=break_off, daemon=True).start()
        connection = client.Connection("127.0.0.1", listening.getsockname()[1])

        with pytest.raises(ConnectionError):
            connection.exchange(post("/observe", {}))
        connection.close()

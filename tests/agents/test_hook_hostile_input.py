"""Whatever a host, a network or a disk does, the agent goes on."""

from __future__ import annotations

import io
import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.hook import main
from tests.agents.recorder import Hook, RecordingServer, prompt, prompts

EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd", "Notification"]

FIELDS = [
    *("session_id", "cwd", "workspace_roots", "prompt", "tool_name", "tool_input", "tool_response", "transcript_path"),
    *("agent_id", "hook_event_name", "cursor_version", "notification_type", "last_assistant_message", "entrypoint"),
]

PAYLOADS = [
    pytest.param(b"", id="nothing"),
    pytest.param(b"null", id="null"),
    pytest.param(b"[]", id="a list"),
    pytest.param(b"12", id="a number"),
    pytest.param(b"{", id="half an object"),
    pytest.param(b"\xff\xfe\x00", id="not UTF-8"),
    pytest.param(b"[" * 100_000, id="deep nesting"),
    pytest.param(b'{"a":' * 900 + b"1" + b"}" * 900, id="nesting that parses"),
    pytest.param(b"\0" * 1000, id="zeros"),
]


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("event", EVENTS)
def test_a_payload_that_is_no_object_ends_quietly(
    hook: Hook, server: RecordingServer, event: str, payload: bytes
) -> None:
    hook.run(event, payload, AGENTMEMORY_INJECT_CONTEXT="true")


@pytest.mark.parametrize("event", EVENTS)
def test_fields_of_the_wrong_type_end_quietly(hook: Hook, server: RecordingServer, event: str) -> None:
    for value in (None, 5, True, [], {}, [None], {"a": None}):
        hook.run(event, dict.fromkeys(FIELDS, value), EVERLORE_INJECT_CONTEXT="1")

    assert hook.complaints() == ""


TEXTS = [
    pytest.param(b'{"prompt":"a\\u0000b"}', "a\0b", id="an escaped NUL is the server's to judge"),
    pytest.param(b'{"prompt":"a\0b"}', "a\0b", id="a raw NUL"),
    pytest.param(b'{"prompt":"a\\ud800b"}', "a?b", id="a lone surrogate"),
    pytest.param(b'{"prompt":"a\xffb"}', "a\N{REPLACEMENT CHARACTER}b", id="a byte that is not UTF-8"),
    pytest.param(b'\xef\xbb\xbf{"prompt":"a"}', "a", id="a byte order mark"),
    pytest.param(b'{"prompt":"a\nb"}', "a\nb", id="a raw line break"),
]


@pytest.mark.parametrize(("payload", "text"), TEXTS)
def test_odd_text_arrives(hook: Hook, server: RecordingServer, payload: bytes, text: str) -> None:
    hook.run("UserPromptSubmit", payload)

    assert prompts(server.bodies()) == [text]


def test_numbers_that_json_does_not_know_become_null(hook: Hook, server: RecordingServer) -> None:
    hook.run("PostToolUse", b'{"tool_name":"Bash","tool_input":{"a":NaN,"b":1e999,"c":1.5},"tool_response":-Infinity}')

    assert server.bodies()[0]["data"] == {"tool_name": "Bash", "tool_input": {"a": None, "b": None, "c": 1.5}}


@pytest.mark.slow
def test_fifty_megabytes_end_quietly_and_arrive_cut(hook: Hook, server: RecordingServer) -> None:
    lines = ["x" * 50 for _ in range(1_000_000)]

    hook.run("PostToolUse", {"tool_name": "Bash", "tool_input": {}, "tool_response": {"stdout": "\n".join(lines)}})

    assert len(server.bodies()[0]["data"]["tool_output"]["stdout"]) < 262_144


@pytest.mark.parametrize(
    "url",
    ["nonsense", "http://", "http://[::1", "http://127.0.0.1:99999", "http://no.such.host.invalid", "http://a b", "//"],
)
def test_a_url_that_leads_nowhere_ends_quietly(hook: Hook, url: str) -> None:
    hook.run("UserPromptSubmit", prompt("one"), EVERLORE_URL=url)

    assert prompts(hook.waiting()) == ["one"]


@pytest.fixture
def odd_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """A listener that answers any request with the given bytes and closes."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.recv(65536)
            connection.sendall(request.param)
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "odd_server",
    [
        pytest.param(b"", id="closed without an answer"),
        pytest.param(b"SSH-2.0-OpenSSH\r\n\r\n", id="another protocol"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{", id="half a body"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}", id="a length that is none"),
        pytest.param(CHUNKED + b"zz\r\n", id="a chunk without a size"),
        pytest.param(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", id="a redirect"),
    ],
    indirect=True,
)
def test_an_answer_that_is_none_leaves_the_event_in_the_spool(hook: Hook, odd_server: str) -> None:
    hook.run("UserPromptSubmit", prompt("one"), EVERLORE_URL=odd_server)

    assert prompts(hook.waiting()) == ["one"]


@pytest.mark.parametrize(
    "odd_server",
    [
        pytest.param(CHUNKED + b'8;x=1\r\n{"contex\r\n9\r\nt":"dew"}\r\n0\r\n\r\n', id="in chunks"),
        pytest.param(b'HTTP/1.0 200 OK\r\n\r\n{"context":"dew"}', id="until the connection closes"),
        pytest.param(b"HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n" + b'{"context":"dew"}', id="with a length"),
    ],
    indirect=True,
)
def test_an_answer_may_be_framed_in_any_way(hook: Hook, odd_server: str) -> None:
    out = hook.run("SessionStart", {}, EVERLORE_URL=odd_server, EVERLORE_INJECT_CONTEXT="1")

    assert out == "dew"


@pytest.mark.parametrize("odd_server", [b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}"], indirect=True)
def test_a_server_that_closes_a_connection_it_promised_to_keep_gets_every_event(hook: Hook, odd_server: str) -> None:
    hook.run("Stop", {"last_assistant_message": "done"}, EVERLORE_URL=odd_server)

    assert hook.waiting() == []


def test_a_host_that_does_not_read_is_no_failure(hook: Hook, server: RecordingServer) -> None:
    server.answer = lambda path, body: (200, {"context": "x" * 300_000})
    process = hook.start("SessionStart", {}, EVERLORE_INJECT_CONTEXT="1")
    assert process.stdout is not None
    assert process.stderr is not None

    process.stdout.close()
    process.wait(timeout=10)

    assert (process.returncode, process.stderr.read()) == (0, b"")
    process.stderr.close()


def test_what_goes_wrong_inside_is_logged_and_not_shown(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise RuntimeError("the pipe burst")

    out = io.StringIO()

    status = main(["hook.py", "Stop"], Broken(), out, {"EVERLORE_SPOOL_DIR": str(tmp_path)})

    assert (status, out.getvalue()) == (0, "")
    assert "RuntimeError: the pipe burst" in (tmp_path / "hook.log").read_text()


def test_an_unknown_event_is_logged(hook: Hook) -> None:
    hook.spool.mkdir()

    hook.run("Lunch", {})

    assert "Lunch" in hook.complaints()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
def test_https_is_spoken_and_an_unknown_certificate_refused(
    hook: Hook, server: RecordingServer, tmp_path: Path
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    subprocess.run([*command.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    assert server._server is not None
    server._server.socket = context.wrap_socket(server._server.socket, server_side=True)
    url = f"https://localhost:{server.port}"

    hook.run("UserPromptSubmit", prompt("one"), EVERLORE_URL=url)
    refused = list(server.received)
    hook.run("UserPromptSubmit", prompt("two"), EVERLORE_URL=url, SSL_CERT_FILE=str(certificate))

    assert refused == []
    assert prompts(server.bodies()) == ["one", "two"]


def test_a_server_that_accepts_and_says_nothing_holds_the_agent_a_second(hook: Hook) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()

        hook.run(
            "UserPromptSubmit",
            json.dumps({"prompt": "one"}).encode(),
            EVERLORE_URL=f"http://127.0.0.1:{silent.getsockname()[1]}",
        )

        assert time.monotonic() - started < 20.0  # the server would say nothing for ever
    assert prompts(hook.waiting()) == ["one"]

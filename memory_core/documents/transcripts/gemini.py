"""Sessions of the Gemini CLI (`~/.gemini/tmp/<project>/chats/session-*.json`): one JSON document, or records a line.

The document is `{sessionId, projectHash, startTime, messages}`. Newer versions write a first line with the same fields
and then a message a line, where a message that grew is written again: the last version counts, so that the lines are
gathered like a document.

user        a prompt; its pictures (`inlineData` parts) stay.
gemini      its tool calls, each with its result, in their order; its text, the last one of a turn is the stop's message.
            `status: error` or a response with `error` is a failure, `cancelled` an interruption.
info, error, warning, thoughts: dropped; the host or nobody said them.
The format has no directory, only a hash of it: the project comes from the `.project_root` file that newer versions
keep beside `chats`, else it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory_core.documents.transcripts.lines import Record
from memory_core.documents.transcripts.moments import Moment, Recorder, content_id
from memory_core.documents.transcripts.text import Block, blocks, images_of, text_of, user_words
from memory_core.documents.transcripts.turn import Turn
from memory_core.domain.events import HookType
from memory_core.domain.tunables_transcripts import MAX_GIT_FILE_BYTES

AGENT = "gemini"

_SILENT_TYPES = frozenset({"info", "error", "warning"})


class GeminiReader:
    """Reads one session, document or lines."""

    def __init__(self, recorder: Recorder, path: Path) -> None:
        self._recorder = recorder
        self._turn = Turn(recorder)
        self._messages: dict[str, Block] = {}
        recorder.in_session(None, _project_root(path))

    def feed(self, record: Record) -> Iterator[Moment]:
        """Take a document, a header or a message; moments come at the end, since a message may be written again."""
        self._recorder.in_session(record.get("sessionId"), None)
        messages = record.get("messages")
        found = messages if isinstance(messages, list) else [record] if "type" in record else []
        for message in found:
            if isinstance(message, dict):
                own_id = message.get("id")
                key = own_id if isinstance(own_id, str) and own_id else content_id(str(message))
                self._messages[key] = message
            else:
                self._recorder.problems.count("a message is not a JSON object")
        yield from ()

    def finish(self) -> Iterator[Moment]:
        """Every moment of the session."""
        for own_id, message in self._messages.items():
            kind = message.get("type")
            if kind in _SILENT_TYPES:
                continue
            self._recorder.at(message.get("timestamp"))
            if kind == "user":
                yield from self._prompt(own_id, message.get("content"))
            elif kind == "gemini":
                yield from self._answer(own_id, message)
            else:
                self._recorder.problems.count(f"a message of the unknown type {str(kind)[:40]!r} is passed over")
        yield from self._turn.end_of_file()
        self._recorder.finish()

    def _prompt(self, own_id: str, content: Any) -> Iterator[Moment]:
        words, images = user_words(text_of(content)), images_of(content)
        if words or images:
            yield from self._turn.end()
            payload: dict[str, Any] = {"prompt": words} | ({"images": images} if images else {})
            yield from self._recorder.moment(HookType.PROMPT_SUBMIT, "prompt", own_id, payload)

    def _answer(self, own_id: str, message: Block) -> Iterator[Moment]:
        """A message's text is said before its calls, so that it is an answer only when it calls nothing."""
        self._turn.say(own_id, text_of(message.get("content")))
        calls = message.get("toolCalls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict) and isinstance(call.get("id"), str) and call["id"]:
                self._turn.use_tool()
                yield from self._tool(call)
            else:
                self._recorder.problems.count("a tool call has no id")

    def _tool(self, call: Block) -> Iterator[Moment]:
        call_id, status, response = (call["id"], call.get("status"), _response(call.get("result")))
        self._recorder.call(call_id, call.get("name"), call.get("args"))
        if self._recorder.open_call(call_id) is None:
            return
        if status == "cancelled":
            self._recorder.interrupted(call_id)
        elif (isinstance(response, dict) and response.get("error")) or status == "error":
            error = response.get("error") if isinstance(response, dict) else response
            yield from self._recorder.failure(call_id, error if isinstance(error, str) else str(error or ""))
        elif response is not None:
            output = response.get("output", response) if isinstance(response, dict) else response
            yield from self._recorder.result(call_id, output)


def _response(result: Any) -> Any:
    """What the tool answered: the response of the one `functionResponse` part, else all parts as they are."""
    parts = blocks(result)
    functions = [part.get("functionResponse") for part in parts]
    if len(functions) == 1 and isinstance(functions[0], dict):
        return functions[0].get("response")
    return parts or None


def _project_root(path: Path) -> str:
    """The directory named by `.project_root` above `chats`, or "" where there is none."""
    try:
        with (path.parent.parent / ".project_root").open("rb") as stream:
            return stream.read(MAX_GIT_FILE_BYTES).decode("utf-8", "replace").strip()
    except OSError:
        return ""

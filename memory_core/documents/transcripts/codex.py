"""Rollouts of Codex (`~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl`).

Each record is `{timestamp, type, payload}`; the oldest rollouts have the response items bare, without an envelope.

event_msg user_message       a prompt. The `response_item` messages of role user beside it also hold what the host
                             injected (AGENTS.md, the environment, skills, notes on aborted turns), so that in files with
                             an envelope only `user_message` counts; in bare ones, messages that start with no element.
function_call, custom_tool_call,   one tool moment each with its output, joined by `call_id`. Arguments are JSON text and
local_shell_call + ..._output      are parsed. No rollout marks a call as failed by its exit code, and the live hook has no
                                   failure event; only an output that says `success: false` is a failure.
web_search_call              a tool moment without an output; the host searches by itself.
event_msg task_complete      the end of a turn, with its last message. Without one the next prompt ends the turn.
event_msg turn_aborted       the user broke the turn off: no stop.
compacted                    a pre_compact moment when it has a summary; newer versions keep none, which is reported.
reasoning, token counts, patches (told twice), developer messages, turn contexts: dropped.
sub-agents                   have rollouts of their own, whose `session_meta.source` says so: their prompts come from the
                             agent above and are dropped, the end of each turn is a subagent_stop.
forks                        copy earlier records under a second `session_meta`; the first one names the session, and call
                             and turn ids drop what was imported from the other file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory_core.documents.transcripts.lines import Record, decode
from memory_core.documents.transcripts.moments import Moment, Recorder, content_id
from memory_core.documents.transcripts.text import Block, images_of, text_of
from memory_core.documents.transcripts.turn import Turn
from memory_core.domain.events import HookType

AGENT = "codex"

_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})


class CodexReader:
    """Reads one rollout, record by record."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._turn = Turn(recorder)
        self._turn_id = ""
        self._named = False
        self._enveloped = False
        self._agent: tuple[str, str] | None = None

    def feed(self, record: Record) -> Iterator[Moment]:
        """The moments that one more record completes."""
        payload = record.get("payload")
        kind = record.get("type")
        if not isinstance(payload, dict):
            yield from self._bare(record)
            return
        self._enveloped = True
        self._recorder.at(record.get("timestamp"))
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            self._recorder.in_session(None, payload.get("cwd"))
            self._take_turn(payload)
        elif kind == "event_msg":
            yield from self._event(payload)
        elif kind == "response_item":
            yield from self._item(payload)
        elif kind == "compacted":
            yield from self._compacted(payload)
        else:
            self._recorder.problems.count(f"a record of the unknown type {str(kind)[:40]!r} is passed over")

    def finish(self) -> Iterator[Moment]:
        """The moments that the end of the file completes."""
        yield from self._stops(self._turn.end_of_file())
        self._recorder.finish()

    # Session -------------------------------------------------------------------------------------------------------

    def _meta(self, payload: Block) -> None:
        """The first one names the session; a fork carries the other session's along."""
        if self._named:
            return
        self._named = True
        self._recorder.in_session(payload.get("id") or payload.get("session_id"), payload.get("cwd"))
        source = payload.get("source")
        if isinstance(source, dict) and "subagent" in source:
            kind = source["subagent"]
            self._agent = (self._recorder.session_id, kind if isinstance(kind, str) else "subagent")

    def _bare(self, record: Record) -> Iterator[Moment]:
        """A line of the oldest rollouts: the first is the session, the others are response items."""
        if "type" not in record and isinstance(record.get("id"), str):
            self._recorder.at(record.get("timestamp"))
            self._meta(record)
        elif isinstance(record.get("type"), str):
            yield from self._item(record)
        elif "record_type" not in record:
            self._recorder.problems.count("a record without a type is passed over")

    def _take_turn(self, payload: Block) -> None:
        if isinstance(payload.get("turn_id"), str):
            self._turn_id = payload["turn_id"]

    # Records -------------------------------------------------------------------------------------------------------

    def _event(self, payload: Block) -> Iterator[Moment]:
        kind = payload.get("type")
        if kind == "task_started":
            yield from self._stops(self._turn.end())
            self._take_turn(payload)
        elif kind == "user_message":
            yield from self._prompt(text_of(payload.get("message")), payload.get("images"))
        elif kind == "agent_message":
            self._say(text_of(payload.get("message")))
        elif kind == "task_complete":
            self._take_turn(payload)
            self._say(text_of(payload.get("last_agent_message")))
            yield from self._stops(self._turn.end())
        elif kind == "turn_aborted":
            self._turn.interrupt()
            yield from self._turn.end()

    def _item(self, payload: Block) -> Iterator[Moment]:
        kind, call_id = payload.get("type"), payload.get("call_id") or payload.get("id")
        if kind == "message":
            yield from self._message(payload)
        elif kind == "web_search_call":
            own_id = call_id if isinstance(call_id, str) else content_id(self._turn_id, str(payload.get("action")))
            self._recorder.call(own_id, "web_search", payload.get("action"))
            yield from (self._recorder.result(own_id, None) if self._recorder.open_call(own_id) else ())
        elif kind in _CALLS or kind in _OUTPUTS:
            if not isinstance(call_id, str) or not call_id:
                self._recorder.problems.count("a tool call or its output has no id")
            elif kind in _CALLS:
                self._turn.use_tool()
                self._recorder.call(call_id, payload.get("name") or "shell", _arguments(payload))
            else:
                yield from self._output(call_id, payload.get("output"))

    def _message(self, payload: Block) -> Iterator[Moment]:
        text = text_of(payload.get("content"))
        if payload.get("role") == "assistant":
            self._say(text)
        elif (
            payload.get("role") == "user" and not self._enveloped and not text.lstrip().startswith(("<", "# AGENTS.md"))
        ):
            yield from self._prompt(text, images_of(payload.get("content")))

    def _output(self, call_id: str, output: Any) -> Iterator[Moment]:
        if isinstance(output, dict) and output.get("success") is False:
            yield from self._recorder.failure(call_id, text_of(output.get("content")))
        else:
            yield from self._recorder.result(call_id, output)

    def _compacted(self, payload: Block) -> Iterator[Moment]:
        summary = text_of(payload.get("message"))
        if not summary.strip():
            self._recorder.problems.count("a compaction keeps no summary")
            return
        window = payload.get("window_id")
        own_id = window if isinstance(window, str) else content_id(self._recorder.session_id, summary)
        data = {"trigger": "auto", "summary": summary}
        yield from self._recorder.moment(HookType.PRE_COMPACT, "compact", own_id, data)

    # Turns ---------------------------------------------------------------------------------------------------------

    def _own_id(self, text: str) -> str:
        """The turn's id and what was said: rollouts give messages no id. Without turns, the session and the time."""
        if self._turn_id:
            return f"{self._turn_id}:{content_id(text)}"
        return content_id(self._recorder.session_id, self._recorder.now.isoformat(), text)

    def _say(self, text: str) -> None:
        self._turn.say(self._own_id(text), text)

    def _prompt(self, text: str, images: Any) -> Iterator[Moment]:
        pictures = [
            image if isinstance(image, dict) else {"type": "image_url", "image_url": image} for image in images or ()
        ]
        if self._agent is not None or not (text.strip() or pictures):
            return
        own_id = self._own_id(text)
        if not self._enveloped or not self._turn_id:
            yield from self._turn.end()
        payload: dict[str, Any] = {"prompt": text} | ({"images": pictures} if pictures else {})
        yield from self._recorder.moment(HookType.PROMPT_SUBMIT, "prompt", own_id, payload)

    def _stops(self, moments: list[Moment]) -> Iterator[Moment]:
        """The stops of a sub-agent's rollout are those of a sub-agent."""
        for moment in moments:
            if self._agent is None:
                yield moment
                continue
            agent_id, agent_type = self._agent
            payload = {"agent_id": agent_id, "agent_type": agent_type} | moment.payload
            yield from self._recorder.moment(HookType.SUBAGENT_STOP, "subagent", moment.event_id, payload)


def _arguments(payload: Block) -> Any:
    """The input of a call: parsed JSON arguments, the free text of a custom tool, or a shell action."""
    for key in ("arguments", "input", "action"):
        value = payload.get(key)
        if value is None:
            continue
        if key != "arguments" or not isinstance(value, str):
            return value
        try:
            return decode(value.encode("utf-8", "replace"))
        except ValueError:
            return value
    return {}

"""Sessions of the Copilot CLI (`~/.copilot/session-state/<session>/events.jsonl`).

Each record is `{type, data, id, timestamp, parentId}`.

session.start, session.resume   id and directory of the session.
user.message                 a prompt: `content`, as typed; `transformedContent` is what the host made of it.
tool.execution_start + _complete   one tool moment, joined by `toolCallId`; `success: false` is a failure. The response is
                             the text for the model (`result.content`), which is what the hook client keeps of a host's
                             `toolResult`.
assistant.message            the last one of a turn is the stop's message. The host's `assistant.turn_end` ends one
                             round of the model, not the turn: that is ended by its own Stop hook (`agentStop`), by
                             `session.idle` or `session.shutdown`, else by the next prompt.
abort                        the user broke the turn off: no stop.
session.compaction_complete  a pre_compact moment with its summary.
subagent.completed           a subagent_stop; records with a `parentToolCallId` are a sub-agent's and no answers.
hooks, permissions, notifications, the system message, model changes: dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory_core.documents.transcripts.lines import Record
from memory_core.documents.transcripts.moments import Moment, Recorder, content_id
from memory_core.documents.transcripts.text import Block, text_of, user_words
from memory_core.documents.transcripts.turn import Turn
from memory_core.domain.events import HookType

AGENT = "copilot"


class CopilotReader:
    """Reads one event file, record by record."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._turn = Turn(recorder)

    def feed(self, record: Record) -> Iterator[Moment]:
        """The moments that one more record completes."""
        data, kind = record.get("data"), record.get("type")
        if not isinstance(data, dict) or not isinstance(kind, str):
            self._recorder.problems.count("a record has no type or no data")
            return
        self._recorder.at(record.get("timestamp"))
        uuid = record.get("id")
        own_id = uuid if isinstance(uuid, str) and uuid else content_id(str(record.get("timestamp")), kind, str(data))
        if not self._recorder.is_new("record", own_id):
            self._recorder.problems.count("a record repeats an earlier one and is dropped")
            return
        yield from self._known(kind, data, own_id)

    def finish(self) -> Iterator[Moment]:
        """The moments that the end of the file completes."""
        yield from self._turn.end_of_file()
        self._recorder.finish()

    def _known(self, kind: str, data: Block, own_id: str) -> Iterator[Moment]:
        if kind in ("session.start", "session.resume"):
            context = data.get("context")
            cwd = context.get("cwd") if isinstance(context, dict) else None
            self._recorder.in_session(data.get("sessionId"), cwd)
        elif kind == "user.message":
            yield from self._prompt(data, own_id)
        elif kind == "assistant.message":
            if not data.get("parentToolCallId"):
                self._turn.say(own_id, text_of(data.get("content")))
        elif kind.startswith("tool.execution_"):
            yield from self._tool(kind, data)
        elif kind in ("session.idle", "session.shutdown") or (
            kind == "hook.start" and data.get("hookType") == "agentStop"
        ):
            yield from self._turn.end()
        elif kind == "abort":
            self._turn.interrupt()
        elif kind == "session.compaction_complete":
            yield from self._compacted(data, own_id)
        elif kind == "subagent.completed":
            yield from self._subagent_stop(data, own_id)

    def _prompt(self, data: Block, own_id: str) -> Iterator[Moment]:
        words = user_words(text_of(data.get("content")))
        if data.get("source") == "system" or data.get("parentToolCallId") or not words:
            return
        yield from self._turn.end()
        yield from self._recorder.moment(HookType.PROMPT_SUBMIT, "prompt", own_id, {"prompt": words})

    def _tool(self, kind: str, data: Block) -> Iterator[Moment]:
        call_id = data.get("toolCallId")
        if not isinstance(call_id, str) or not call_id:
            self._recorder.problems.count("a tool record names no call")
        elif kind == "tool.execution_start":
            self._turn.use_tool()
            self._recorder.call(call_id, data.get("toolName"), data.get("arguments"))
        elif kind == "tool.execution_complete":
            if data.get("success") is False:
                yield from self._recorder.failure(call_id, _error_text(data))
            else:
                yield from self._recorder.result(call_id, _result_text(data.get("result")))

    def _compacted(self, data: Block, own_id: str) -> Iterator[Moment]:
        summary = text_of(data.get("summaryContent"))
        if summary.strip():
            payload = {"trigger": "auto", "summary": summary}
            yield from self._recorder.moment(HookType.PRE_COMPACT, "compact", own_id, payload)
        else:
            self._recorder.problems.count("a compaction keeps no summary")

    def _subagent_stop(self, data: Block, own_id: str) -> list[Moment]:
        name, display = data.get("agentName"), data.get("agentDisplayName")
        payload = {"agent_id": name or own_id, "agent_type": display or name or "", "last_assistant_message": ""}
        return self._recorder.moment(HookType.SUBAGENT_STOP, "subagent", own_id, payload)


def _result_text(result: Any) -> Any:
    """The text that the model got; an unknown shape stays as it is."""
    return result["content"] if isinstance(result, dict) and "content" in result else result


def _error_text(data: Block) -> str:
    error = data.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else text_of(_result_text(data.get("result")))

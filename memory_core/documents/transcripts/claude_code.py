"""Transcripts of Claude Code (`~/.claude/projects/<folder>/<session>.jsonl`), versions 1.0 to 2.1.

What becomes of each kind of record, measured on files of nine versions:

user, text                   a prompt. Not prompts: `isMeta` records (expanded commands and skills, caveats), built-in
                             commands and their output, shell lines, notices of background tasks, and what the host
                             injects into a prompt (system reminders, what the editor shows). A custom command is a
                             prompt, written as it was typed: `/name arguments`. Pictures stay, as content blocks.
assistant tool_use + user    one tool moment, when the result comes. The response is `toolUseResult`, which is the very
tool_result                  object that the host gives its hooks as `tool_response`; where it is missing, the content.
                             `is_error`: a failure; its error is the content without the `<tool_use_error>` wrapper,
                             since `toolUseResult` then is the same text with `Error: ` before it. A refusal by the user
                             is a failure too, its text often says why. An interruption is none: reported as a problem,
                             as the hook client drops it.
assistant, text              the last one of a turn is the stop's message. A turn ends at the host's own marks
                             (`stop_hook_summary`, `turn_duration`, a Stop hook's progress), else at the next prompt.
assistant, thinking          dropped: no hook sees it. Records the host wrote itself (`isApiErrorMessage`, model
                             `<synthetic>`) are no words of the assistant.
sub-agents                   `isSidechain` records (1.0), `agent_progress` records (2.1) and files of their own
                             (`agent-*.jsonl`): their tool calls are moments, their prompts and texts are not the
                             user's and not answers. The result of a Task is also a subagent_stop.
compaction                   the summary is a pre_compact moment with `trigger` and `summary`; it is not the user's words
                             and must never count as such. The live hook stores nothing there: it is an import's own.
queue-operation              a message queued while the agent worked: `dequeue` is followed by its own user record;
                             after `remove` the agent got it in the middle of the turn and no record follows, so it
                             becomes a prompt here; `popAll` put it back into the input line. A `queued_command`
                             attachment is the same thing in later versions.
branches                     a rewound or edited branch stays: it happened, and live hooks reported it. Order is the
                             file's. A record whose uuid came before is dropped (resumed sessions copy).
no content                   summaries, titles, file-history snapshots, hook and shell progress, modes: dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory_core.documents.transcripts.lines import Record
from memory_core.documents.transcripts.moments import Moment, Recorder, content_id
from memory_core.documents.transcripts.text import INTERRUPTED, Block, blocks, images_of, text_of, user_words
from memory_core.documents.transcripts.turn import Turn
from memory_core.domain.events import HookType

AGENT = "claude-code"

SILENT_TYPES = frozenset(
    {
        "agent-color",
        "agent-name",
        "agent-setting",
        "ai-title",
        "attribution-snapshot",
        "content-replacement",
        "custom-title",
        "file-history-delta",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "speculation-accept",
        "summary",
        "tag",
        "task-summary",
        "worktree-state",
    }
)
"""Record types that hold nothing a hook would report."""

_TASK_TOOLS = frozenset({"Task", "Agent"})
_ERROR_OPEN, _ERROR_CLOSE = "<tool_use_error>", "</tool_use_error>"


class ClaudeCodeReader:
    """Reads one file, record by record."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._turn = Turn(recorder)
        self._trigger = "auto"
        self._queued: list[tuple[str, str]] = []
        self._delivered: list[str] = []
        self._agents: dict[str, str] = {}
        self._has_main = False

    def feed(self, record: Record) -> Iterator[Moment]:
        """The moments that one more record completes."""
        kind = record.get("type")
        self._recorder.in_session(record.get("sessionId"), record.get("cwd"))
        if kind in SILENT_TYPES:
            return
        self._recorder.at(record.get("timestamp"))
        if kind in ("user", "assistant"):
            yield from self._message(record)
        elif kind == "progress":
            yield from self._progress(record)
        elif kind == "system":
            yield from self._system(record)
        elif kind == "queue-operation":
            yield from self._queue(record)
        elif kind == "attachment":
            yield from self._attachment(record)
        else:
            self._recorder.problems.count(f"a record of the unknown type {str(kind)[:40]!r} is passed over")

    def finish(self) -> Iterator[Moment]:
        """The moments that the end of the file completes."""
        yield from self._turn.end_of_file()
        if not self._has_main:
            for agent_id, text in self._agents.items():
                yield from self._subagent_stop(agent_id, "", text)
        self._recorder.finish()

    # Messages ------------------------------------------------------------------------------------------------------

    def _message(self, record: Record) -> Iterator[Moment]:
        message = record.get("message")
        if not isinstance(message, dict) or message.get("content") is None:
            self._recorder.problems.count("a message record has no content")
            return
        uuid = record.get("uuid")
        own_id = uuid if isinstance(uuid, str) and uuid else content_id(str(record.get("timestamp")), str(message))
        if not self._recorder.is_new("record", own_id):
            self._recorder.problems.count("a record repeats an earlier one and is dropped")
            return
        aside = record.get("isSidechain") is True
        self._has_main = self._has_main or not aside
        if record.get("type") == "assistant":
            self._assistant(record, message, own_id, aside=aside)
        else:
            yield from self._results(record, message)
            if not aside:
                yield from self._user_text(record, message, own_id)

    def _assistant(self, record: Record, message: Block, own_id: str, *, aside: bool) -> None:
        for block in blocks(message["content"]):
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
                self._recorder.call(block["id"], block.get("name"), block.get("input"))
                if not aside:
                    self._turn.use_tool()
        written_by_host = record.get("isApiErrorMessage") or message.get("model") == "<synthetic>"
        text = "" if written_by_host else text_of(message["content"])
        if not aside:
            self._turn.say(own_id, text)
        elif text and isinstance(agent_id := record.get("agentId"), str):
            self._agents[agent_id] = text

    def _user_text(self, record: Record, message: Block, own_id: str) -> Iterator[Moment]:
        text = text_of(message["content"])
        if record.get("isCompactSummary"):
            payload = {"trigger": self._trigger, "summary": text}
            yield from self._recorder.moment(HookType.PRE_COMPACT, "compact", own_id, payload)
        elif record.get("isMeta"):
            return
        elif text.startswith(INTERRUPTED):
            self._turn.interrupt()
        else:
            yield from self._prompt(own_id, user_words(text), images_of(message["content"]))

    def _prompt(self, own_id: str, words: str, images: list[Block] | None = None) -> Iterator[Moment]:
        if not words and not images:
            return
        yield from self._turn.end()
        yield from self._say_prompt(own_id, words, images)

    def _say_prompt(self, own_id: str, words: str, images: list[Block] | None = None) -> list[Moment]:
        payload: dict[str, Any] = {"prompt": words} | ({"images": images} if images else {})
        return self._recorder.moment(HookType.PROMPT_SUBMIT, "prompt", own_id, payload)

    # Tool results --------------------------------------------------------------------------------------------------

    def _results(self, record: Record, message: Block) -> Iterator[Moment]:
        found = [block for block in blocks(message["content"]) if block.get("type") == "tool_result"]
        for block in found:
            call_id = block.get("tool_use_id")
            if not isinstance(call_id, str) or not call_id:
                self._recorder.problems.count("a tool result names no call")
                continue
            structured = record.get("toolUseResult") if len(found) == 1 else None
            yield from self._result(call_id, block, structured)

    def _result(self, call_id: str, block: Block, structured: Any) -> Iterator[Moment]:
        content = block.get("content")
        if block.get("is_error"):
            error = text_of(content).strip().removeprefix(_ERROR_OPEN).removesuffix(_ERROR_CLOSE)
            if error.startswith(INTERRUPTED):
                self._recorder.interrupted(call_id)
            else:
                yield from self._recorder.failure(call_id, error)
            return
        call = self._recorder.open_call(call_id)
        if call is not None and call.name in _TASK_TOOLS:
            kind = call.input.get("subagent_type") if isinstance(call.input, dict) else None
            yield from self._task_done(call_id, content, structured, kind if isinstance(kind, str) else "")
        yield from self._recorder.result(call_id, content if structured is None else structured)

    def _task_done(self, call_id: str, content: Any, structured: Any, agent_type: str) -> Iterator[Moment]:
        """A sub-agent's end. Version 1.0 gives its agents no id: the id of the Task call stands for it."""
        details = structured if isinstance(structured, dict) else {}
        if details.get("isAsync") or details.get("status") == "async_launched":
            return
        agent_id = details.get("agentId")
        own_id = agent_id if isinstance(agent_id, str) and agent_id else call_id
        self._agents.pop(own_id, None)
        yield from self._subagent_stop(own_id, agent_type, text_of(details.get("content") or content))

    def _subagent_stop(self, agent_id: str, agent_type: str, text: str) -> list[Moment]:
        payload = {"agent_id": agent_id, "agent_type": agent_type, "last_assistant_message": text}
        return self._recorder.moment(HookType.SUBAGENT_STOP, "subagent", agent_id, payload)

    # Everything else -----------------------------------------------------------------------------------------------

    def _progress(self, record: Record) -> Iterator[Moment]:
        data = record.get("data")
        if not isinstance(data, dict):
            return
        inner = data.get("message")
        if data.get("type") == "agent_progress" and isinstance(inner, dict):
            yield from self._message({**inner, "isSidechain": True, "agentId": data.get("agentId")})
        elif data.get("type") == "hook_progress" and data.get("hookEvent") == "Stop":
            self._has_main = True
            yield from self._turn.end()

    def _system(self, record: Record) -> Iterator[Moment]:
        subtype = record.get("subtype")
        if subtype in ("stop_hook_summary", "turn_duration"):
            yield from self._turn.end()
        elif subtype == "compact_boundary":
            details = record.get("compactMetadata")
            trigger = details.get("trigger") if isinstance(details, dict) else None
            self._trigger = trigger if isinstance(trigger, str) else "auto"

    def _queue(self, record: Record) -> Iterator[Moment]:
        operation, content = record.get("operation"), record.get("content")
        if operation == "enqueue" and isinstance(content, str):
            self._queued.append((content_id(self._recorder.session_id, str(record.get("timestamp")), content), content))
        elif operation == "popAll":
            self._queued.clear()
        elif operation in ("dequeue", "remove") and self._queued:
            own_id, text = self._queued.pop(0)
            words = user_words(text)
            if operation == "remove" and words:
                self._delivered.append(words)
                yield from self._say_prompt(own_id, words)

    def _attachment(self, record: Record) -> Iterator[Moment]:
        attachment = record.get("attachment")
        if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
            return
        words = user_words(text_of(attachment.get("prompt")))
        if words in self._delivered:
            self._delivered.remove(words)
        elif words and attachment.get("commandMode", "prompt") == "prompt" and isinstance(record.get("uuid"), str):
            yield from self._say_prompt(record["uuid"], words, images_of(attachment.get("prompt")))

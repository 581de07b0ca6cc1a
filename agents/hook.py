#!/usr/bin/env python3
"""Everlore's hook client: reports one event of a coding agent and prints what the agent should read.

    python3 -I -S hook.py <event>      the host's JSON on stdin, context for the agent on stdout

Standard library only, one file, always exit status 0, nothing on stderr. Every event is first appended
to an offline spool, then delivered oldest first by whichever hook process holds the delivery lock, so a
server that is down, a kill or twelve hooks at once neither lose nor reorder anything. Every event carries
an `eventId`, so a delivery that is repeated after a kill is stored once. `-I -S` skip Python's site
start-up, which costs more CPU than the whole hook; nothing here needs it. Python compiles a script at
every start and an imported module once, so where quoting is no trouble this is cheaper still:

    python3 -I -S -c "import sys; sys.path.insert(0, '<folder>'); import hook; hook.script()" <event>

Files in the spool directory, one set for each server:
    <server>.jsonl   header, then one event a line, oldest first, not yet accepted by the server
    <server>.bad     events the server refused and lines that cannot be read, each with the reason
    <server>.trouble how long to leave a slow server alone
    hook.log         what the hook could not do
"""

from __future__ import annotations

import _socket  # the C half of socket, half its start-up cost
import _thread
import json
import os
import sys
import time

TYPE_CHECKING = False  # importing typing costs 3 ms; type checkers treat this name as true
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import IO, Any, Self

    Payload = dict[str, Any]
    Handler = Callable[["Call"], list["Request"]]

if sys.platform == "win32":
    import msvcrt

    def seize(descriptor: int) -> None:
        """Take the lock or raise OSError at once; closing the descriptor gives it back."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def seize(descriptor: int) -> None:
        """Take the lock or raise OSError at once; closing the descriptor gives it back."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


DEFAULT_URL = "http://localhost:3111"
ANSWER_WAIT_S = 1.0  # wait for one answer; the published hooks give up after 0.5 to 1.5 s
LONGEST_WAIT_S = 5.0  # the wait doubles with each failure in a row, so that a slow server still progresses
LONGEST_PAUSE_S = 30.0  # after a slow failure the server is left alone, so that not every hook is held up
BACKLOG_BUDGET_S = 0.2  # wall time for older events and those of other hooks; the rest waits for the next hook
WRITE_LOCK_WAIT_S = 1.0  # the lock is held for microseconds, 0.1 s while a full spool is rewritten
LAST_HOOK_BUDGET_S = 1.5  # for the lock, then for the backlog, at session end: no later hook may come
POISON_AFTER_S = 3600.0  # an event answered 500 for so long is the trouble itself and is set aside
SPOOL_LIMIT_BYTES = 64 * 1024 * 1024
SPOOL_KEPT_SHARE = 0.75  # a full spool drops its oldest quarter at once instead of rewriting at every event
LOG_LIMIT_BYTES = 1024 * 1024
TOOL_DATA_LIMIT = 256 * 1024  # characters of JSON, for a tool's input and for its output
TEXT_LIMIT = 64 * 1024  # characters of an error, a last message, a description, a prompt out of a transcript
TAIL_BYTES = 256 * 1024  # read from a transcript's end to find the last answer
TRANSCRIPT_BYTES = 8 * 1024 * 1024  # read from a transcript's start to find the prompts
TRANSCRIPT_PROMPTS = 50
ANSWER_LIMIT_BYTES = 4 * 1024 * 1024
PRE_COMPACT_TOKENS = 1500

TRY_AGAIN = frozenset({401, 403, 407, 408, 425, 429})  # settings or load: the same event may pass later
IMAGE_STARTS = ("data:image/", "iVBORw0KGgo", "/9j/")
IMAGE_PLACE = "[image data extracted]"
CALL_ID_KEYS = ("tool_use_id", "toolUseId", "tool_call_id", "toolCallId", "call_id")
FILE_TOOLS = frozenset({"edit", "write", "create", "read", "view", "glob", "grep"})
OWN_SERVERS = ("everlore", "agentmemory")
OWN_TOOL_NAMES = (
    "action_create action_update audit checkpoint claude_bridge_sync commit_lookup commits compress_file consolidate"
    " crystallize diagnose export facet_query facet_tag file_history forget frontier governance_delete graph_query heal"
    " insight_list lease lesson_delete lesson_recall lesson_save mesh_sync next obsidian_export patterns profile recall"
    " reflect relations routine_run save sentinel_create sentinel_trigger sessions signal_read signal_send"
    " sketch_create sketch_promote slot_append slot_create slot_delete slot_get slot_list slot_replace smart_search"
    " snapshot_create team_feed team_share timeline verify vision_search"
)
OWN_TOOLS = frozenset(f"memory_{name}" for name in OWN_TOOL_NAMES.split())

OBSERVE, CONTEXT, ENRICH = ("/agentmemory/observe", "/agentmemory/context", "/agentmemory/enrich")
SESSION_START, SESSION_END = "/agentmemory/session/start", "/agentmemory/session/end"
BRIDGE_SYNC = "/agentmemory/claude-bridge/sync"


# --- settings and small values ---------------------------------------------------------------------------------------


def setting(environ: Mapping[str, str], *names: str) -> str:
    """First value that is set; a placeholder that the host left unexpanded counts as not set."""
    for name in names:
        value = environ.get(name, "").strip()
        if value and "${" not in value:
            return value
    return ""


def number(environ: Mapping[str, str], name: str, default: float) -> float:
    """A positive number from the environment, else the default."""
    value = setting(environ, name)
    return float(value) if value.isdecimal() and int(value) > 0 else default


def is_on(environ: Mapping[str, str], *names: str) -> bool:
    return setting(environ, *names).lower() in ("1", "true", "yes", "on")


def spool_directory(environ: Mapping[str, str]) -> str:
    chosen = setting(environ, "EVERLORE_SPOOL_DIR")
    if chosen:
        return os.path.abspath(chosen)
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    state = setting(environ, "XDG_STATE_HOME")
    return os.path.join(state if os.path.isabs(state) else os.path.join(home, ".local", "state"), "everlore")


def iso_now() -> str:
    now = time.time()
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now * 1000) % 1000:03d}Z"


def fresh_id() -> str:
    """A version 4 UUID in hex, without importing uuid."""
    raw = bytearray(os.urandom(16))
    raw[6], raw[8] = raw[6] & 0x0F | 0x40, raw[8] & 0x3F | 0x80
    return raw.hex()


def base36(value: int) -> str:
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"


def to_json(value: Any) -> bytes:
    """Compact UTF-8 JSON; a lone surrogate, which UTF-8 cannot carry, becomes a question mark."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def from_json(raw: bytes | str) -> Any:
    """Parsed JSON; NaN and infinities, which no strict server takes, become null. Raises ValueError, RecursionError."""
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    return json.loads(text.lstrip("\ufeff"), strict=False, parse_constant=lambda _: None, parse_float=_finite)


def _finite(text: str) -> float | None:
    value = float(text)
    return value if value - value == 0 else None


def present(**fields: Any) -> Payload:
    """The fields that have a value: an absent field is an absent key on the wire, never null."""
    return {name: value for name, value in fields.items() if value is not None}


def cut_text(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}[... {len(text) - limit} characters cut by the hook]"


# --- what the host said ----------------------------------------------------------------------------------------------


class Request:
    """One POST. An event is spooled and delivered in order; anything else is asked once, after the events."""

    __slots__ = ("body", "is_event", "path", "shows", "wait")

    def __init__(
        self, path: str, body: Payload, *, is_event: bool = False, shows: bool = False, wait: float | None = None
    ) -> None:
        self.path = path
        self.body = body
        self.is_event = is_event
        self.shows = shows  # the answer's `context` goes to the agent
        self.wait = wait  # seconds; None is the usual wait


class Call:
    """One run of the hook: the host's payload and what every event derives from it."""

    def __init__(self, event: str, payload: Payload, environ: Mapping[str, str]) -> None:
        self.event = event
        self.payload = payload
        self.environ = environ
        self.injects = is_on(environ, "EVERLORE_INJECT_CONTEXT", "AGENTMEMORY_INJECT_CONTEXT")
        self.bridges = setting(environ, "CLAUDE_MEMORY_BRIDGE") == "true"
        self.session_id = self._session_id()
        self.cwd = self._cwd()
        self.project = setting(environ, "EVERLORE_PROJECT", "AGENTMEMORY_PROJECT_NAME") or project_name(self.cwd)

    def text(self, *keys: str) -> str | None:
        """First non-empty string among the payload's keys."""
        return next((value for key in keys if isinstance(value := self.payload.get(key), str) and value), None)

    def value(self, *keys: str) -> Any:
        """First value among the payload's keys that is not null."""
        return next((value for key in keys if (value := self.payload.get(key)) is not None), None)

    def observe(self, hook_type: str, data: Payload, event_id: str = "") -> Request:
        body = {"hookType": hook_type, "sessionId": self.session_id, "project": self.project, "cwd": self.cwd}
        return self.report(OBSERVE, {**body, "data": data}, event_id)

    def report(self, path: str, body: Payload, event_id: str = "", **options: Any) -> Request:
        """An event for the spool: when it happened, its name for ever, and which agent says so."""
        body |= {"timestamp": iso_now(), "eventId": event_id or fresh_id()}
        agent = setting(self.environ, "AGENT_ID")
        return Request(path, {**body, "agentId": agent} if agent else body, is_event=True, **options)

    def _session_id(self) -> str:
        for key in ("session_id", "sessionId", "conversation_id"):
            value = self.payload.get(key)
            if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
                return str(value)
        return f"ses_{base36(int(time.time() * 1000))}" if self.event == "session_start" else "unknown"

    def _cwd(self) -> str:
        roots = self.payload.get("workspace_roots")
        offered = [self.payload.get("cwd"), *(roots if isinstance(roots, list) else [])]
        offered += [setting(self.environ, "DEVIN_PROJECT_DIR"), setting(self.environ, "CLAUDE_PROJECT_DIR")]
        for path in offered:
            if isinstance(path, str) and path.strip():
                return path
        try:
            return os.getcwd()
        except FileNotFoundError:  # the agent deleted the directory it stood in
            return os.sep


def project_name(cwd: str) -> str:
    """Name of the repository around cwd: subdirectories and worktrees share one; outside any, cwd's own name."""
    start = folder = os.path.abspath(cwd.replace("\0", ""))
    while True:
        marker = os.path.join(folder, ".git")
        if os.path.isdir(marker):
            return os.path.basename(folder) or folder
        if os.path.isfile(marker):
            return os.path.basename(main_repository(folder, marker)) or folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return os.path.basename(start) or folder
        folder = parent


def main_repository(folder: str, marker: str) -> str:
    """The main checkout of a worktree, through its `gitdir` and `commondir` files; a submodule is its own."""
    pointer = first_line(marker)
    if not pointer.startswith("gitdir:"):
        return folder
    git_dir = os.path.normpath(os.path.join(folder, pointer[len("gitdir:") :].strip()))
    shared = first_line(os.path.join(git_dir, "commondir"))
    if not shared:
        return folder
    common = os.path.normpath(os.path.join(git_dir, shared))
    if os.path.basename(common).startswith("."):
        return os.path.dirname(common)
    return common.removesuffix(".git")


def first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(4096).strip()
    except OSError:
        return ""


# --- tool data -------------------------------------------------------------------------------------------------------


def is_own_tool(name: str, server: str = "") -> bool:
    """Whether a tool belongs to the memory itself: what was recalled must not be captured as new."""
    name, server = name.lower(), server.lower()
    if name in OWN_TOOLS or server in OWN_SERVERS:
        return True
    plain = name.replace("mcp__plugin_", "mcp__", 1)
    if plain.startswith(tuple(f"mcp__{own}" for own in OWN_SERVERS)):
        return True
    return "memory_" in name and name.startswith(OWN_SERVERS)


def take_image(value: Any) -> tuple[Any, str | None]:
    """The value without its first image at any depth, and that image (base64 or a data URI)."""
    if isinstance(value, str):
        return (IMAGE_PLACE, value) if value.startswith(IMAGE_STARTS) else (value, None)
    if not isinstance(value, (dict, list)):
        return value, None
    if isinstance(value, dict) and (declared := declared_image(value)):
        return {**value, declared[0]: IMAGE_PLACE}, declared[1]
    pairs: Any = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        rest, image = take_image(inner)
        if image is not None:
            copy: Any = value.copy()
            copy[key] = rest
            return copy, image
    return value, None


def declared_image(block: Payload) -> tuple[str, str] | None:
    """Key and data of an image block that names its media type, for formats whose base64 has no known start."""
    media = next((m for k in ("media_type", "mimeType", "type") if str(m := block.get(k)).startswith("image/")), None)
    for key in ("base64", "data"):
        content = block.get(key)
        if media and isinstance(content, str) and content:
            return key, content if content.startswith(IMAGE_STARTS) else f"data:{media};base64,{content}"
    return None


def json_length(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def cut_strings(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        return cut_text(value, limit)
    if isinstance(value, dict):
        return {key: cut_strings(inner, limit) for key, inner in value.items()}
    return [cut_strings(inner, limit) for inner in value] if isinstance(value, list) else value


def string_lengths(value: Any) -> Iterable[int]:
    if isinstance(value, str):
        yield json_length(value)
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from string_lengths(inner)


def cut_data(value: Any, limit: int = TOOL_DATA_LIMIT) -> Any:
    """The value in at most `limit` characters of JSON: its longest strings are cut, its shape stays.

    A value that is too long even so (a million numbers) becomes the start of its JSON as one string.
    """
    size = json_length(value)
    if size <= limit:
        return value
    lengths = sorted(string_lengths(value))
    room = limit - (size - sum(lengths))
    level = 0
    for index, length in enumerate(lengths):
        share = room // (len(lengths) - index)
        if length > share:
            level = share
            break
        room -= length
    while level > 64:
        shorter = cut_strings(value, level)
        if json_length(shorter) <= limit:
            return shorter
        level = level * 9 // 10 - 60  # the marks and escaped characters need room too
    return cut_text(json.dumps(value, ensure_ascii=False), limit // 2)


# --- transcripts -----------------------------------------------------------------------------------------------------


def transcript(call: Call) -> str:
    path = os.path.expanduser(call.text("transcript_path", "transcriptPath") or "").replace("\0", "")
    return path if path.endswith(".jsonl") and os.path.isfile(path) else ""


def entries(lines: Iterable[bytes]) -> Iterable[Payload]:
    """The JSON objects among a transcript's lines; a half written line is no entry."""
    for line in lines:
        try:
            entry = from_json(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            yield entry


def message_text(entry: Payload) -> str:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content.strip()
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def last_answer(path: str) -> str:
    """Last text of the assistant since the last prompt, out of the transcript's tail; "" when there is none."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL_BYTES))
        lines = file.read(TAIL_BYTES).split(b"\n")
    for entry in entries(reversed(lines if size <= TAIL_BYTES else lines[1:])):
        text = "" if entry.get("isSidechain") or entry.get("isMeta") else message_text(entry)
        speaker = entry.get("role") or entry.get("type")
        if text and speaker in ("assistant", "user"):
            return text if speaker == "assistant" else ""
    return ""


def transcript_prompts(path: str) -> list[str]:
    """Prompts of a transcript whose lines have a top-level role (Cursor's); other hosts reported theirs already."""
    prompts: list[str] = []
    with open(path, "rb") as file:
        for entry in entries(file.read(TRANSCRIPT_BYTES).splitlines()):
            if "role" not in entry and "type" in entry:
                return prompts
            if entry.get("role") == "user" and (text := message_text(entry)):
                inner = text.partition("<user_query>")[2].partition("</user_query>")[0]
                prompts.append(cut_text(inner.strip() or text, TEXT_LIMIT))
            if len(prompts) == TRANSCRIPT_PROMPTS:
                break
    return prompts


# --- the events ------------------------------------------------------------------------------------------------------


def session_start(call: Call) -> list[Request]:
    body = {"sessionId": call.session_id, "project": call.project, "cwd": call.cwd}
    return [call.report(SESSION_START, body, shows=call.injects, wait=1.5 if call.injects else None)]


def prompt_submit(call: Call) -> list[Request]:
    return [call.observe("prompt_submit", present(prompt=call.value("prompt", "userPrompt")))]


def pre_tool_use(call: Call) -> list[Request]:
    tool, given = (call.text("tool_name", "toolName") or "", call.value("tool_input", "toolArgs"))
    kind = tool.lower()
    if not call.injects or kind not in FILE_TOOLS or not isinstance(given, dict):
        return []
    keys = ("path", "file") if kind == "grep" else ("file_path", "path", "file", "pattern")
    files = [value for key in keys if isinstance(value := given.get(key), str) and value]
    pattern = given.get("pattern")
    terms = [pattern] if kind in ("grep", "glob") and isinstance(pattern, str) and pattern else []
    body = {"sessionId": call.session_id, "files": files, "terms": terms, "toolName": tool, "project": call.project}
    return [Request(ENRICH, body, shows=True, wait=2.0)] if files else []


def post_tool_use(call: Call) -> list[Request]:
    tool = call.text("tool_name", "toolName")
    if is_own_tool(tool or "", call.text("mcp_server_name", "server_name") or ""):
        return []
    output = call.value("tool_response", "tool_output", "tool_result", "toolResult")
    if isinstance(output, dict) and call.value("tool_response", "tool_output") is None:
        for key in ("text_result_for_llm", "textResultForLlm"):
            output = output if not isinstance(output, dict) or output.get(key) is None else output[key]
    output, image = take_image(output)
    given = cut_data(call.value("tool_input", "toolArgs"))
    data = present(tool_name=tool, tool_input=given, tool_output=cut_data(output), image_data=image)
    return [call.observe("post_tool_use", data, tool_event_id(call.text(*CALL_ID_KEYS)))]


def post_tool_failure(call: Call) -> list[Request]:
    tool = call.text("tool_name", "toolName")
    if call.value("is_interrupt", "isInterrupt") or is_own_tool(tool or "", call.text("mcp_server_name") or ""):
        return []
    given, error = (call.value("tool_input", "toolArgs"), call.value("error", "errorMessage"))
    data = present(tool_name=tool, tool_input=as_text(given, ""), error=as_text(error, ""))
    return [call.observe("post_tool_failure", data, tool_event_id(call.text(*CALL_ID_KEYS)))]


def as_text(value: Any, absent: str | None = None) -> str | None:
    if value is None:
        return absent
    return cut_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), TEXT_LIMIT)


def pre_compact(call: Call) -> list[Request]:
    about = present(trigger=call.text("trigger"), custom_instructions=as_text(call.value("custom_instructions")))
    requests = [call.observe("pre_compact", about)]
    if call.bridges:
        requests.append(Request(BRIDGE_SYNC, {}, wait=5.0))
    if call.injects:
        body = {"sessionId": call.session_id, "project": call.project, "budget": PRE_COMPACT_TOKENS}
        requests.append(Request(CONTEXT, body, shows=True, wait=5.0))
    return requests


def subagent(call: Call) -> Payload:
    kind = call.text("agent_type", "agentDisplayName", "agentName")
    return present(agent_id=call.text("agent_id", "agentName"), agent_type=kind)


def subagent_start(call: Call) -> list[Request]:
    return [call.observe("subagent_start", subagent(call))]


def subagent_stop(call: Call) -> list[Request]:
    last = call.text("last_assistant_message", "lastAssistantMessage") or ""
    return [call.observe("subagent_stop", {**subagent(call), "last_message": cut_text(last, TEXT_LIMIT)})]


def notification(call: Call) -> list[Request]:
    kind = call.text("notification_type", "notificationType")
    if kind != "permission_prompt":
        return []
    data = present(notification_type=kind, title=call.value("title"), message=call.value("message"))
    return [call.observe("notification", data)]


def task_completed(call: Call) -> list[Request]:
    fields = ("task_id", "task_subject", "teammate_name", "team_name")
    data = present(**{name: call.value(name) for name in fields})
    return [call.observe("task_completed", {**data, "task_description": as_text(call.value("task_description"), "")})]


def stop(call: Call) -> list[Request]:
    path = transcript(call)
    last = call.text("last_assistant_message", "lastAssistantMessage") or (last_answer(path) if path else "")
    said = [call.observe("stop", {"last_assistant_message": cut_data(last)})] if last.strip() else []
    return [*said, call.report(SESSION_END, {"sessionId": call.session_id})]


def session_end(call: Call) -> list[Request]:
    path = transcript(call)
    requests = []
    for index, prompt in enumerate(transcript_prompts(path) if path else []):
        name = named_id(call.session_id, str(index), prompt)
        requests.append(call.observe("prompt_submit", {"prompt": prompt}, name))
    requests.append(call.report(SESSION_END, {"sessionId": call.session_id}))
    return [*requests, Request(BRIDGE_SYNC, {})] if call.bridges else requests


def tool_event_id(call_id: str | None) -> str:
    """The id of a tool call's event, "" where the call's own id is not unique in the world.

    Ids that a model's service makes are (`toolu_...`, `call_...`). A transcript tells the same ones, so that an event
    reported twice, or reported and imported, is stored once.
    """
    maker, _, rest = (call_id or "").partition("_")
    unique = maker in ("toolu", "call") and 16 <= len(rest) <= 128 and rest.isascii()
    return f"tool:{call_id}" if unique and rest.replace("_", "").isalnum() else ""


def named_id(*parts: str) -> str:
    """The same event id at every reading, so that a transcript read twice is stored once."""
    import hashlib  # costs 2 ms, needed here only

    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


HANDLERS: dict[str, Handler] = {
    "session_start": session_start,
    "prompt_submit": prompt_submit,
    "pre_tool_use": pre_tool_use,
    "post_tool_use": post_tool_use,
    "post_tool_failure": post_tool_failure,
    "pre_compact": pre_compact,
    "subagent_start": subagent_start,
    "subagent_stop": subagent_stop,
    "notification": notification,
    "task_completed": task_completed,
    "stop": stop,
    "session_end": session_end,
}

OTHER_NAMES = {
    "userpromptsubmit": "prompt_submit",
    "userpromptsubmitted": "prompt_submit",
    "beforesubmitprompt": "prompt_submit",
    "posttoolusefailure": "post_tool_failure",
    "agentstop": "stop",
}


def event_named(name: str) -> str | None:
    """The event of any host's spelling: `SessionStart`, `session-start`, `beforeSubmitPrompt`; None if unknown."""
    bare = "".join(letter for letter in name.lower() if letter.isalnum())
    return OTHER_NAMES.get(bare) or next((event for event in HANDLERS if event.replace("_", "") == bare), None)


# --- what the agent reads --------------------------------------------------------------------------------------------


def shown(call: Call, context: str) -> str:
    """The context in the form that this host injects; text on other hosts and events."""
    spelling = call.payload.get("hook_event_name")
    if call.event == "session_start":
        if isinstance(call.payload.get("cursor_version"), str) or spelling == "sessionStart":
            return json.dumps({"additional_context": context})
        if is_devin(call):
            return hook_output("SessionStart", context)
    if call.event == "pre_tool_use" and spelling == "PreToolUse" and is_claude(call):
        return hook_output("PreToolUse", context)
    return context


def hook_output(event: str, context: str) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}})


def is_devin(call: Call) -> bool:
    return bool(setting(call.environ, "DEVIN_PROJECT_DIR") or "prompt_id" in call.payload)


def is_claude(call: Call) -> bool:
    """Claude Code names itself in the environment; Codex borrows its payload but adds a turn_id."""
    named = setting(call.environ, "CLAUDE_PROJECT_DIR", "CLAUDECODE")
    borrowed = "turn_id" in call.payload or "cursor_version" in call.payload
    devin = setting(call.environ, "DEVIN_PROJECT_DIR")
    return bool(named or "permission_mode" in call.payload) and not borrowed and not devin


# --- HTTP ------------------------------------------------------------------------------------------------------------


class Server:
    """One keep-alive HTTP/1.1 connection; http.client costs 20 ms to import, these lines none."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        url = setting(environ, "EVERLORE_URL", "AGENTMEMORY_URL") or DEFAULT_URL
        if any(ord(letter) <= 32 for letter in url):
            url = DEFAULT_URL
        scheme, mark, rest = url.rstrip("/").partition("://")
        authority, slash, prefix = (rest if mark else scheme).partition("/")
        authority = authority.rpartition("@")[2]
        host, colon, port = authority.rpartition(":") if not authority.endswith("]") else (authority, "", "")
        self.secure = bool(mark) and scheme.lower() == "https"
        self.host = (host if colon else authority).strip("[]")
        self.port = int(port) if port.isdecimal() and len(port) < 6 else 443 if self.secure else 80
        self.prefix = slash + prefix
        self.authority = authority
        secret = setting(environ, "EVERLORE_SECRET", "AGENTMEMORY_SECRET")
        bearer = f"Authorization: Bearer {' '.join(secret.split())}\r\n" if secret else ""
        self.headers = f"Host: {authority}\r\n{bearer}Content-Type: application/json\r\n"
        self.connection: Any = None

    @property
    def label(self) -> str:
        """A file name for this server, without user names or secrets."""
        name = f"{'https' if self.secure else 'http'}_{self.host}_{self.port}{self.prefix}"
        return "".join(letter if letter.isalnum() or letter in "._-" else f"%{ord(letter):02x}" for letter in name)

    def post(self, path: str, body: bytes, wait: float) -> tuple[int, bytes]:
        """Status and body of the answer; OSError when there is none within `wait` seconds."""
        end = time.monotonic() + wait
        head = f"POST {self.prefix}{path} HTTP/1.1\r\n{self.headers}Content-Length: {len(body)}\r\n\r\n"
        request = head.encode("latin-1", "replace") + body
        if self.connection is not None:
            try:
                return self._exchange(request, end)
            except ConnectionError:  # the server closed the idle connection; eventId makes a repetition harmless
                self.close()
        return self._exchange(request, end)

    def _exchange(self, request: bytes, end: float) -> tuple[int, bytes]:
        try:
            if self.connection is None:
                self.connection = self._connect(end)
            self._until(end).sendall(request)
            return self._answer(end)
        except (ValueError, IndexError) as problem:
            self.close()
            raise ConnectionError(f"not an HTTP answer: {problem}") from problem
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def _until(self, end: float) -> Any:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        self.connection.settimeout(left)
        return self.connection

    def _connect(self, end: float) -> Any:
        problem: OSError = ConnectionError(f"{self.host} has no address")
        for family, address in resolve(self.host, self.port, end):
            plain = new_socket(family, self.secure)
            try:
                plain.settimeout(max(0.001, end - time.monotonic()))
                plain.connect(address)
                plain.setsockopt(
                    _socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1
                )  # the end of a long body does not wait for an acknowledgement
                if not self.secure:
                    return plain
                import ssl  # costs 20 ms, paid for https only

                return ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
            except OSError as failure:
                plain.close()
                problem = failure
        raise problem

    def _answer(self, end: float) -> tuple[int, bytes]:
        data = b""
        while b"\r\n\r\n" not in data:
            data = self._more(end, data)
        head, _, data = data.partition(b"\r\n\r\n")
        status_line, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = int(status_line.split(" ", 2)[1])
        if "chunked" in headers.get("transfer-encoding", "").lower():
            data = self._chunks(end, data)
        else:
            length = 0 if status in (204, 304) else int(headers.get("content-length", "-1"))
            try:
                while length < 0 or len(data) < length:
                    data = self._more(end, data)
            except ConnectionResetError:  # without a length the end of the connection is the end of the answer
                self.close()
                if length >= 0:
                    raise
        if headers.get("connection", "").lower() == "close" or not head.startswith(b"HTTP/1.1 "):
            self.close()
        return status, data

    def _chunks(self, end: float, data: bytes) -> bytes:
        whole = b""
        while True:
            while b"\r\n" not in data:
                data = self._more(end, data)
            size, _, data = data.partition(b"\r\n")
            length = int(size.split(b";")[0], 16)
            if not length:
                return whole
            while len(data) < length + 2:
                data = self._more(end, data)
            whole, data = whole + data[:length], data[length + 2 :]

    def _more(self, end: float, data: bytes) -> bytes:
        piece = self._until(end).recv(65536)
        if not piece:
            raise ConnectionResetError("the server closed the connection")
        if len(data) > ANSWER_LIMIT_BYTES:
            raise ConnectionError("the answer is too long")
        return data + bytes(piece)


def new_socket(family: int, secure: bool) -> Any:
    if secure:  # ssl wraps the full class only
        import socket

        return socket.socket(family, socket.SOCK_STREAM)
    return _socket.socket(family, _socket.SOCK_STREAM)


def resolve(host: str, port: int, end: float) -> list[tuple[int, Any]]:
    """Families and addresses, IPv4 first; a name server that hangs is given up, which getaddrinfo cannot do."""
    found: list[Any] = []
    done = _thread.allocate_lock()
    done.acquire()

    def look_up() -> None:
        try:
            name = host.encode("ascii") if host.isascii() else host  # bytes spare the import of the IDNA tables
            found.extend(_socket.getaddrinfo(name, port, 0, _socket.SOCK_STREAM))
        except (OSError, UnicodeError):
            found.clear()
        finally:
            done.release()

    _thread.start_new_thread(look_up, ())
    if not done.acquire(timeout=max(0.001, end - time.monotonic())):
        raise TimeoutError(f"the name {host} was not resolved in time")
    return sorted(((int(row[0]), row[4]) for row in found), key=lambda row: row[0] != _socket.AF_INET)


# --- the spool -------------------------------------------------------------------------------------------------------


class Lock:
    """An exclusive lock on a file, given back by the system when its holder dies."""

    def __init__(self, path: str, patience: float) -> None:
        self.path = path
        self.patience = patience

    def __enter__(self) -> Self:
        give_up = time.monotonic() + self.patience
        self.descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        while True:
            try:
                seize(self.descriptor)
                return self
            except OSError as taken:
                if time.monotonic() >= give_up:
                    os.close(self.descriptor)
                    raise TimeoutError(f"{self.path} is held by another hook") from taken
            time.sleep(0.002)

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)


def private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_all(file: Any, data: bytes) -> None:
    while data:
        data = data[file.write(data) :]


class Spool:
    """Events of one server in order, on disk: a header with the place of the first one still to deliver, then lines.

    Every method takes the write lock for itself and opens the file anew, so a process may die anywhere: the
    place moves only after the server accepted the line, and a half written line is set aside by its reader.
    """

    START = b'{"everlore_spool":1,"next":'
    SIZE = len(START) + 14

    def __init__(self, environ: Mapping[str, str], label: str) -> None:
        directory = spool_directory(environ)
        os.makedirs(directory, mode=0o700, exist_ok=True)
        self.base = os.path.join(directory, label)
        self.path = self.base + ".jsonl"
        self.limit = int(number(environ, "EVERLORE_SPOOL_MAX_BYTES", SPOOL_LIMIT_BYTES))

    def append(self, lines: list[bytes]) -> None:
        """Add events behind all others. Raises OSError when they cannot be kept."""
        data = b"".join(lines)
        if len(data) > self.limit * SPOOL_KEPT_SHARE - self.SIZE:
            raise OSError("the event is larger than the spool")
        with self._locked():
            if os.path.exists(self.path) and os.path.getsize(self.path) + len(data) > self.limit:
                self._drop_oldest(len(data))
            with open(self.path, "ab+", buffering=0, opener=private) as file:
                if file.seek(0, os.SEEK_END) == 0:
                    data = self._header(self.SIZE) + data
                else:
                    file.seek(-1, os.SEEK_END)
                    data = data if file.read(1) == b"\n" else b"\n" + data
                write_all(file, data)

    def first(self) -> bytes:
        """The oldest line still to deliver, b"" when there is none."""
        with self._locked():
            try:
                with open(self.path, "rb") as file:
                    if self._seek(file):
                        return file.readline()
            except FileNotFoundError:
                return b""
            self._rewrite(self._rest())
            with open(self.path, "rb") as file:
                return file.readline() if self._seek(file) else b""

    def remove(self, line: bytes) -> None:
        """Go past a line that was delivered or set aside, if it is still the oldest one."""
        with self._locked():
            with open(self.path, "rb+", buffering=0) as file:
                place = self._seek(file)
                if not place or file.read(len(line)) != line:
                    return
                if file.seek(0, os.SEEK_END) > place + len(line):
                    file.seek(0)
                    write_all(file, self._header(place + len(line)))
                    return
            os.unlink(self.path)

    def set_aside(self, line: bytes, reason: str) -> None:
        """Keep a line that can never be delivered, with the reason, out of the way of the others."""
        row = to_json({"at": iso_now(), "reason": reason, "line": line.decode("utf-8", "replace").strip()}) + b"\n"
        bad = self.base + ".bad"
        if os.path.exists(bad) and os.path.getsize(bad) + len(row) > self.limit:
            os.replace(bad, bad + ".old")
        with open(bad, "ab", buffering=0, opener=private) as file:
            write_all(file, row)
        self.remove(line)

    def _locked(self) -> Lock:
        return Lock(self.base + ".lock", WRITE_LOCK_WAIT_S)

    def _header(self, place: int) -> bytes:
        return self.START + b"%12d}\n" % place

    def _seek(self, file: IO[bytes]) -> int:
        """Go to the first line still to deliver; 0 when the header or the place it names is damaged."""
        header = file.read(self.SIZE)
        digits = header[len(self.START) : -2].strip()
        if not header.startswith(self.START) or not digits.isdigit():
            return 0
        place, size = int(digits), file.seek(0, os.SEEK_END)
        if not self.SIZE <= place <= size:
            return 0
        file.seek(place - 1)
        return place if file.read(1) == b"\n" else 0

    def _rest(self) -> bytes:
        """Lines still to deliver; with a damaged header all lines, since eventId makes a repetition harmless."""
        with open(self.path, "rb") as file:
            if self._seek(file):
                return file.read()
            file.seek(0)
            data = file.read()
        return data.partition(b"\n")[2] if data.startswith(self.START) else data

    def _rewrite(self, rest: bytes) -> None:
        with open(self.path + ".new", "wb", buffering=0, opener=private) as file:
            write_all(file, self._header(self.SIZE) + rest)
        os.replace(self.path + ".new", self.path)

    def _drop_oldest(self, needed: int) -> None:
        """Make room for `needed` bytes; what is dropped is counted in an event that takes its place."""
        rest = self._rest()
        start, dropped = 0, []
        while len(rest) - start + needed > self.limit * SPOOL_KEPT_SHARE and start < len(rest):
            end = rest.find(b"\n", start) + 1 or len(rest)
            dropped.append(rest[start:end])
            start = end
        self._rewrite(overflow_line(dropped) + rest[start:] if dropped else rest)


def overflow_line(dropped: list[bytes]) -> bytes:
    """A `spool_overflow` event that counts the lines dropped, and those that earlier ones counted."""
    count = size = 0
    body: Payload = {"sessionId": "unknown", "project": "unknown", "cwd": os.sep, "timestamp": iso_now()}
    for line in dropped:
        entry = parsed(line)
        old = entry[2] if entry else {}
        counted = old.get("data") if old.get("hookType") == "spool_overflow" else None
        count += counted["dropped"] if isinstance(counted, dict) else 1
        size += counted["bytes"] if isinstance(counted, dict) else len(line)
        body |= {name: old[name] for name in ("sessionId", "project", "cwd") if isinstance(old.get(name), str)}
    about = {"dropped": count, "bytes": size}
    return spooled(Request(OBSERVE, {"hookType": "spool_overflow", **body, "data": about, "eventId": fresh_id()}))


def spooled(request: Request) -> bytes:
    return to_json({"path": request.path, "body": request.body}) + b"\n"


def parsed(line: bytes) -> tuple[str, str, Payload] | None:
    """Event id, path and body of a spooled line; None when it cannot be one."""
    try:
        entry = from_json(line)
        body, path = entry["body"], entry["path"]
        event_id = body["eventId"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    usable = isinstance(body, dict) and isinstance(path, str) and path.startswith("/agentmemory/")
    return (str(event_id), path, body) if usable and path.isascii() and path.isprintable() else None


# --- delivery --------------------------------------------------------------------------------------------------------


class Trouble:
    """What is known about a server that fails: until when it is left alone, and which event it answers with 500."""

    def __init__(self, path: str, wait: float) -> None:
        self.path = path
        self.base_wait = wait
        try:
            with open(path, "rb") as file:
                known = from_json(file.read(4096))
        except (OSError, ValueError):
            known = None
        known = known if isinstance(known, dict) else {}
        self.until, self.failures, self.since = (_amount(known.get(k)) for k in ("until", "failures", "since"))
        self.event = known.get("event")

    @property
    def pauses(self) -> bool:
        return 0 < self.until - time.time() <= LONGEST_PAUSE_S

    @property
    def wait(self) -> float:
        return float(min(self.base_wait * 2.0 ** min(self.failures, 10.0), max(LONGEST_WAIT_S, self.base_wait)))

    def slow(self) -> None:
        self.failures += 1
        self.until = time.time() + min(LONGEST_PAUSE_S, 2 * self.wait)
        self._save()

    def refused(self, event_id: str) -> bool:
        """Note that the server answered 500; whether this event has been the trouble for too long."""
        if self.event != event_id:
            self.event, self.since = event_id, time.time()
            self._save()
        return time.time() - self.since > POISON_AFTER_S

    def over(self) -> None:
        if self.failures or self.event:
            self.until = self.failures = self.since = 0.0
            self.event = None
            self._save()

    def _save(self) -> None:
        state = {name: getattr(self, name) for name in ("until", "failures", "event", "since")}
        try:
            with open(self.path, "wb", opener=private) as file:
                file.write(to_json(state))
        except OSError:
            return  # a read-only home: every hook finds out by itself


def _amount(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


class Courier:
    """Delivers the spool's events in order, each until the server has answered it."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.server = Server(environ)
        self.wait = number(environ, "EVERLORE_HOOK_TIMEOUT_MS", ANSWER_WAIT_S * 1000) / 1000
        self.trouble = Trouble(os.path.join(spool_directory(environ), self.server.label + ".trouble"), self.wait)
        self.reachable = not self.trouble.pauses
        self.answers: dict[str, bytes] = {}
        self.end = 0.0

    def report(self, events: list[Request], *, is_last: bool) -> None:
        """Spool the events and deliver what the budget allows; without a usable spool try each one at once."""
        try:
            spool = Spool(self.environ, self.server.label)
            spool.append([spooled(event) for event in events])
        except OSError as problem:
            note(self.environ, f"no spool: {problem}")
            for event in events:
                self.send_now(event)
            return
        patience = LAST_HOOK_BUDGET_S if is_last else 0.0
        self.end = time.monotonic() + max(patience, BACKLOG_BUDGET_S)
        self.drain(spool, patience, {event.body["eventId"]: event for event in events})

    def drain(self, spool: Spool, patience: float, own: dict[str, Request]) -> None:
        """Deliver while holding the delivery lock; look again after giving it back, since a hook that could not
        get the lock meanwhile has left its event to us."""
        while self.reachable and spool.first():
            try:
                with Lock(spool.base + ".deliver", patience):
                    going = self._deliver(spool, own)
            except TimeoutError:
                return
            if not going:
                return

    def _deliver(self, spool: Spool, own: dict[str, Request]) -> bool:
        """Whether the spool was emptied; False when the budget is spent or the server fails."""
        sent = 0
        while line := spool.first():
            if sent and time.monotonic() > self.end:
                return False
            sent += 1
            entry = parsed(line)
            if entry is None:
                spool.set_aside(line, "unreadable")
            elif not self._send(spool, line, entry, own.get(entry[0])):
                self.reachable = False
                return False
        return True

    def _send(self, spool: Spool, line: bytes, entry: tuple[str, str, Payload], own: Request | None) -> bool:
        """Whether the queue may go on behind this event."""
        event_id, path, body = entry
        status, answer = self._post(path, body, own.wait if own else None)
        if 200 <= status < 300:
            self.trouble.over()
            self.answers[event_id] = answer
            spool.remove(line)
            return True
        hopeless = 400 <= status < 500 and status not in TRY_AGAIN
        if hopeless or (status == 500 and self.trouble.refused(event_id)):
            spool.set_aside(line, f"status {status}: {answer[:500].decode('utf-8', 'replace')}")
            return True
        return False

    def send_now(self, request: Request) -> bytes:
        """The answer to one request outside the queue, b"" when there is none."""
        status, answer = self._post(request.path, request.body, request.wait)
        accepted = 200 <= status < 300
        if request.is_event and accepted:
            self.answers[request.body["eventId"]] = answer
        elif request.is_event:
            note(self.environ, f"lost {request.path}, status {status}")
        return answer if accepted else b""

    def _post(self, path: str, body: Payload, wanted: float | None) -> tuple[int, bytes]:
        """Status and body of the answer; status 0 when there is none."""
        wait = max(self.trouble.wait, wanted or 0.0)
        started = time.monotonic()
        try:
            return self.server.post(path, to_json(body), wait)
        except OSError as problem:
            self.reachable = False
            if time.monotonic() - started > wait / 2:
                self.trouble.slow()
            return 0, str(problem).encode("utf-8", "replace")


def perform(call: Call, requests: list[Request]) -> str:
    """Report the events, ask the questions, and give the context that the agent should read, "" for none."""
    courier = Courier(call.environ)
    events = [request for request in requests if request.is_event]
    if events:
        courier.report(events, is_last=call.event == "session_end")
    context = ""
    for request in requests:
        if request.is_event:
            answer = courier.answers.get(request.body["eventId"], b"")
            if request.shows and not answer and courier.reachable:  # another hook delivered it, or older events wait
                known = {"sessionId": call.session_id, "project": call.project}
                answer = courier.send_now(Request(CONTEXT, known, wait=request.wait))
        else:
            answer = courier.send_now(request) if courier.reachable else b""
        context = (context_of(answer) if request.shows else "") or context
    courier.server.close()
    return context


def context_of(answer: bytes) -> str:
    try:
        found = from_json(answer)
    except (ValueError, RecursionError):
        return ""
    context = found.get("context") if isinstance(found, dict) else None
    return context if isinstance(context, str) and context.strip() else ""


def note(environ: Mapping[str, str], text: str) -> None:
    """One line in hook.log, the only place where a hook may complain."""
    path = os.path.join(spool_directory(environ), "hook.log")
    try:
        fresh = not os.path.exists(path) or os.path.getsize(path) > LOG_LIMIT_BYTES
        with open(path, "wb" if fresh else "ab", opener=private) as file:
            file.write(f"{iso_now()} {text}\n".encode("utf-8", "replace"))
    except OSError:
        return  # nowhere to write, and the agent must not notice


# --- the process -----------------------------------------------------------------------------------------------------


def main(argv: list[str], stdin: IO[Any], stdout: IO[str], environ: Mapping[str, str]) -> int:
    """Run the hook named by argv[1], else by the payload's `hook_event_name`. Always 0."""
    try:
        run(argv[1] if len(argv) > 1 else "", stdin, stdout, environ)
    except Exception as problem:  # noqa: BLE001 - the edge of the process: whatever goes wrong, the agent goes on
        note(environ, f"{' '.join(argv[1:])}: {type(problem).__name__}: {problem}")
    return 0


def run(name: str, stdin: IO[Any], stdout: IO[str], environ: Mapping[str, str]) -> None:
    if "1" in (environ.get("EVERLORE_SDK_CHILD"), environ.get("AGENTMEMORY_SDK_CHILD")):
        return  # the memory's own model call: capturing it would call the model again
    try:
        payload = from_json(stdin.read())
    except (ValueError, RecursionError) as problem:
        note(environ, f"{name}: unreadable payload: {problem}")
        return
    if not isinstance(payload, dict) or payload.get("entrypoint") == "sdk-ts":
        return
    event = event_named(name or str(payload.get("hook_event_name")))
    if event is None:
        note(environ, f"unknown event {name!r}")
        return
    call = Call(event, payload, environ)
    requests = HANDLERS[event](call)
    context = perform(call, requests) if requests else ""
    if context:
        stdout.write(shown(call, context))
        stdout.flush()


def script() -> None:
    """The process: no traceback, no flush error at exit, no wait for a name server still asked."""
    try:
        with open(1, "w", encoding="utf-8", errors="replace", newline="\n", closefd=False) as output:  # any locale
            main(sys.argv, sys.stdin.buffer, output, os.environ)
    except KeyboardInterrupt:
        pass
    finally:
        os._exit(0)


if __name__ == "__main__":
    script()

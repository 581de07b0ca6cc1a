"""Which kind of observation an event is: the protocol's rules by hook and by the words of the tool's name."""

from __future__ import annotations

import re

from memory_core.capture.fields import CONVERSATION_TOOL
from memory_core.domain.events import HookType, ObservationType

_BY_HOOK = {
    HookType.POST_TOOL_FAILURE: ObservationType.ERROR,
    HookType.PROMPT_SUBMIT: ObservationType.CONVERSATION,
    HookType.SUBAGENT_STOP: ObservationType.SUBAGENT,
    HookType.TASK_COMPLETED: ObservationType.SUBAGENT,
    HookType.NOTIFICATION: ObservationType.NOTIFICATION,
}

_BY_NAME = {
    CONVERSATION_TOOL: ObservationType.CONVERSATION,
    "write_stdin": ObservationType.COMMAND_RUN,
    "todowrite": ObservationType.TASK,
    "todoread": ObservationType.TASK,
    "todo_write": ObservationType.TASK,
    "todo_read": ObservationType.TASK,
    "update_plan": ObservationType.TASK,
    "task_create": ObservationType.TASK,
    "task_update": ObservationType.TASK,
}
"""Tools whose names mislead the protocol's word rules: a list of things to do is no file, nor is a process's input."""

_BY_WORD: tuple[tuple[tuple[str, ...], ObservationType], ...] = (
    (("fetch", "http", "web"), ObservationType.WEB_FETCH),
    (("grep", "search", "glob", "find"), ObservationType.SEARCH),
    (("bash", "shell", "exec", "run"), ObservationType.COMMAND_RUN),
    (("edit", "update", "patch", "replace"), ObservationType.FILE_EDIT),
    (("write", "create"), ObservationType.FILE_WRITE),
    (("read", "view"), ObservationType.FILE_READ),
    (("task", "agent"), ObservationType.SUBAGENT),
)
"""The first group with a word that is a part of the name, its beginning or its end (algorithms.md section 4)."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def kind_of(hook_type: str, tool_name: str | None, *, watched_file: bool = False) -> ObservationType:
    """The kind by hook, else by the tool's name, else by the hook's; `watched_file` is a report of the file watcher."""
    if hook_type in _BY_HOOK:
        return _BY_HOOK[HookType(hook_type)]
    if watched_file and not tool_name:
        return ObservationType.FILE_EDIT
    name = _CAMEL.sub("_", tool_name or hook_type).replace("-", "_").replace(" ", "_").lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    parts = set(name.split("_"))
    for group, kind in _BY_WORD:
        if any(word in parts or name.startswith(word) or name.endswith(word) for word in group):
            return kind
    return ObservationType.OTHER

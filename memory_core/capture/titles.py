"""A title and a subtitle that say what happened, in the lengths the protocol's clients print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory_core.capture.fields import Fields
from memory_core.capture.wording import clip, first_line, one_line, plain, prose, words
from memory_core.domain.events import HookType, ObservationType
from memory_core.domain.tunables_capture import SUBTITLE_LIMIT, TITLE_LIMIT

_ASKED_FIRST = {
    ObservationType.SEARCH: ("pattern", "query"),
    ObservationType.WEB_FETCH: ("url", "query"),
}
_SAID_BY = (
    "command",
    "cmd",
    "file_path",
    "filePath",
    "filepath",
    "path",
    "notebook_path",
    "file",
    "pattern",
    "query",
    "url",
    "skill",
    "description",
    "prompt",
    "task_subject",
    "title",
    "subject",
    "name",
)
_TOLD_BY = (
    "task_subject",
    "title",
    "message",
    "text",
    "description",
    "prompt",
    "agent_type",
    "agent",
    "name",
    "status_type",
)
_SHELL_PREFIX = frozenset({"bash", "sh", "zsh", "-c", "-lc", "powershell", "cmd", "/c"})


UNNAMED = "observation"
"""Title of a report whose tool and hook have no name."""


def title(fields: Fields, kind: ObservationType, files: Sequence[str]) -> str:
    """`Bash: npm test`, `Read: src/app.py`, the first words of a prompt; never empty.

    The protocol's title is the bare name of the tool or hook, which tells one observation from another only by luck;
    the name stays in front, so that a client which looks for it still finds it.
    """
    if fields.hook_type == HookType.PROMPT_SUBMIT and fields.user_prompt and prose(fields.user_prompt).strip():
        return clip(one_line(prose(fields.user_prompt)[: 8 * TITLE_LIMIT]), TITLE_LIMIT) or fields.hook_type
    label = _label(fields)
    if fields.hook_type == HookType.POST_TOOL_FAILURE:
        label += " failed"
    gist = _gist(fields, kind, files)
    if not gist:
        return clip(label, TITLE_LIMIT)
    room = TITLE_LIMIT - len(label) - 2
    if gist in files and len(gist) > room > 1:
        gist = "…" + gist[-(room - 1) :]  # the end of a path tells more than its beginning
    return clip(f"{label}: {gist}", TITLE_LIMIT)


def subtitle(fields: Fields, title_text: str, errors: Sequence[str]) -> str | None:
    """Why a tool failed, what it was for or was given, a subagent's last words; None when the title says all."""
    description = fields.arguments.get("description")
    candidates = (
        errors[0] if errors else "",
        description if isinstance(description, str) else "",
        plain(fields.arguments or fields.tool_input),
        fields.assistant_response or "",
    )
    for candidate in candidates:
        text = one_line(prose(candidate)[: 8 * SUBTITLE_LIMIT])
        if text and text not in title_text:
            return clip(text, SUBTITLE_LIMIT)
    return None


def _label(fields: Fields) -> str:
    """The tool's name; for the file watcher what it saw; else the hook's name."""
    watched = fields.rest.get("changeKind") if isinstance(fields.rest, dict) and not fields.tool_name else None
    return one_line(watched if isinstance(watched, str) else fields.label) or UNNAMED


def _gist(fields: Fields, kind: ObservationType, files: Sequence[str]) -> str:
    for key in (*_ASKED_FIRST.get(kind, ()), *_SAID_BY):
        text = _line(fields.arguments.get(key))
        if text and not text.startswith("*** Begin Patch"):
            return text
    if isinstance(fields.tool_input, str) and not fields.arguments and not files:
        return _line(fields.tool_input)
    if files:
        return files[0]
    if isinstance(fields.rest, dict):
        for key in _TOLD_BY:
            text = _line(fields.rest.get(key))
            if text:
                return text
    if fields.tool_name:
        return ""
    return _line(next(iter(words(fields.rest, keys=False)), "")) or _line(fields.assistant_response)


def _line(value: Any) -> str:
    """One line of a text, or of a command given as a list of words."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        value = " ".join(word for word in value if word not in _SHELL_PREFIX)
    return first_line(prose(value)) if isinstance(value, str) else ""

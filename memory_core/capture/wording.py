"""Turn JSON into words: for the title, for the narrative and for the index."""

from __future__ import annotations

from typing import Any

from memory_core.capture.images import without_references
from memory_core.capture.tree import leaves

_CONTEXT_OPEN, _CONTEXT_CLOSE = "<agentmemory-context", "</agentmemory-context>"

_SHAPE_KEYS = frozenset(
    {"tool_name", "tool_input", "tool_output", "tool_response", "tool_result", "type", "file", "files", "path", "paths"}
    | {"file_path", "filepath", "filePath", "absPath", "rootDir", "notebook_path", "pattern", "query", "url", "urls"}
    | {"command", "cmd", "description", "prompt", "content", "contents", "text", "message", "title", "name", "value"}
    | {"data", "input", "output", "stdout", "stderr", "error", "result", "results", "interrupted", "metadata", "source"}
    | {"isImage", "is_error", "image", "image_data", "media_type", "base64", "truncated", "size", "edits", "changeKind"}
    | {"old_string", "new_string", "oldString", "newString", "agent_id", "agent_type", "notification_type", "task_id"}
    | {"task_subject", "task_description", "teammate_name", "team_name", "reason", "total", "priority", "diffs"}
    | {"images", "mode", "output_mode", "limit", "offset", "timeout", "lines", "numLines", "totalLines", "startLine"}
    | {"numFiles", "filenames", "originalFile", "structuredPatch", "oldStart", "oldLines", "newStart", "newLines"}
    | {"oldTodos", "newTodos", "activeForm", "todos", "status", "success", "timestamp", "durationMs", "subagent_type"}
    | {"workdir", "yield_time_ms", "max_output_tokens", "last_message", "last_assistant_message", "trigger", "summary"}
)
"""Keys that only say where a value stands; every other key is a word of its own, such as a package's name."""


_BACKGROUND_KEYS = frozenset({"originalFile"})
"""Values that are not what happened but what stood there before: an edit brings the whole file as it was (77 % of the text
of real edits). The payload keeps them; what an edit took out and put in stands beside them."""

_FORMAT_KEYS = frozenset({"media_type", "mediaType", "mime_type", "mimeType"})
_BLOCK_TYPES = frozenset({"text", "input_text", "output_text", "image", "input_image", "image_url", "base64"})


def _says_format(key: str, value: Any) -> bool:
    """Whether a value only says what a content block is made of: `"type": "text"`, `"media_type": "image/png"`."""
    return key in _FORMAT_KEYS or (key == "type" and isinstance(value, str) and value in _BLOCK_TYPES)


def clip(text: str, limit: int) -> str:
    """The text, or its first `limit` - 1 UTF-16 units and an ellipsis; never half a character.

    >>> clip("abcdef", 4)
    'abc…'
    """
    if len(text) * 2 <= limit or (len(text) <= limit and text.isascii()):
        return text
    head = text[: limit + 1].encode("utf-16-le", "surrogatepass")
    if len(head) <= 2 * limit:
        return text
    return head[: 2 * (limit - 1)].decode("utf-16-le", "ignore") + "…"


def one_line(text: str) -> str:
    """The text with every run of white space as one space.

    >>> one_line(" a\\n\\tb ")
    'a b'
    """
    return " ".join(text.split())


def first_line(text: str) -> str:
    """The first line that is not blank, on one line."""
    return next((one_line(line) for line in text.splitlines() if line.strip()), "")


def words(value: Any, *, keys: bool = True) -> list[str]:
    """The texts in a value, in document order: every string and number, and with `keys` each telling key once.

    Image references are left out, and so is context that was recalled from this memory: it is in it already.
    """
    found: list[str] = []
    told: set[str] = set()
    for path, node in leaves(value):
        if node is None or node is False or node == "" or (path and _says_format(path[-1], node)):
            continue
        if not _BACKGROUND_KEYS.isdisjoint(path):
            continue
        for key in path:
            if key not in told:
                told.add(key)
                if keys and key not in _SHAPE_KEYS:
                    found.append(key)
        if node is not True:
            found.append(prose(node) if isinstance(node, str) else str(node))
    return [text for text in found if text.strip()]


def plain(value: Any, *, keys: bool = True) -> str:
    """The words of a value, one text a line; '' for nothing."""
    return "\n".join(words(value, keys=keys))


def prose(text: str) -> str:
    """The text without image references and without context recalled from this memory."""
    return without_recalled(without_references(text))


def without_recalled(text: str) -> str:
    """The text without closed context blocks of this memory; else every recall would be stored as news."""
    parts: list[str] = []
    kept = 0
    while (start := text.find(_CONTEXT_OPEN, kept)) >= 0:
        end = text.find(_CONTEXT_CLOSE, start)
        if end < 0:
            break
        parts.append(text[kept:start])
        kept = end + len(_CONTEXT_CLOSE)
    return "".join(parts) + text[kept:] if parts or kept else text


def share(parts: list[str], limit: int, separator: str = " | ") -> str:
    """The parts that are not empty, joined, in at most `limit` UTF-16 units; short parts leave their room to long ones.

    So a long input never pushes the output out, as a plain cut at the end would.
    """
    texts = [text for text in (one_line(part) for part in parts) if text]
    room = limit - len(separator) * (len(texts) - 1)
    lengths = [len(text.encode("utf-16-le", "surrogatepass")) // 2 for text in texts]
    allowed = [0] * len(texts)
    for waiting, index in enumerate(sorted(range(len(texts)), key=lambda i: lengths[i])):
        allowed[index] = min(lengths[index], room // (len(texts) - waiting))
        room -= allowed[index]
    return separator.join(clip(text, size) for text, size in zip(texts, allowed, strict=True))

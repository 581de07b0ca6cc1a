"""Which files an event is about: those its input names, and paths in patches and commands that can be nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memory_core.capture.fields import Fields
from memory_core.domain.events import ObservationType
from memory_core.domain.tunables_capture import FILE_LENGTH, FILE_LIMIT

_PATH_KEYS = (
    "file_path",
    "filepath",
    "path",
    "filePath",
    "file",
    "notebook_path",
    "filename",
)
_LIST_KEYS = ("files", "paths", "edits", "changes", "attachments")
_PATCH_KEYS = ("patch", "input", "diff", "patchText", "command")
_COMMAND_KEYS = ("command", "cmd", "script")

_PATCHED = re.compile(
    r"^\*\*\* (?:Add|Update|Delete) File: (?P<path>[^\r\n]{1,511})$|^\*\*\* Move to: (?P<moved>[^\r\n]{1,511})$"
    r"|^\+\+\+ b/(?P<new>[^\t\r\n]{1,511})|^--- a/(?P<old>[^\t\r\n]{1,511})",
    re.MULTILINE,
)
_CUT_PATH = re.compile(
    r'"(?:file_path|filepath|path|filePath|file|notebook_path)"\s{0,4}:\s{0,4}"(?P<path>[^"\\]{1,511})"'
)
_TRACED = re.compile(r'^\s{0,16}File "(?P<path>[^"<>\n]{1,511})", line [0-9]', re.MULTILINE)

_EXTENSION = (
    r"(?:py|pyi|ipynb|js|jsx|mjs|cjs|ts|tsx|mts|vue|svelte|rs|go|java|kt|kts|scala|c|h|cc|cpp|hpp|cs|m|swift|rb|php|pl|lua|r|jl|ex|"
    r"exs|erl|hs|ml|clj|dart|zig|sh|bash|zsh|fish|ps1|sql|graphql|proto|html|css|scss|less|md|mdx|rst|txt|json|jsonl|yaml|"
    r"yml|toml|ini|cfg|conf|env|lock|xml|csv|tsv|gradle|tf|nix|dockerfile)"
)
_COMMAND_WORD = re.compile(r"[^\s\"'=();|&<>:,]{1,511}+")
_COMMAND_PATH = re.compile(
    rf"(?:~|\.{{1,2}})?/?(?:[\w@+-][\w.@+-]*+/)*+[\w@+.-]*(?<=[\w@+-])\.{_EXTENSION}",
    re.ASCII,
)


def touched_files(fields: Fields, data: Any, kind: ObservationType) -> tuple[str, ...]:
    """Paths as they were written, without repetition, in order of certainty, at most FILE_LIMIT.

    The keys are the protocol's (algorithms.md section 4), except that a `pattern` counts only where it selects files
    (glob), not where it selects lines (grep). More than the protocol: lists of files, patches, notebooks, commands,
    and the frames of a Python traceback when the event is an error.
    """
    found: dict[str, None] = {}
    for path in _candidates(fields, data, kind):
        if len(found) >= FILE_LIMIT:
            break
        if 1 <= len(path) <= FILE_LENGTH and path.strip():
            found[path] = None
    return tuple(found)


def _candidates(fields: Fields, data: Any, kind: ObservationType) -> Iterator[str]:
    arguments = fields.arguments
    yield from _named(arguments)
    if kind == ObservationType.SEARCH and "glob" in fields.label.lower():
        yield from _strings(arguments, ("pattern",))
    if isinstance(data, dict):
        yield from _listed(data)
        if not fields.tool_name:
            yield from _named(data)
    if isinstance(fields.tool_input, str):
        if not arguments:
            yield from (match["path"] for match in _CUT_PATH.finditer(fields.tool_input))
        yield from _patched(fields.tool_input)
    for text in _strings(arguments, _PATCH_KEYS):
        yield from _patched(text)
    if kind in (ObservationType.COMMAND_RUN, ObservationType.ERROR):
        for text in _strings(arguments, _COMMAND_KEYS):
            yield from (word for word in _COMMAND_WORD.findall(text) if _COMMAND_PATH.fullmatch(word))
    if kind == ObservationType.ERROR and isinstance(fields.tool_output, str):
        yield from (match["path"] for match in _TRACED.finditer(fields.tool_output))


def _named(holder: dict[str, Any]) -> Iterator[str]:
    yield from _strings(holder, _PATH_KEYS)
    yield from _listed(holder)


def _listed(holder: dict[str, Any]) -> Iterator[str]:
    for key in _LIST_KEYS:
        items = holder.get(key)
        if isinstance(items, list):
            for item in items:
                if isinstance(item, str) and key in ("files", "paths"):
                    yield item
                elif isinstance(item, dict):
                    yield from _strings(item, _PATH_KEYS)


def _strings(holder: dict[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        value = holder.get(key)
        if isinstance(value, str):
            yield value


def _patched(text: str) -> Iterator[str]:
    for match in _PATCHED.finditer(text):
        path = next(group for group in match.groups() if group)
        if path != "/dev/null":
            yield path.strip()

"""The words in a message: text of content blocks, and which of them the user wrote."""

from __future__ import annotations

import re
from typing import Any

Block = dict[str, Any]

IMAGE_BLOCKS = frozenset({"image", "input_image", "image_url"})
"""Types of content blocks that hold a picture, in the formats of the agents read here."""

INJECTED_TAGS = ("system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "post-tool-use-hook")
"""Elements that hosts put into a user's message; they are cut out, the rest stays."""

NOT_WORDS = (
    "<local-command-",
    "<command-name>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<teammate-message",
    "<user-prompt-submit-hook>",
)
"""Beginnings of user records that the host wrote: built-in commands (a custom one begins with `<command-message>`) and
their output, shell lines, notices of background tasks."""

INTERRUPTED = "[Request interrupted by user"
"""Beginning of the record that Claude Code writes when the user presses Escape."""

_COMMAND_NAME = re.compile(r"<command-name>([^<]*)</command-name>")
_COMMAND_ARGS = re.compile(r"<command-args>(.*)</command-args>", re.DOTALL)
_MEMORY_INPUT = re.compile(r"<user-memory-input>(.*)</user-memory-input>", re.DOTALL)


def blocks(content: Any) -> list[Block]:
    """The content of a message as blocks, whether it was text, a block, a list of either, or nothing."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if isinstance(content, dict):
        return [content]
    if not isinstance(content, list):
        return []
    return [item if isinstance(item, dict) else {"type": "text", "text": str(item)} for item in content if item]


def text_of(content: Any) -> str:
    """The text blocks of a message, joined by newlines."""
    return "\n".join(block["text"] for block in blocks(content) if isinstance(block.get("text"), str))


def images_of(content: Any) -> list[Block]:
    """The picture blocks of a message, unchanged."""
    return [block for block in blocks(content) if block.get("type") in IMAGE_BLOCKS or "inlineData" in block]


def user_words(text: str) -> str:
    """What the user typed, or "" when the host wrote it all.

    >>> user_words("<command-message>plan</command-message><command-name>/plan</command-name><command-args>x</command-args>")
    '/plan x'
    >>> user_words("<system-reminder>be brief</system-reminder>hello")
    'hello'
    """
    for tag in INJECTED_TAGS:
        text = _without(text, f"<{tag}>", f"</{tag}>")
    text = text.strip()
    if text.startswith("<command-message>"):
        name, args = _COMMAND_NAME.search(text), _COMMAND_ARGS.search(text)
        return f"{name[1] if name else ''} {args[1] if args else ''}".strip()
    if text.startswith("<user-memory-input>"):
        memory = _MEMORY_INPUT.search(text)
        return f"# {memory[1].strip()}" if memory else ""
    return "" if text.startswith(NOT_WORDS) else text


def _without(text: str, opening: str, closing: str) -> str:
    """Cut out every element; linear also for a text of nothing but openings, which a regular expression is not."""
    kept, position = [], 0
    while (start := text.find(opening, position)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[position:start])
        position = end + len(closing)
    return "".join(kept) + text[position:]

"""Compress one hook's report to an observation, without a model.

Field rules: wire protocol, algorithms.md section 4. Where the protocol leaves a field empty or constant (title, facts,
concepts, importance) the report itself is made to say something, within the protocol's limits. `search_text` is the
whole report in words: what was said once can be found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memory_core.capture.concepts import concepts
from memory_core.capture.fields import Fields, read_fields
from memory_core.capture.images import Modality, holds_image, modality
from memory_core.capture.importance import importance
from memory_core.capture.kinds import kind_of
from memory_core.capture.titles import subtitle, title
from memory_core.capture.touched_files import touched_files
from memory_core.capture.trouble import error_lines, failed, reasons
from memory_core.capture.wording import one_line, plain, prose, share
from memory_core.domain.events import HookType, Json, ObservationType
from memory_core.domain.tunables_capture import LEAD_SEEN, NARRATIVE_LIMIT, SYNTHETIC_CONFIDENCE

WATCHER_SOURCE = "filesystem-watcher"
"""What the protocol's file watcher writes under `source`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressed:
    """An observation's fields. Texts are within the protocol's limits (UTF-16 units): title 80, subtitle 120,
    narrative 400; `search_text` has none. `importance` is 1..10, `confidence` 0..1."""

    type: ObservationType
    title: str
    subtitle: str | None
    facts: tuple[str, ...]
    narrative: str
    concepts: tuple[str, ...]
    files: tuple[str, ...]
    importance: int
    confidence: float
    tool_name: str | None
    tool_input: Json
    tool_output: Json
    user_prompt: str | None
    assistant_response: str | None
    modality: Modality
    search_text: str


def compress(hook_type: str, data: Any) -> Compressed:
    """The observation of one report, of any hook type and any JSON; nothing raises.

    `data` is cleaned and scrubbed, its images are lifted. A report is an error by its hook, by an error flag or by an
    exit code (`trouble.failed`); words that look like an error only raise a command's importance and become facts.
    """
    fields = read_fields(hook_type, data)
    watched = isinstance(data, dict) and data.get("source") == WATCHER_SOURCE
    kind = kind_of(hook_type, fields.tool_name, watched_file=watched)
    if hook_type == HookType.POST_TOOL_USE and failed(data, fields.tool_output):
        kind = ObservationType.ERROR
    told = _told(fields)
    troubled = kind in (ObservationType.ERROR, ObservationType.COMMAND_RUN)
    errors = error_lines(told.output) if troubled else []
    if hook_type == HookType.POST_TOOL_FAILURE:
        ran_command = kind_of(HookType.POST_TOOL_USE, fields.tool_name) == ObservationType.COMMAND_RUN
        errors = reasons(told.output, errors, ran_command=ran_command)
    files = touched_files(fields, data, kind)
    heading = title(fields, kind, files)
    below = subtitle(fields, heading, errors)
    return Compressed(
        type=kind,
        title=heading,
        subtitle=below,
        facts=tuple(errors),
        narrative=share(
            [told.prompt, told.input, told.output] if told.any_part else [told.rest],
            NARRATIVE_LIMIT,
        ),
        concepts=concepts(_named_in(fields, told)),
        files=files,
        importance=importance(kind, fields, errors),
        confidence=SYNTHETIC_CONFIDENCE,
        tool_name=fields.tool_name,
        tool_input=fields.tool_input,
        tool_output=fields.tool_output,
        user_prompt=fields.user_prompt,
        assistant_response=fields.assistant_response,
        modality=modality(image=holds_image(data), text=told.any_part),
        search_text=_search_text(heading, fields, told, files),
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """The report in words."""

    prompt: str
    input: str
    output: str
    rest: str

    @property
    def any_part(self) -> bool:
        return bool(self.prompt or self.input or self.output)


def _told(fields: Fields) -> _Told:
    """Prompt and answer of a conversation are not told a second time as a tool's input and output."""
    prompt, answer = fields.user_prompt or "", fields.assistant_response or ""
    told_input = plain(fields.arguments or fields.tool_input)
    told_output = plain(fields.tool_output)
    return _Told(
        prompt=prose(prompt),
        input="" if prompt and fields.tool_input == prompt else told_input,
        output=told_output if told_output else prose(answer),
        rest=plain(fields.rest),
    )


def _named_in(fields: Fields, told: _Told) -> tuple[str, ...]:
    """The texts in which concepts are looked for: values only, a client's key is no concept."""
    parts = (fields.arguments or fields.tool_input, fields.tool_output, fields.rest)
    return (told.prompt, fields.assistant_response or "", *(plain(part, keys=False) for part in parts))


def _search_text(heading: str, fields: Fields, told: _Told, files: tuple[str, ...]) -> str:
    """Every word of the report, each part once: what is said twice weighs twice in the index."""
    body = "\n".join(part for part in (told.prompt, told.input, told.output, told.rest) if part)
    named = "\n".join(path for path in files if path not in body)
    return "\n".join(part for part in (_lead(heading, fields, body), body, named) if part)


def _lead(heading: str, fields: Fields, body: str) -> str:
    """What the heading says that the body does not: of a tool its name, of a hook nothing, and a gist made elsewhere."""
    label, _, gist = heading.partition(": ")
    start = gist.strip("…")
    if start in body or start in one_line(body[:LEAD_SEEN]):
        return label if fields.tool_name or not body else ""
    return heading

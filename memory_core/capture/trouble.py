"""What went wrong in a tool's output: a known failure, and the lines that say why."""

from __future__ import annotations

import re
from typing import Any

from memory_core.capture.wording import clip, first_line, one_line
from memory_core.domain.tunables_capture import FACT_LENGTH, FACT_LIMIT, TROUBLE_SCAN

_CODE_KEYS = ("exit_code", "exitCode", "exit", "returncode", "returnCode")
_FLAG_KEYS = ("is_error", "isError", "tool_error")
_NESTED_KEYS = ("metadata", "output")
_SAID_CODE = re.compile(r"\A(?:Error: )?(?:Exit code:?|Process exited with code) (?P<code>[0-9]{1,5})\b")
_ERROR_LINE = re.compile(
    r"\b[A-Z][A-Za-z0-9]{0,60}(?:Error|Exception)\b|^\s{0,8}(?:error|Error:|fatal|panic|npm ERR!|E  )"
    r"|\berror(?:\[\w{1,16}\]|\s[A-Z]+\d+)?:"
    r"|^(?:FAIL|FAILED|ERROR)\b"
)
_ERROR_SIGNS = ("rror", "RROR", "xception", "fatal", "panic", "FAIL", "ERR!", "E  ")
"""One of these is in every line that the pattern matches; looking for them costs a hundredth of it."""


def failed(data: Any, output: Any) -> bool:
    """Whether the report itself says so: an error flag, or an exit code that is not 0 together with some output.

    An exit code of 1 without output is `grep` finding nothing. Words in the output are no proof and do not count.
    """
    for holder in (data, output):
        if isinstance(holder, dict) and any(holder.get(key) is True for key in _FLAG_KEYS):
            return True
    code = _exit_code(data, output)
    return code > 1 or (code == 1 and _says_something(output))


def error_lines(text: str) -> list[str]:
    """The first lines that report an error, each on one line, at most FACT_LIMIT, from both ends of a long text."""
    if not any(sign in text for sign in _ERROR_SIGNS):
        return []
    if len(text) > 2 * TROUBLE_SCAN:
        text = text[:TROUBLE_SCAN] + "\n" + text[-TROUBLE_SCAN:]
    found: dict[str, None] = {}
    for line in text.splitlines():
        if len(found) >= FACT_LIMIT:
            break
        if any(sign in line for sign in _ERROR_SIGNS) and _ERROR_LINE.search(line[: 4 * FACT_LENGTH]):
            found[clip(one_line(line), FACT_LENGTH)] = None
    return list(found)


def reasons(text: str, errors: list[str], *, ran_command: bool) -> list[str]:
    """Why a tool failed. A command's output has its reason in its error lines, and begins with what went well; any
    other tool says it first, and may repeat its input after that.
    """
    if ran_command and errors:
        return errors
    head = text[:TROUBLE_SCAN]
    said = _SAID_CODE.match(head)
    first = clip(first_line(head[said.end() :] if said else head), FACT_LENGTH)
    return [first, *(error for error in errors if error != first)][:FACT_LIMIT] if first else errors


def _exit_code(data: Any, output: Any) -> int:
    if isinstance(output, str):
        said = _SAID_CODE.match(output)
        return int(said["code"]) if said else _code_in(data)
    return _code_in(output) or _code_in(data)


def _code_in(holder: Any) -> int:
    if not isinstance(holder, dict):
        return 0
    for part in (holder, *(holder.get(key) for key in _NESTED_KEYS)):
        if isinstance(part, dict):
            for key in _CODE_KEYS:
                code = part.get(key)
                if isinstance(code, int) and not isinstance(code, bool) and code:
                    return abs(code)
    return 0


def _says_something(output: Any) -> bool:
    if isinstance(output, dict):
        return any(isinstance(output.get(key), str) and output[key].strip() for key in ("stdout", "stderr", "output"))
    return isinstance(output, str) and len(output.splitlines()) > 1

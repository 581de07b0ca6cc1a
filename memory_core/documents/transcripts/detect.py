"""Which agent wrote a transcript, told by its records and never by its name."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from memory_core.documents.transcripts import claude_code, codex, copilot, gemini
from memory_core.documents.transcripts.lines import Record, records
from memory_core.documents.transcripts.problems import Problems
from memory_core.domain.tunables_transcripts import DETECT_RECORDS

_CODEX_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_BARE_CODEX_TYPES = frozenset({"message", "function_call", "function_call_output", "reasoning", "local_shell_call"})
_CLAUDE_TYPES = claude_code.SILENT_TYPES | {"user", "assistant", "system", "progress", "queue-operation", "attachment"}


def agent_of_record(record: Record) -> str | None:
    """The agent that writes records like this one, or None when several do or nobody."""
    kind = record.get("type")
    if isinstance(record.get("messages"), list) or "projectHash" in record or kind == "gemini":
        return gemini.AGENT
    if not isinstance(kind, str):
        return codex.AGENT if kind is None and ("instructions" in record or "record_type" in record) else None
    if kind in _CODEX_TYPES and isinstance(record.get("payload"), dict):
        return codex.AGENT
    if "." in kind and isinstance(record.get("data"), dict):
        return copilot.AGENT
    if kind in _BARE_CODEX_TYPES and ("role" in record or "call_id" in record or "summary" in record):
        return codex.AGENT
    if kind in _CLAUDE_TYPES and not (kind == "user" and "message" not in record):
        return claude_code.AGENT
    return None


def detect(path: Path) -> str | None:
    """The agent that wrote a file of lines, or None. Raises OSError if it cannot be opened."""
    for _, record in islice(records(path, Problems()), DETECT_RECORDS):
        if agent := agent_of_record(record):
            return agent
    return None

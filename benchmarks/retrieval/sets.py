"""Retrieval sets on disk: `corpus.jsonl` and `queries.jsonl`, gzipped or not, and the scorer beside them."""

from __future__ import annotations

import gzip
import importlib.util
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

SAMPLE_SEED = 20260101
"""Seed of the choice of questions, so that two runs with one limit ask the same ones."""

FIRST_UNDATED = datetime(2024, 1, 1, tzinfo=UTC)
"""When the first document without a time is taken to have happened; the next ones follow by a second each."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text of a set: something that was said, seen or noted in a session."""

    doc_id: str
    session_id: str
    project: str
    timestamp: datetime
    role: str
    text: str
    tool_name: str = ""


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """A set: its documents in order, its questions as they stand in the file."""

    name: str
    documents: Sequence[Document]
    questions: Sequence[dict[str, Any]]

    @property
    def sessions(self) -> dict[str, str]:
        """Session of each document."""
        return {document.doc_id: document.session_id for document in self.documents}


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    plain = folder / name
    path = plain if plain.exists() else plain.with_name(f"{name}.gz")
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def instant(text: str) -> datetime:
    """An ISO 8601 time in UTC.

    >>> instant("2024-04-01T08:30:00+08:00").isoformat()
    '2024-04-01T00:30:00+00:00'
    """
    parsed = datetime.fromisoformat(text)
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)


def _document(row: dict[str, Any], number: int) -> Document:
    when = instant(row["timestamp"]) if row.get("timestamp") else FIRST_UNDATED + timedelta(seconds=number)
    return Document(
        doc_id=row["doc_id"],
        session_id=row["session_id"],
        project=row["project"],
        timestamp=when,
        role=row["role"],
        text=row["text"],
        tool_name=row.get("tool_name") or "",
    )


def sample(questions: Sequence[dict[str, Any]], limit: int | None) -> list[dict[str, Any]]:
    """At most `limit` of the questions, the same ones each time, in their order."""
    if limit is None or len(questions) <= limit:
        return list(questions)
    chosen = random.Random(SAMPLE_SEED).sample(range(len(questions)), limit)
    return [questions[number] for number in sorted(chosen)]


def read_set(folder: Path, limit: int | None = None) -> RetrievalSet:
    """The set in `folder`. Raises OSError where a file is missing, KeyError or ValueError where it is broken."""
    documents = [_document(row, number) for number, row in enumerate(_rows(folder, "corpus.jsonl"))]
    return RetrievalSet(folder.name, documents, sample(list(_rows(folder, "queries.jsonl")), limit))


def set_names(data: Path) -> list[str]:
    """Sets under a path: the folders that hold questions."""
    return sorted({path.parent.name for path in data.glob("*/queries.jsonl*")})


def scorer(data: Path) -> ModuleType:
    """The reference scorer that comes with the data. Raises FileNotFoundError where there is none."""
    path = data / "score.py"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there: the sets come with their scorer")
    spec = importlib.util.spec_from_file_location("retrieval_scorer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

"""The JSON objects of a transcript file, one line at a time, in bounded memory.

Plain or gzipped, with or without a byte order mark, LF or CRLF. A line that is blank is passed over; one that is too
long, not JSON or not an object is reported with its number and passed over; a damaged gzip stream ends the file.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from memory_core.documents.transcripts.problems import Problems
from memory_core.domain.tunables_transcripts import MAX_LINE_BYTES, MAX_TRANSCRIPT_BYTES, READ_CHUNK_BYTES

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"

Record = dict[str, Any]


def open_transcript(path: Path) -> IO[bytes]:
    """Open plain or gzipped, by what the file starts with and not by its name.

    Raises OSError if the file cannot be opened.
    """
    with path.open("rb") as probe:
        zipped = probe.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    return cast("IO[bytes]", gzip.open(path, "rb")) if zipped else path.open("rb")


def decode(raw: bytes) -> Any:
    """The JSON value in `raw`; bytes that are not UTF-8 become U+FFFD, NaN and the infinities become null.

    Raises ValueError if it is not JSON or nested too deeply.
    """
    try:
        return json.loads(raw.decode("utf-8", "replace"), parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _no_constant(_name: str) -> None:
    """JSON has no NaN, and Postgres refuses it in a jsonb column."""


def records(path: Path, problems: Problems, *, max_line_bytes: int = MAX_LINE_BYTES) -> Iterator[tuple[int, Record]]:
    """Yield (line number from 1, object) for every line that is a JSON object. Raises OSError if it cannot be opened."""
    for number, raw, ended in raw_lines(path, problems, max_line_bytes=max_line_bytes):
        if not raw.strip():
            continue
        try:
            value = decode(raw)
        except ValueError:
            problems.note(f"line {number}: {'not JSON' if ended else 'cut off, the file ends inside it'}")
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            problems.note(f"line {number}: not a JSON object")


def raw_lines(
    path: Path, problems: Problems, *, max_line_bytes: int, max_bytes: int = MAX_TRANSCRIPT_BYTES
) -> Iterator[tuple[int, bytes, bool]]:
    """Yield (line number, bytes, whether a newline ended it); never holds more than `max_line_bytes` of a line."""
    number, total = 0, 0
    with open_transcript(path) as stream:
        try:
            while raw := stream.readline(max_line_bytes + 1):
                number += 1
                total += len(raw)
                if number == 1:
                    raw = raw.removeprefix(_BOM)
                if len(raw) > max_line_bytes:
                    total += _skip_line(stream, raw)
                    problems.note(f"line {number}: longer than {max_line_bytes} bytes, skipped")
                else:
                    yield number, raw, raw.endswith(b"\n")
                if total > max_bytes:
                    problems.note(f"line {number}: the file is larger than {max_bytes} bytes, the rest is not read")
                    return
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            problems.note(f"after line {number}: the compressed file is damaged ({error})")


def _skip_line(stream: IO[bytes], raw: bytes) -> int:
    """Read on to the next newline; the number of bytes passed over."""
    skipped = 0
    while not raw.endswith(b"\n"):
        raw = stream.readline(READ_CHUNK_BYTES)
        if not raw:
            break
        skipped += len(raw)
    return skipped

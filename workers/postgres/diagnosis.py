"""Turn what the server wrote into its log into a sentence that says what to do."""

from __future__ import annotations

import re
from pathlib import Path

from memory_core.domain import tunables_postgres as tunables

ORPHANS = re.compile(r"pre-existing shared memory block .* is still in use")

# One row a cause: what the server writes, and what a person can do about it. English, for lc_messages is C.
ADVICE: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        ORPHANS,
        "Processes of a server that was killed still work on this data: end them or wait, and start again.",
    ),
    (re.compile("No space left on device|Disk quota exceeded"), "The disk is full: free some space and start again."),
    (
        re.compile("could not (resize|map|create) (anonymous )?shared memory|Cannot allocate memory"),
        "The machine has too little memory for the server: free some, or lower shared_buffers in postgresql.conf.",
    ),
    (
        re.compile("has invalid permissions|has wrong ownership"),
        "Give the folder back to the server's user alone: chmod -R go= on it.",
    ),
    (
        re.compile(
            "could not locate a valid checkpoint record|invalid checkpoint|"
            "could not read file .*pg_control|could not find the database system"
        ),
        "The data is damaged, as by a broken disk or half a copy: restore it from a backup.",
    ),
    (
        re.compile("unrecognized configuration parameter|invalid value for parameter|contains errors"),
        "A setting in postgresql.conf is wrong: the lines below name it.",
    ),
    (
        re.compile("Read-only file system|Permission denied"),
        "The server's user may not write where it must: see that the folder and its disk are writable for it.",
    ),
    (
        re.compile("Address already in use|could not bind"),
        "Another server holds this address: stop it, or set another EVERLORE_DATA_DIR.",
    ),
    (
        re.compile("starting up|recovery|redo"),
        "The server is still replaying its log after a crash: give it more time, or start again.",
    ),
)


def explain(log: str) -> str:
    """The advice for the first known cause in `log`, then the end of the log itself."""
    advice = next((words for cause, words in ADVICE if cause.search(log)), "The end of its log:")
    tail = "\n".join(log.splitlines()[-tunables.LOG_TAIL_LINES :])
    return f"{advice}\n{tail}".rstrip()


def size(log_file: Path) -> int:
    """The length of the log in bytes, 0 before there is one."""
    return log_file.stat().st_size if log_file.is_file() else 0


def read_from(log_file: Path, offset: int) -> str:
    """What was written since the log had `offset` bytes."""
    if not log_file.is_file():
        return ""
    with log_file.open("rb") as file:
        file.seek(offset)
        return file.read().decode("utf-8", "replace")

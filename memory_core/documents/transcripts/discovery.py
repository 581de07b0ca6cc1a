"""Find the transcripts to import: one file, or every one below a directory, within bounds.

Refused: symbolic links (also those met on the way), and anything whose path looks as if it held secrets. The order is
that of the names, so that two runs with one limit import the same files. Source: wire/algorithms.md section 28.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.domain.tunables_transcripts import (
    DEFAULT_MAX_FILES,
    MAX_FILES_UPPER_BOUND,
    TRAVERSAL_ENTRIES_FLOOR,
    TRAVERSAL_ENTRIES_PER_FILE,
)

ENDINGS = (".jsonl", ".jsonl.gz", ".json", ".json.gz")
"""Endings of transcripts: lines, or one document (Gemini CLI)."""

_DOCUMENT_NAME = re.compile(r"session-.*\.json(\.gz)?")

_SENSITIVE = re.compile(
    r"secrets?|credentials?|private[_-]?keys?|\.env.*|id_(?:rsa|dsa|ecdsa|ed25519).*"
    r"|(?:auth|bearer|access|api)[_-]?(?:tokens?|keys?)|\.ssh|\.gnupg|\.netrc",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """The transcripts found, in the order of their paths. `truncated`: there are more files than were asked for;
    `traversal_capped`: the walk stopped before the end; `problems`: what was passed over, and why.
    """

    files: list[Path]
    truncated: bool = False
    traversal_capped: bool = False
    problems: list[str] = field(default_factory=list)


def default_places(home: Path) -> list[Path]:
    """Where the agents keep their transcripts, under `home`."""
    return [home / ".claude" / "projects", home / ".codex" / "sessions", home / ".copilot", home / ".gemini"]


def discover(path: Path | None, max_files: int = DEFAULT_MAX_FILES, *, home: Path | None = None) -> Discovery:
    """The transcripts at `path` (a file or a directory), or in every default place that exists when it is None.

    Raises InvalidInput for a symbolic link, a sensitive-looking path, a file of another kind or a limit outside
    1..1000, and NotFound where there is nothing.
    """
    if not 1 <= max_files <= MAX_FILES_UPPER_BOUND:
        raise InvalidInput(f"maxFiles must be an integer between 1 and {MAX_FILES_UPPER_BOUND}")
    if path is None:
        places = [place for place in default_places(home or Path.home()) if place.is_dir()]
        return _walk_all(places, max_files)
    try:
        start = path.expanduser()
        _refuse(start)
        is_folder, is_file = start.is_dir(), start.is_file()
    except RuntimeError as error:  # `~somebody` whom the system does not know, or a loop of links
        raise NotFound("path not found") from error
    except OSError as error:
        raise InvalidInput(f"path cannot be read ({error.strerror})") from error
    if is_folder:
        return _walk_all([start], max_files)
    if not is_file or not _is_transcript(start, named=True):
        raise InvalidInput("path must be a .jsonl file or directory")
    return Discovery(files=[start])


def is_sensitive(path: Path) -> bool:
    """Whether a component of the path, without its ending, is a usual name for something secret."""
    return any(_SENSITIVE.fullmatch(part) or _SENSITIVE.fullmatch(part.split(".")[0]) for part in path.parts)


def _refuse(start: Path) -> None:
    if is_sensitive(start) or is_sensitive(start.resolve()):
        raise InvalidInput("refusing to process sensitive-looking path")
    if start.is_symlink():
        raise InvalidInput("symlinks are not supported")
    if not start.exists():
        raise NotFound("path not found")


def _is_transcript(path: Path, *, named: bool = False) -> bool:
    """A `.json` found on the way must be called like a session, since agents keep settings in `.json` files too."""
    name = path.name.lower()
    if not name.endswith(ENDINGS):
        return False
    return named or not name.removesuffix(".gz").endswith(".json") or _DOCUMENT_NAME.fullmatch(name) is not None


def _walk_all(places: Sequence[Path], max_files: int) -> Discovery:
    walk = _Walk(max(TRAVERSAL_ENTRIES_PER_FILE * max_files, TRAVERSAL_ENTRIES_FLOOR))
    files: list[Path] = []
    for file in (found for place in places for found in walk.files(place)):
        if len(files) == max_files:
            return Discovery(files=files, truncated=True, problems=walk.problems)
        files.append(file)
    return Discovery(files=files, truncated=walk.capped, traversal_capped=walk.capped, problems=walk.problems)


class _Walk:
    """A depth-first walk in the order of the names that visits at most `allowance` entries in all."""

    def __init__(self, allowance: int) -> None:
        self._allowance = allowance
        self.capped = False
        self.problems: list[str] = []

    def files(self, place: Path) -> Iterator[Path]:
        """The transcripts below `place`."""
        folders = [place]
        while folders and not self.capped:
            folder = folders.pop()
            below: list[Path] = []
            for entry in self._entries(folder):
                if entry.is_symlink():
                    self.problems.append(f"{entry.name}: symlinks are not followed")
                elif is_sensitive(Path(entry.name)):
                    self.problems.append(f"{entry.name}: refusing to process sensitive-looking path")
                elif entry.is_dir():
                    below.append(entry)
                elif entry.is_file() and _is_transcript(entry):
                    yield entry
            folders.extend(reversed(below))

    def _entries(self, folder: Path) -> list[Path]:
        found: list[Path] = []
        try:
            for entry in folder.iterdir():
                if self._allowance == 0:
                    self.capped = True
                    self.problems.append("the walk was stopped: too many entries")
                    break
                self._allowance -= 1
                found.append(entry)
        except OSError as error:
            self.problems.append(f"{folder.name}: cannot be listed ({error.strerror})")
        return sorted(found)

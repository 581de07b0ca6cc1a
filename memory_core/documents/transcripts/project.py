"""Which project a working directory belongs to, from the file system alone."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

from agents.hook import project_name

UNKNOWN_PROJECT = "unknown"
"""Project of a transcript that names no directory. Source: wire/algorithms.md section 28."""


def project_of(cwd: str) -> str:
    """The name of the git repository around `cwd`, else the last component of `cwd`, else `unknown`.

    For a directory that exists the hook client's own rule holds (worktrees share their repository's name), so that
    imported and live sessions meet in one project. Transcripts travel between machines, so that a directory that is
    not here is normal.
    """
    path = cwd.replace("\0", "").strip()
    if _exists_here(path):
        return project_name(path).strip("/\\") or UNKNOWN_PROJECT
    windows = "\\" in path and "/" not in path
    return (PureWindowsPath(path) if windows else PurePosixPath(path)).name or UNKNOWN_PROJECT


def _exists_here(path: str) -> bool:
    """Relative paths would be looked up where the server runs, so that they never count."""
    try:
        return Path(path).is_absolute() and Path(path).is_dir()
    except (OSError, ValueError):
        return False

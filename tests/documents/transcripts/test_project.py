"""A session belongs to the repository it worked in."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.documents.transcripts.project import project_of


@pytest.mark.parametrize(
    ("cwd", "project"),
    [
        ("/nowhere/at/all/pots", "pots"),
        ("/nowhere/at/all/pots/", "pots"),
        ("C:\\work\\pots", "pots"),
        ("pots", "pots"),
        ("", "unknown"),
        ("   ", "unknown"),
        ("/", "unknown"),
        ("/x\0y/pots", "pots"),
    ],
)
def test_a_directory_that_is_not_here_gives_its_last_component(cwd: str, project: str) -> None:
    assert project_of(cwd) == project


def test_a_subdirectory_gives_the_repository(tmp_path: Path) -> None:
    (tmp_path / "pots" / ".git").mkdir(parents=True)
    (tmp_path / "pots" / "glaze").mkdir()

    assert project_of(str(tmp_path / "pots" / "glaze")) == "pots"


def test_a_worktree_gives_its_repository(tmp_path: Path) -> None:
    git_dir = tmp_path / "pots" / ".git" / "worktrees" / "blue"
    git_dir.mkdir(parents=True)
    (git_dir / "commondir").write_text("../..\n")
    (tmp_path / "blue").mkdir()
    (tmp_path / "blue" / ".git").write_text(f"gitdir: {git_dir}\n")

    assert project_of(str(tmp_path / "blue")) == "pots"

"""One repository is one project, from wherever in it the agent works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.hook import project_name
from tests.agents.recorder import Hook, RecordingServer


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "orchard"
    (root / ".git" / "worktrees" / "graft").mkdir(parents=True)
    (root / "src" / "deep").mkdir(parents=True)
    return root


def worktree(repository: Path, at: Path, git_dir: str, common: str) -> Path:
    at.mkdir(parents=True)
    (at / ".git").write_text(f"gitdir: {git_dir}\n")
    (repository / ".git" / "worktrees" / "graft" / "commondir").write_text(f"{common}\n")
    return at


def test_a_subdirectory_belongs_to_its_repository(repository: Path) -> None:
    assert project_name(str(repository / "src" / "deep")) == "orchard"


def test_a_worktree_belongs_to_its_main_repository(repository: Path, tmp_path: Path) -> None:
    absolute = str(repository / ".git" / "worktrees" / "graft")
    tree = worktree(repository, tmp_path / "elsewhere" / "graft", absolute, "../..")
    (tree / "src").mkdir()

    assert project_name(str(tree)) == "orchard"
    assert project_name(str(tree / "src")) == "orchard"


def test_a_worktree_with_relative_links_belongs_to_its_main_repository(repository: Path, tmp_path: Path) -> None:
    tree = worktree(repository, tmp_path / "graft", "../orchard/.git/worktrees/graft", "../..")

    assert project_name(str(tree)) == "orchard"


def test_a_worktree_of_a_bare_repository_is_named_after_it(tmp_path: Path) -> None:
    git_dir = tmp_path / "orchard.git" / "worktrees" / "main"
    git_dir.mkdir(parents=True)
    (git_dir / "commondir").write_text("../..\n")
    tree = tmp_path / "trees" / "main"
    tree.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {git_dir}\n")

    assert project_name(str(tree)) == "orchard"


def test_a_submodule_is_a_project_of_its_own(repository: Path) -> None:
    module = repository / "vendor" / "seeds"
    module.mkdir(parents=True)
    (repository / ".git" / "modules" / "seeds").mkdir(parents=True)
    (module / ".git").write_text("gitdir: ../../.git/modules/seeds\n")

    assert project_name(str(module)) == "seeds"


@pytest.mark.parametrize("content", ["", "nonsense", "gitdir:", "gitdir: /does/not/exist"])
def test_a_broken_git_file_still_names_the_project(tmp_path: Path, content: str) -> None:
    tree = tmp_path / "plot"
    tree.mkdir()
    (tree / ".git").write_text(content)

    assert project_name(str(tree)) == "plot"


def test_outside_a_repository_the_directory_is_the_project(tmp_path: Path) -> None:
    (tmp_path / "loose").mkdir()

    assert project_name(str(tmp_path / "loose")) == "loose"


@pytest.mark.parametrize("cwd", ["/", "", "/gone/garden", "a\0b", "\ud800"])
def test_any_directory_gives_a_name_that_is_not_blank(cwd: str) -> None:
    assert project_name(cwd).strip()


PLACES = [
    pytest.param({"cwd": "/a/payload"}, {"CLAUDE_PROJECT_DIR": "/a/claude"}, "/a/payload", id="the payload first"),
    pytest.param({"cwd": " ", "workspace_roots": ["", "/a/root"]}, {}, "/a/root", id="Cursor's workspace"),
    pytest.param(
        {}, {"DEVIN_PROJECT_DIR": "/a/devin", "CLAUDE_PROJECT_DIR": "/a/claude"}, "/a/devin", id="Devin's variable"
    ),
    pytest.param({"workspace_roots": "x"}, {"CLAUDE_PROJECT_DIR": "/a/claude"}, "/a/claude", id="Claude's variable"),
]


@pytest.mark.parametrize(("payload", "environ", "cwd"), PLACES)
def test_the_working_directory_is_the_first_one_named(
    hook: Hook, server: RecordingServer, payload: dict[str, Any], environ: dict[str, str], cwd: str
) -> None:
    hook.run("UserPromptSubmit", {"prompt": "p", **payload}, **environ)

    assert server.bodies()[0]["cwd"] == cwd
    assert server.bodies()[0]["project"] == cwd.rpartition("/")[2]

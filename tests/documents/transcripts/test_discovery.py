"""Discovery finds transcripts within bounds and refuses what it must."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.documents.transcripts import discover
from memory_core.documents.transcripts.discovery import is_sensitive
from memory_core.domain.errors import InvalidInput, NotFound


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    for name in ("b/2.jsonl", "b/1.jsonl", "a/x/9.jsonl.gz", "a/notes.md", "a/settings.json", "a/session-1.json"):
        file = tmp_path / "projects" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}\n")
    return tmp_path / "projects"


def test_transcripts_come_in_the_order_of_their_names(projects: Path) -> None:
    found = discover(projects)

    assert [str(f.relative_to(projects)) for f in found.files] == [
        "a/session-1.json",
        "a/x/9.jsonl.gz",
        "b/1.jsonl",
        "b/2.jsonl",
    ]
    assert not found.truncated


def test_the_limit_cuts_and_says_so(projects: Path) -> None:
    found = discover(projects, 2)

    assert (len(found.files), found.truncated, found.traversal_capped) == (2, True, False)


def test_exactly_the_limit_is_not_truncated(projects: Path) -> None:
    assert not discover(projects, 4).truncated


def test_a_single_file_may_be_any_json(projects: Path) -> None:
    assert discover(projects / "a" / "settings.json").files == [projects / "a" / "settings.json"]


def test_links_on_the_way_are_passed_over_and_reported(projects: Path) -> None:
    (projects / "link.jsonl").symlink_to(projects / "b" / "1.jsonl")
    (projects / "loop").symlink_to(projects)

    found = discover(projects)

    assert len(found.files) == 4
    assert sorted(found.problems) == ["link.jsonl: symlinks are not followed", "loop: symlinks are not followed"]


def test_sensitive_names_on_the_way_are_passed_over_and_reported(projects: Path) -> None:
    (projects / "secrets").mkdir()
    (projects / "secrets" / "1.jsonl").write_text("{}\n")

    found = discover(projects)

    assert len(found.files) == 4
    assert found.problems == ["secrets: refusing to process sensitive-looking path"]


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("none.jsonl", NotFound, "path not found"),
        ("projects/a/notes.md", InvalidInput, "path must be a .jsonl file or directory"),
        ("link", InvalidInput, "symlinks are not supported"),
        ("credentials/x.jsonl", InvalidInput, "refusing to process sensitive-looking path"),
    ],
)
def test_a_path_that_cannot_be_imported_is_refused(
    projects: Path, name: str, error: type[Exception], message: str
) -> None:
    (projects.parent / "link").symlink_to(projects)

    with pytest.raises(error, match=message):
        discover(projects.parent / name)


@pytest.mark.parametrize("max_files", [0, -1, 1001])
def test_a_limit_out_of_bounds_is_refused(projects: Path, max_files: int) -> None:
    with pytest.raises(InvalidInput, match="between 1 and 1000"):
        discover(projects, max_files)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/x/secret/y.jsonl", True),
        ("/x/.env.local", True),
        ("/x/id_rsa.pub", True),
        ("/x/api-token.jsonl", True),
        ("/x/private_key.json", True),
        ("/x/secretary/y.jsonl", False),
        ("/x/tokens-of-trees/y.jsonl", False),
        ("/x/environment/y.jsonl", False),
    ],
)
def test_sensitive_paths_are_told_by_whole_components(path: str, expected: bool) -> None:
    assert is_sensitive(Path(path)) is expected


def test_without_a_path_the_agents_own_places_are_searched(tmp_path: Path) -> None:
    for name in (".claude/projects/p/1.jsonl", ".codex/sessions/2026/2.jsonl", ".copilot/session-state/s/events.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("{}\n")

    assert [f.name for f in discover(None, home=tmp_path).files] == ["1.jsonl", "2.jsonl", "events.jsonl"]


def test_without_any_agents_place_nothing_is_found(tmp_path: Path) -> None:
    assert discover(None, home=tmp_path).files == []


def test_the_walk_ends_at_its_allowance(projects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = "memory_core.documents.transcripts.discovery"
    monkeypatch.setattr(f"{module}.TRAVERSAL_ENTRIES_FLOOR", 1)
    monkeypatch.setattr(f"{module}.TRAVERSAL_ENTRIES_PER_FILE", 1)

    found = discover(projects, 3)

    assert (found.truncated, found.traversal_capped) == (True, True)
    assert "the walk was stopped: too many entries" in found.problems

"""What a read may see follows from what it names and how the server keeps things apart."""

from __future__ import annotations

import pytest

from memory_core.domain.errors import InvalidInput
from memory_core.domain.scope import Scope, ScopeRules

SHARED = ScopeRules()
APART = ScopeRules(project_isolated=True, agent_isolated=True, own_agent="claude")


@pytest.mark.parametrize(
    ("rules", "project", "agent", "scope"),
    [
        (SHARED, None, None, Scope(None, None)),
        (SHARED, "*", "*", Scope(None, None)),
        (SHARED, "  ", "", Scope(None, None)),
        (SHARED, " orchard ", " claude ", Scope(("orchard", ""), "claude")),
        (APART, "orchard", None, Scope(("orchard", ""), "claude")),
        (APART, "orchard", "*", Scope(("orchard", ""), "claude")),
        (APART, "orchard", "codex", Scope(("orchard", ""), "codex")),
    ],
)
def test_the_scope_of_a_read(rules: ScopeRules, project: str | None, agent: str | None, scope: Scope) -> None:
    assert rules.scope(project, agent) == scope


@pytest.mark.parametrize("project", [None, "", " ", "*"])
def test_kept_apart_a_read_names_its_project(project: str | None) -> None:
    with pytest.raises(InvalidInput, match="name the project"):
        APART.scope(project, "claude")


def test_kept_apart_without_an_agent_of_its_own_a_read_names_one() -> None:
    with pytest.raises(InvalidInput, match="name the agent"):
        ScopeRules(agent_isolated=True).scope("orchard", "*")


@pytest.mark.parametrize(
    ("scope", "project", "agent", "sees"),
    [
        (Scope(), "orchard", "claude", True),
        (Scope(("orchard", "")), "orchard", "claude", True),
        (Scope(("orchard", "")), "", "claude", True),
        (Scope(("orchard", "")), "quarry", "claude", False),
        (Scope((), None), "orchard", "", False),
        (Scope(None, "claude"), "orchard", "claude", True),
        (Scope(None, "claude"), "orchard", "", False),
        (Scope(None, "claude"), "orchard", "codex", False),
    ],
)
def test_a_scope_sees_what_it_covers(scope: Scope, project: str, agent: str, sees: bool) -> None:
    assert scope.sees(project, agent) is sees

"""Nothing crosses from one project or agent to another, on any read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from api import urls
from tests.api.conftest import Configure
from tests.fakes.client import Answer, Caller

pytestmark = pytest.mark.django_db

OWNER = Caller("owner", "orchard")
COLLEAGUE = Caller("colleague", "orchard")
STRANGER = Caller("stranger", "quarry")
CHARACTERS = (OWNER, COLLEAGUE, STRANGER)

IDS: dict[str, list[str]] = {}
"""What each character has stored, by agent: filled by the fixture `_stored`."""

Read = Callable[[str | None, str | None], Answer]
"""A read that names a project and an agent, or None of them."""


def _post(path: str, **body: object) -> Read:
    def read(project: str | None, agent: str | None) -> Answer:
        named = {"project": project, "agentId": agent}
        return OWNER.post(path, {k: v for k, v in (body | named).items() if v is not None})

    return read


def _get(path: str) -> Read:
    def read(project: str | None, agent: str | None) -> Answer:
        named = [f"{k}={v}" for k, v in {"project": project, "agentId": agent}.items() if v is not None]
        return OWNER.get(path + ("&" if "?" in path else "?") + "&".join(named))

    return read


def _each(path: str, key: Callable[[str], list[str]]) -> Read:
    """A read by id, once for every character's."""

    def read(project: str | None, agent: str | None) -> Answer:
        named = [own for one in IDS for own in key(one)] or ["obs_1"]
        answers = [_get(path + own)(project, agent) for own in named]
        refused = [answer for answer in answers if answer.status == 400]
        return refused[0] if refused else Answer(200, [a.body for a in answers if a.status == 200], {})

    return read


def _expand(project: str | None, agent: str | None) -> Answer:
    return _post("smart-search", expandIds=[one for own in IDS.values() for one in own] or ["obs_1"])(project, agent)


READS: dict[str, tuple[str, Read]] = {
    "sessions": ("sessions", _get("sessions")),
    "observations": ("observations", _each("observations?raw=true&sessionId=", lambda agent: [f"session-{agent}"])),
    "search, whole": ("search", _post("search", query="quince")),
    "search, compact": ("search", _post("search", query="quince", format="compact")),
    "search, narrative": ("search", _post("search", query="quince", format="narrative")),
    "smart-search": ("smart-search", _post("smart-search", query="quince")),
    "smart-search, ids": ("smart-search", _expand),
    "memories": ("memories", _get("memories")),
    "memories, latest": ("memories", _get("memories?latest=true")),
    "one memory": ("memories/<path:memory_id>", _each("memories/", lambda agent: IDS[agent])),
    "context": ("context", _post("context", sessionId="new", budget=100_000)),
    "session/start": ("session/start", _post("session/start", sessionId="new", cwd="/work")),
}
NO_READS = {"livez", "health", "config/flags", "openapi.json"} | {
    "observe",
    "session/end",
    "remember",
    "forget",
    "replay/import-jsonl",
}
NEED_A_PROJECT = {"context", "session/start"}
NAMED_BY_SESSION = {"observations"}


@pytest.fixture
def _stored() -> Iterator[None]:
    IDS.clear()
    for one in CHARACTERS:
        said = one.prompted(f"we decided that {one.agent}mark grafts the quince", sessionId=f"session-{one.agent}")
        kept = one.remember(f"{one.agent}mark prunes {one.agent} trees and the quince")
        IDS[one.agent] = [said["observationId"], kept["memory"]["id"]]
    yield
    IDS.clear()


def seen(answer: Answer) -> set[str]:
    """The agents of whom something stands in the answer."""
    assert answer.status == 200, answer
    text = json.dumps(answer.body)
    return {one.agent for one in CHARACTERS if f"{one.agent}mark" in text}


def test_every_route_is_a_read_tested_here_or_no_read() -> None:
    routes = {str(route.pattern) for route in urls.urlpatterns}

    assert routes - {path for path, _ in READS.values()} - NO_READS == set()


@pytest.mark.usefixtures("_stored")
@pytest.mark.parametrize("read", READS)
def test_a_project_sees_its_own_and_nothing_else(read: str) -> None:
    assert seen(READS[read][1]("orchard", None)) == {"owner", "colleague"}
    assert seen(READS[read][1]("quarry", None)) == {"stranger"}
    assert seen(READS[read][1]("nowhere", None)) == set()


@pytest.mark.usefixtures("_stored")
@pytest.mark.parametrize("read", READS)
def test_an_agent_sees_its_own_and_nothing_else(read: str) -> None:
    assert seen(READS[read][1]("orchard", "owner")) == {"owner"}
    assert seen(READS[read][1]("orchard", "colleague")) == {"colleague"}
    assert seen(READS[read][1]("orchard", "stranger")) == set()
    assert seen(READS[read][1]("orchard", "*")) == {"owner", "colleague"}


@pytest.mark.usefixtures("_stored")
@pytest.mark.parametrize("read", sorted(set(READS) - NEED_A_PROJECT))
def test_a_read_that_names_nothing_sees_everything_where_all_is_shared(read: str) -> None:
    assert seen(READS[read][1](None, None)) == {"owner", "colleague", "stranger"}
    assert seen(READS[read][1]("*", None)) == {"owner", "colleague", "stranger"}
    assert seen(READS[read][1](None, "stranger")) == {"stranger"}


class TestProjectsKeptApart:
    @pytest.fixture(autouse=True)
    def _isolated(self, configure: Configure) -> None:
        configure(EVERLORE_PROJECT_SCOPE="isolated")

    @pytest.mark.parametrize("project", [None, "*", "%20"])
    @pytest.mark.parametrize("read", sorted(set(READS) - NEED_A_PROJECT - NAMED_BY_SESSION))
    def test_a_read_that_names_no_project_is_refused_in_words(self, read: str, project: str | None) -> None:
        answer = READS[read][1](" " if project == "%20" and read in POSTED else project, None)

        assert answer.status == 400
        assert answer["error"].startswith("this server keeps projects apart: name the project")

    @pytest.mark.usefixtures("_stored")
    @pytest.mark.parametrize("read", READS)
    def test_a_project_sees_its_own(self, read: str) -> None:
        assert seen(READS[read][1]("quarry", None)) == {"stranger"}

    @pytest.mark.usefixtures("_stored")
    def test_a_session_names_its_project(self) -> None:
        answer = OWNER.post("smart-search", {"query": "quince", "sessionId": "session-stranger"})

        assert seen(answer) == {"stranger"}


POSTED = {"search, whole", "search, compact", "search, narrative", "smart-search", "smart-search, ids"}


class TestAgentsKeptApart:
    @pytest.fixture(autouse=True)
    def _isolated(self, configure: Configure) -> None:
        configure(EVERLORE_AGENT_SCOPE="isolated", AGENT_ID="colleague")

    @pytest.mark.usefixtures("_stored")
    @pytest.mark.parametrize("read", READS)
    def test_everybody_is_the_agent_of_this_server_unless_named(self, read: str) -> None:
        for agent in (None, "*", "colleague"):
            assert seen(READS[read][1]("orchard", agent)) == {"colleague"}

    @pytest.mark.usefixtures("_stored")
    @pytest.mark.parametrize("read", sorted(set(READS) - {"session/start"}))
    def test_without_an_agent_it_is_refused_in_words(self, read: str, configure: Configure) -> None:
        configure(AGENT_ID="")

        answer = READS[read][1]("orchard", None)

        assert answer.status == 400
        assert answer["error"].startswith("this server keeps agents apart: name the agent")

    def test_likeness_stays_within_the_agent(self) -> None:
        OWNER.remember("ask before every force push")

        answer = COLLEAGUE.remember("ask before every force push")

        assert (answer["memory"]["version"], "similarTo" in answer.body) == (1, False)


class TestMemoriesOfEveryProject:
    @pytest.fixture
    def rule(self) -> str:
        return str(Caller().remember("answer about the quince in short sentences", project=None)["memory"]["id"])

    @pytest.mark.parametrize("project", ["orchard", "quarry", "nowhere"])
    def test_are_found_from_each(self, rule: str, project: str) -> None:
        assert rule in OWNER.found("quince", project=project)
        assert rule in [row["id"] for row in OWNER.get(f"memories?project={project}")["memories"]]
        assert OWNER.get(f"memories/{rule}?project={project}").status == 200
        assert rule in OWNER.post("context", {"sessionId": "new", "project": project})["context"]

    def test_are_not_replaced_by_a_projects_own(self, rule: str) -> None:
        answer = OWNER.remember("answer about the quince in short sentences")

        assert answer["memory"]["version"] == 1
        assert {rule, answer["memory"]["id"]} <= set(OWNER.found("quince sentences", project="orchard"))


@pytest.mark.usefixtures("_stored")
def test_an_observation_belongs_to_the_project_it_names_and_not_to_its_sessions(owner: Caller) -> None:
    moved = STRANGER.ran("ls", "quince strangermark", sessionId="session-owner")["observationId"]

    assert moved not in owner.found("quince", project="orchard")
    assert moved in owner.found("quince", project="quarry")
    listed = owner.get("observations?sessionId=session-owner&project=orchard")["observations"]
    assert moved not in [row["id"] for row in listed]


@pytest.mark.usefixtures("_stored")
def test_a_memory_out_of_scope_is_unknown_not_forbidden() -> None:
    strangers = IDS["stranger"][1]

    answer = OWNER.get(f"memories/{strangers}?project=orchard")

    assert (answer.status, answer.body) == (404, {"error": f"memory not found: {strangers}"})


def test_where_scopes_are_kept_apart_nobody_forgets_what_is_another_projects(
    owner: Caller, configure: Callable[..., None]
) -> None:
    kept = owner.remember("the orchard's own plan")["memory"]["id"]
    owner.prompted("graft the old pear", sessionId="theirs")
    configure(EVERLORE_PROJECT_SCOPE="isolated")

    unscoped = owner.post("forget", {"memoryId": kept})
    by_a_stranger = [
        owner.post("forget", {"memoryId": kept, "project": "quarry"}),
        owner.post("forget", {"sessionId": "theirs", "project": "quarry"}),
    ]

    assert unscoped.status == 400
    assert [answer["deleted"] for answer in by_a_stranger] == [0, 0]
    assert owner.post("forget", {"memoryId": kept, "project": owner.project})["deleted"] == 1


@pytest.mark.parametrize("path", ["observe", "session/start", "remember"])
def test_the_star_is_no_name_of_a_project_to_write_to(owner: Caller, path: str) -> None:
    body = {
        "sessionId": "s",
        "cwd": "/w",
        "hookType": "stop",
        "timestamp": "2026-01-01T00:00:00Z",
        "content": "x",
        "project": "*",
    }

    answer = owner.post(path, body)

    assert answer.status == 400
    assert "*" in answer["error"]

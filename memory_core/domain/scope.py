"""What a read may see: the projects and the agent. Every read path takes one; there is no read without."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InvalidInput
from .events import GLOBAL_PROJECT

EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class Scope:
    """`projects`: slugs a read may see, None for every one; `agent`: the one agent it may see, None for every one."""

    projects: tuple[str, ...] | None = None
    agent: str | None = None

    def sees(self, project: str, agent: str) -> bool:
        """Whether a record of this project and agent may be given back."""
        return (self.projects is None or project in self.projects) and (self.agent is None or agent == self.agent)


@dataclass(frozen=True, slots=True)
class ScopeRules:
    """How this instance isolates: `isolated` refuses a read that names no project, or no agent."""

    project_isolated: bool = False
    agent_isolated: bool = False
    own_agent: str = ""

    def scope(self, project: str | None, agent: str | None) -> Scope:
        """The scope of a read that names `project` and `agent`; `*` asks for everything, None or blank for the default.

        A named project also sees the global scope. Raises InvalidInput when isolation forbids the read.
        """
        return Scope(self._projects((project or "").strip()), self._agent((agent or "").strip()))

    def _projects(self, project: str) -> tuple[str, ...] | None:
        if project and project != EVERYTHING:
            return (project, GLOBAL_PROJECT)
        if self.project_isolated:
            raise InvalidInput('this server keeps projects apart: name the project, e.g. {"project": "my-repository"}')
        return None

    def _agent(self, agent: str) -> str | None:
        if self.agent_isolated:
            wanted = agent if agent and agent != EVERYTHING else self.own_agent
            if not wanted:
                raise InvalidInput('this server keeps agents apart: name the agent, e.g. {"agentId": "claude"}')
            return wanted
        return agent if agent and agent != EVERYTHING else None

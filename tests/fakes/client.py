"""A client of the REST surface, as an agent's plugin is one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

BASE = "/agentmemory/"
MOMENT = "2026-03-01T12:00:00Z"


@dataclass(frozen=True)
class Answer:
    """A response: its status, its JSON, its headers."""

    status: int
    body: Any
    headers: Any = field(repr=False)

    def __getitem__(self, key: str) -> Any:
        return self.body[key]


@dataclass(frozen=True)
class Caller:
    """One of the standing characters: an agent at work in a project. Gives every answer, never raises."""

    agent: str = ""
    project: str = "orchard"
    secret: str = ""

    def raw(self, method: str, path: str, body: bytes | str = b"", content_type: str = "application/json") -> Answer:
        """Send bytes as they are."""
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        response = Client(raise_request_exception=False).generic(
            method, path if path.startswith("/") else BASE + path, body, content_type=content_type, headers=headers
        )
        text = response.content.decode()
        return Answer(response.status_code, json.loads(text) if text else None, response.headers)

    def post(self, path: str, body: Any) -> Answer:
        """Send JSON."""
        return self.raw("POST", path, json.dumps(body))

    def get(self, path: str) -> Answer:
        """Ask."""
        return self.raw("GET", path)

    def event(self, **changes: Any) -> dict[str, Any]:
        """A hook event of this character: a command that ran. A key that is None is left out."""
        event = {
            "hookType": "post_tool_use",
            "sessionId": "s1",
            "project": self.project,
            "cwd": f"/work/{self.project}",
            "timestamp": MOMENT,
            "agentId": self.agent or None,
            "data": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_output": "pears"},
        } | changes
        return {key: value for key, value in event.items() if value is not None}

    def observe(self, **changes: Any) -> Answer:
        """Report a hook event."""
        return self.post("observe", self.event(**changes))

    def ran(self, command: str, output: Any, **changes: Any) -> Answer:
        """Report a command with its output."""
        data = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_output": output}
        return self.observe(data=data, **changes)

    def prompted(self, prompt: str, **changes: Any) -> Answer:
        """Report a prompt."""
        return self.observe(hookType="prompt_submit", data={"prompt": prompt}, **changes)

    def remember(self, content: str, **changes: Any) -> Answer:
        """Save a memory in this character's project."""
        body = {"content": content, "project": self.project, "agentId": self.agent or None} | changes
        return self.post("remember", {key: value for key, value in body.items() if value is not None})

    def found(self, query: str, **changes: Any) -> list[str]:
        """The ids that a compact search gives, best first."""
        answer = self.post("smart-search", {"query": query} | changes)
        assert answer.status == 200, answer
        return [row["obsId"] for row in answer["results"]]

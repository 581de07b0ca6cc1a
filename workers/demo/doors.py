"""Two ways to Everlore: over HTTP to a server that runs, or straight through the flows."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings
from django.utils import timezone

from memory_core.domain import tunables_workers as tunables
from memory_core.domain.errors import ProviderError
from memory_core.domain.events import HookEvent
from memory_core.flows import embed, embedding, link, observe, recall, remember
from memory_core.index import backlog, spaces, statistics
from workers.demo.data import Event, Question
from workers.start import reachable_host


@dataclass(frozen=True, slots=True)
class Found:
    """One hit, and the answer it came in: `words_only` says why the vectors did not take part, empty when they did."""

    title: str
    text: str
    session: str
    project: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of a question, best first; `words_only` says why no vectors took part."""

    hits: list[Found] = field(default_factory=list)
    words_only: str = ""


class Door(Protocol):
    """What the demo asks for."""

    def store(self, event: Event, at: datetime) -> bool:
        """Store an event; False when it was there."""

    def waiting(self) -> int:
        """How many entries still wait for their vectors; may do some of the work."""

    def ask(self, question: Question, limit: int) -> Answer:
        """Ask within the question's project."""

    def forget(self, session: str) -> int:
        """Forget a session; gives how many records."""


class HttpDoor:
    """A running server. Raises ProviderError when it does not answer as it should."""

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        values = settings.EVERLORE
        headers = {"Content-Type": "application/json"}
        if values["EVERLORE_SECRET"]:
            headers["Authorization"] = f"Bearer {values['EVERLORE_SECRET']}"
        client = http.client.HTTPConnection(
            reachable_host(values["EVERLORE_HOST"]), values["EVERLORE_PORT"], timeout=tunables.DEMO_CALL_SECONDS
        )
        try:
            client.request(method, f"/agentmemory/{path}", json.dumps(body) if body is not None else None, headers)
            answer = client.getresponse()
            found: dict[str, Any] = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise ProviderError(f"The server did not answer {path}: {problem}") from problem
        finally:
            client.close()
        if answer.status >= 400:
            raise ProviderError(f"The server refused {path}: {answer.status} {found.get('error', '')}")
        return found

    def store(self, event: Event, at: datetime) -> bool:
        """POST /observe."""
        answer = self._call(
            "POST",
            "observe",
            {
                "hookType": event.hook_type,
                "sessionId": event.session,
                "project": event.project,
                "cwd": event.cwd,
                "timestamp": at.isoformat(),
                "data": event.data,
                "eventId": event.event_id,
            },
        )
        return not answer.get("deduplicated")

    def waiting(self) -> int:
        """GET /health."""
        return int(self._call("GET", "health")["health"]["everlore"]["embeddingBacklog"])

    def ask(self, question: Question, limit: int) -> Answer:
        """POST /smart-search."""
        body = {"query": question.query, "project": question.project, "limit": limit}
        answer = self._call("POST", "smart-search", body)
        hits = [
            Found(row["title"], row.get("narrative", ""), row["sessionId"], row.get("project", ""))
            for row in answer["results"]
        ]
        return Answer(hits, answer.get("degraded", {}).get("dense", ""))

    def forget(self, session: str) -> int:
        """POST /forget."""
        return int(self._call("POST", "forget", {"sessionId": session})["deleted"])


class DirectDoor:
    """The flows, in this process; it embeds what waits itself."""

    def store(self, event: Event, at: datetime) -> bool:
        """Observe the event."""
        outcome = observe.observe(
            HookEvent(
                hook_type=event.hook_type,
                session_id=event.session,
                project=event.project,
                cwd=event.cwd,
                timestamp=at,
                data=event.data,
                event_id=event.event_id,
            ),
            now=timezone.now(),
        )
        return isinstance(outcome, observe.Stored)

    def waiting(self) -> int:
        """Count, link and embed one batch, and give what is left; 0 when there is no model to wait for."""
        statistics.count_pending()
        link.link_pending(timezone.now())
        model = embedding.embedder(settings.EVERLORE["EVERLORE_EMBEDDING_THREADS"], may_export=True)
        space = spaces.guard(model) if model.available else None
        if space is None or not embed.drain_once(space, model, timezone.now):
            return 0
        embedding.forget_space()
        return backlog.waiting()[0]

    def ask(self, question: Question, limit: int) -> Answer:
        """Recall, without counting it as a use."""
        scope = recall.scope_of(question.project, None)
        answer = recall.recall(question.query, scope=scope, limit=limit, now=timezone.now(), log=False)
        hits = [Found(hit.title, hit.narrative, hit.session_id, hit.project) for hit in answer.hits]
        return Answer(hits, answer.degraded.get("dense", ""))

    def forget(self, session: str) -> int:
        """Forget the session."""
        return remember.forget_session(session, now=timezone.now())

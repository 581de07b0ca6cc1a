"""Capture and sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory_core.domain.errors import InvalidInput
from memory_core.domain.events import HookEvent
from memory_core.flows import context as context_flow
from memory_core.flows import observe as observe_flow
from memory_core.flows import session as session_flow
from memory_core.flows.recall import rules
from memory_core.models import Observation, Session
from memory_core.models.project import MAX_SLUG
from memory_core.models.session import MAX_SESSION_ID
from memory_core.present import wire

from . import answers
from .bodies import Body, query_text
from .fields import Anything, PositiveInteger, ProjectName, Text, Time

TOOL_EVENT = "tool:"
"""How the id of a tool call's event begins, live and in a transcript."""


class ObserveBody(Body):
    """One hook event. `eventId` is Everlore's own: a client that repeats an event under it stores it once."""

    required_words = "hookType, sessionId, project, cwd, and timestamp are required strings"

    hookType = Text(max_length=128)  # noqa: N815  (the protocol's name)
    sessionId = Text(max_length=MAX_SESSION_ID)  # noqa: N815
    project = ProjectName(required=False, allow_null=True, blank=True, max_length=MAX_SLUG)
    cwd = Text(required=False, allow_null=True, blank=True, max_length=4096)
    timestamp = Time()
    data = Anything(required=False, allow_null=True)  # type: ignore[assignment]  # the protocol's name
    agentId = Text(required=False, allow_null=True, blank=True, max_length=128)  # noqa: N815
    eventId = Text(required=False, max_length=256)  # noqa: N815


class Observe(APIView):
    """`POST /observe`."""

    @extend_schema(request=ObserveBody, responses={201: answers.OBSERVED, **answers.ERRORS})
    def post(self, request: Request) -> Response:
        """Store one hook event; durable and searchable by its words when this answers."""
        body = ObserveBody.read(request)
        project, cwd = _place(body)
        event = HookEvent(
            hook_type=body["hookType"],
            session_id=body["sessionId"],
            project=project,
            cwd=cwd,
            timestamp=body["timestamp"],
            data=body.get("data"),
            event_id=_event_id(body),
            agent_id=body.get("agentId") or "",
        )
        outcome = observe_flow.observe(event, now=timezone.now())
        if isinstance(outcome, observe_flow.Stored):
            return Response({"observationId": outcome.observation_id}, status=201)
        if isinstance(outcome, observe_flow.Duplicate):
            return Response({"deduplicated": True, "sessionId": outcome.session_id}, status=201)
        words = f"Session observation limit reached ({outcome.limit})"
        return Response({"success": False, "error": words}, status=201)


def _event_id(body: dict[str, Any]) -> str | None:
    """The event's id for ever: a tool call's own id as it is (a resumed session repeats it), any other within its session."""
    given = body.get("eventId")
    if not given or given.startswith(TOOL_EVENT):
        return given
    return f"{body['sessionId']}/{given}"


def _place(body: dict[str, Any]) -> tuple[str, str]:
    """Project and directory of an event; a client that sends neither (OpenClaw does) gets its session's."""
    project, cwd = body.get("project"), body.get("cwd")
    if project and cwd:
        return project, cwd
    if project or cwd:
        raise InvalidInput(ObserveBody.required_words)
    known = Session.objects.filter(pk=body["sessionId"]).first()
    if known is None:
        raise InvalidInput(ObserveBody.required_words)
    return known.project_id, known.cwd


def _is_elsewhere(body: dict[str, Any]) -> bool:
    """Whether a session of this id is another project's."""
    return Session.objects.filter(pk=body["sessionId"]).exclude(project_id=body["project"]).exists()


def _when(body: dict[str, Any], now: datetime) -> datetime:
    """When it happened: a client that could not reach the server tells it late, but says when it was."""
    told = body.get("timestamp")
    return min(told, now) if told else now


class SessionStartBody(Body):
    """A session that begins, or goes on."""

    required_words = "sessionId, project, and cwd are required non-empty strings"

    sessionId = Text(max_length=MAX_SESSION_ID)  # noqa: N815
    project = ProjectName(max_length=MAX_SLUG)
    cwd = Text(max_length=4096)
    title = Text(required=False, allow_null=True, blank=True, max_length=10_000)
    timestamp = Time(required=False, allow_null=True)
    agentId = Text(required=False, allow_null=True, blank=True, max_length=128)  # noqa: N815


class SessionStart(APIView):
    """`POST /session/start`."""

    @extend_schema(request=SessionStartBody, responses={200: answers.SESSION_STARTED, **answers.ERRORS})
    def post(self, request: Request) -> Response:
        """Open a session and give the context its project remembers; a restart overwrites nothing."""
        body = SessionStartBody.read(request)
        now = timezone.now()
        if rules().project_isolated and _is_elsewhere(body):
            raise InvalidInput("this sessionId belongs to another project; start the session under an id of its own")
        session = session_flow.start(
            body["sessionId"],
            project=body["project"],
            cwd=body["cwd"],
            title=body.get("title") or "",
            agent=body.get("agentId") or "",
            now=_when(body, now),
        )
        context = context_flow.context(
            session.pk, project=body["project"], budget=None, agent=body.get("agentId"), now=now
        )
        return Response({"session": wire.session(session), "context": context.text})


class SessionEndBody(Body):
    """The session that ends."""

    required_words = "sessionId is required and must be a non-empty string"

    sessionId = Text(max_length=MAX_SESSION_ID)  # noqa: N815
    timestamp = Time(required=False, allow_null=True)


class SessionEnd(APIView):
    """`POST /session/end`."""

    @extend_schema(request=SessionEndBody, responses={200: answers.SESSION_ENDED, **answers.ERRORS})
    def post(self, request: Request) -> Response:
        """Close a session; an unknown one stays unknown."""
        body = SessionEndBody.read(request)
        known = session_flow.end(body["sessionId"], now=_when(body, timezone.now()))
        return Response({"success": True} if known else {"success": True, "known": False})


class ContextBody(Body):
    """Whose context, and how much of it."""

    required_words = "sessionId and project are required strings"

    sessionId = Text(max_length=MAX_SESSION_ID)  # noqa: N815
    project = Text(max_length=MAX_SLUG)
    budget = PositiveInteger(required=False, allow_null=True, lenient=True)
    agentId = Text(required=False, allow_null=True, blank=True, max_length=128)  # noqa: N815


class Context(APIView):
    """`POST /context`."""

    @extend_schema(request=ContextBody, responses={200: answers.CONTEXT, **answers.ERRORS})
    def post(self, request: Request) -> Response:
        """What the project remembers, within a token budget."""
        body = ContextBody.read(request)
        agent = body.get("agentId") or query_text(request, "agentId")
        found = context_flow.context(
            body["sessionId"], project=body["project"], budget=body.get("budget"), agent=agent, now=timezone.now()
        )
        return Response({"context": found.text, "blocks": found.blocks, "tokens": found.tokens})


AGENT = OpenApiParameter("agentId", str, description="Only records of this agent; * for every agent.")
PROJECT = OpenApiParameter("project", str, description="Only this project; * for every project.")
LIMIT = OpenApiParameter("limit", int, description="At most so many.")
OFFSET = OpenApiParameter("offset", int, description="Leave out the first ones.")


class Sessions(APIView):
    """`GET /sessions`."""

    @extend_schema(parameters=[AGENT, PROJECT, LIMIT, OFFSET], responses={200: answers.SESSIONS, **answers.ERRORS})
    def get(self, request: Request) -> Response:
        """Sessions, newest first."""
        scope = rules().scope(query_text(request, "project"), query_text(request, "agentId"))
        found = Session.objects.order_by("-started_at", "pk")
        if scope.projects is not None:
            found = found.filter(project_id__in=scope.projects)
        if scope.agent is not None:
            found = found.filter(agent_id=scope.agent)
        start, end = page(request, default=1000, most=5000)
        return Response({"sessions": [wire.session(session) for session in found[start:end]]})


class Observations(APIView):
    """`GET /observations`."""

    @extend_schema(
        parameters=[
            OpenApiParameter("sessionId", str, required=True),
            AGENT,
            PROJECT,
            LIMIT,
            OFFSET,
            OpenApiParameter("raw", bool, description="Give the payloads, too."),
        ],
        responses={200: answers.OBSERVATIONS, **answers.ERRORS},
    )
    def get(self, request: Request) -> Response:
        """A session's observations, oldest first."""
        session_id = query_text(request, "sessionId")
        if not session_id:
            raise InvalidInput("sessionId required")
        session = Session.objects.filter(pk=session_id).first()
        if session is None:
            return Response({"observations": []})
        named = query_text(request, "project")
        scope = rules().scope(named or session.project_id, query_text(request, "agentId"))
        found = Observation.objects.filter(session=session).order_by("timestamp", "pk")
        if scope.projects is not None and (named or rules().project_isolated):
            found = found.filter(project_id__in=scope.projects)
        if scope.agent is not None:
            found = found.filter(agent_id=scope.agent)
        raw = query_text(request, "raw") == "true"
        start, end = page(request, default=5000, most=5000)
        rows = found[start:end] if raw else found.defer("raw")[start:end]
        return Response({"observations": [wire.observation(row, raw=raw) for row in rows]})


def page(request: Request, *, default: int, most: int) -> tuple[int, int]:
    """Start and end of a page: `limit` and `offset` of the address, read leniently as the protocol does."""
    limit = _number(request, "limit")
    offset = _number(request, "offset") or 0
    size = min(limit, most) if limit else default
    return offset, offset + size


def _number(request: Request, name: str) -> int | None:
    text = query_text(request, name) or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

"""Memories: saved, listed, forgotten."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory_core.capture.payload import clean_text
from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.domain.scope import Scope
from memory_core.flows import remember as flow
from memory_core.flows.recall import note_citation, note_use, rules
from memory_core.knowledge.memories import NewMemory
from memory_core.models import Memory, Session
from memory_core.models.project import MAX_SLUG
from memory_core.present import wire

from . import answers
from .bodies import Body, query_text
from .fields import Anything, ProjectName, Text, TextList
from .observations import AGENT, LIMIT, OFFSET, PROJECT, page


class RememberBody(Body):
    """What is to be remembered."""

    required_words = "content is required"

    content = Text(trim=False, max_length=1_000_000)
    title = Text(required=False, allow_null=True, blank=True, max_length=500)
    type = Anything(required=False, allow_null=True)
    concepts = TextList(required=False, allow_null=True)
    files = TextList(required=False, allow_null=True)
    sourceObservationIds = TextList(required=False, allow_null=True)  # noqa: N815  (the protocol's name)
    sessionId = Text(required=False, allow_null=True, blank=True, max_length=512)  # noqa: N815
    ttlDays = Anything(required=False, allow_null=True)  # noqa: N815
    project = ProjectName(required=False, allow_null=True, max_length=MAX_SLUG)
    agentId = Text(required=False, allow_null=True, blank=True, max_length=128)  # noqa: N815


def _days(value: Any) -> float | None:
    """A time to live in days; nothing for a value that is no positive number, as the protocol has it."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    return float(min(value, 10**9))  # an integer may be longer than a float; as many days are refused all the same


class Remember(APIView):
    """`POST /remember`."""

    @extend_schema(request=RememberBody, responses={201: answers.REMEMBERED, **answers.ERRORS})
    def post(self, request: Request) -> Response:
        """Save a memory; one that says nearly the same becomes its older version."""
        body = RememberBody.read(request)
        kind = body.get("type")
        now = timezone.now()
        saved = flow.remember(
            NewMemory(
                content=body["content"],
                title=body.get("title") or "",
                project=body.get("project") or "",
                agent=body.get("agentId") or "",
                type=kind if isinstance(kind, str) and kind in Memory.Type.values else Memory.Type.FACT,
                concepts=body.get("concepts") or [],
                files=body.get("files") or [],
                session_ids=[body["sessionId"]] if body.get("sessionId") else [],
                source_observation_ids=body.get("sourceObservationIds") or [],
                ttl_days=_days(body.get("ttlDays")),
            ),
            now=now,
        )
        if sources := body.get("sourceObservationIds"):
            note_citation(
                sources,
                project=body.get("project"),
                agent=body.get("agentId"),
                session=body.get("sessionId"),
                now=now,
            )
        answer: dict[str, Any] = {"success": True, "memory": wire.memory(saved.memory)}
        if saved.similar:
            answer["similarTo"] = {
                "id": saved.similar.id,
                "title": saved.similar.title,
                "similarity": saved.similar.similarity,
            }
        return Response(answer, status=201)


class ForgetBody(Body):
    """What is to be forgotten: a memory, observations of a session, or a session."""

    memoryId = Text(required=False, allow_null=True, blank=True, max_length=512)  # noqa: N815
    sessionId = Text(required=False, allow_null=True, blank=True, max_length=512)  # noqa: N815
    observationIds = TextList(required=False, allow_null=True)  # noqa: N815
    project = Text(required=False, allow_null=True, blank=True, max_length=MAX_SLUG)
    agentId = Text(required=False, allow_null=True, blank=True, max_length=128)  # noqa: N815
    reason = Text(required=False, allow_null=True, blank=True, max_length=2000)


def _sees(scope: Scope, kind: type[Memory] | type[Session], record_id: str) -> bool:
    """Whether a record is there and in the scope of whoever wants it forgotten."""
    found = kind.objects.filter(pk=record_id).values_list("project_id", "agent_id").first()
    return found is not None and scope.sees(*found)


class Forget(APIView):
    """`POST /forget`."""

    @extend_schema(request=ForgetBody, responses={200: answers.FORGOTTEN, **answers.ERRORS})
    def post(self, request: Request) -> Response:
        """Forget for good; what is not there counts 0."""
        body = ForgetBody.read(request)
        memory, session, ids = body.get("memoryId"), body.get("sessionId"), body.get("observationIds")
        if not memory and not session:
            raise InvalidInput("sessionId or memoryId is required")
        now = timezone.now()
        scope = rules().scope(body.get("project"), body.get("agentId"))
        memory = memory if memory and _sees(scope, Memory, memory) else None
        asked_for_memory = bool(body.get("memoryId"))
        session = session if session and _sees(scope, Session, session) else None
        deleted = flow.forget_memory(memory, now=now, why=body.get("reason") or "") if memory else 0
        if session and ids:
            deleted += flow.forget_observations(session, ids, now=now)
        elif session and not asked_for_memory and ids is None:
            deleted += flow.forget_session(session, now=now)
        return Response({"success": True, "deleted": deleted})


class Memories(APIView):
    """`GET /memories`."""

    @extend_schema(
        parameters=[
            AGENT,
            PROJECT,
            LIMIT,
            OFFSET,
            OpenApiParameter("latest", bool, description="Only the newest version of each."),
            OpenApiParameter("count", bool, description="Only how many."),
            OpenApiParameter("includeOrphans", bool, description="Also those that no agent claimed."),
        ],
        responses={200: answers.MEMORIES, **answers.ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Memories, oldest first."""
        scope = rules().scope(query_text(request, "project"), query_text(request, "agentId"))
        found = Memory.objects.order_by("created_at", "pk")
        if scope.projects is not None:
            found = found.filter(project_id__in=scope.projects)
        if scope.agent is not None:
            own = Q(agent_id=scope.agent)
            found = found.filter(own | Q(agent_id="") if query_text(request, "includeOrphans") == "true" else own)
        if query_text(request, "count") == "true":
            return Response({"total": found.count(), "latestCount": found.filter(is_latest=True).count()})
        if query_text(request, "latest") == "true":
            found = found.filter(is_latest=True)
        limited = query_text(request, "limit") is not None
        start, end = page(request, default=5000, most=5000)
        rows = [wire.memory(memory) for memory in found[start:end]]
        return Response(
            {
                "memories": rows,
                "total": found.count(),
                "offset": start,
                "limit": end - start if limited else None,
            }
        )


class OneMemory(APIView):
    """`GET /memories/:id`."""

    @extend_schema(
        operation_id="memory_retrieve",
        parameters=[AGENT, PROJECT],
        responses={200: answers.ONE_MEMORY, **answers.ERRORS},
    )
    def get(self, request: Request, memory_id: str) -> Response:
        """One version of a memory."""
        if not memory_id.strip():
            raise InvalidInput("id path parameter is required")
        scope = rules().scope(query_text(request, "project"), query_text(request, "agentId"))
        memory = Memory.objects.filter(pk=clean_text(memory_id)).first()
        if memory is None or not scope.sees(memory.project_id, memory.agent_id):
            raise NotFound(f"memory not found: {memory_id[:200]}")
        note_use([memory.pk], scope=scope, session=None, now=timezone.now())
        return Response({"memory": wire.memory(memory)})

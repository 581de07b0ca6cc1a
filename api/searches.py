"""Recall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory_core.domain import tunables_recall as tunables
from memory_core.domain.errors import InvalidInput
from memory_core.domain.scope import Scope
from memory_core.flows import access
from memory_core.flows import recall as flow
from memory_core.models.project import MAX_SLUG
from memory_core.present import wire
from memory_core.present.budget import fit
from memory_core.retrieve.search import Hit

from . import answers
from .bodies import Body, query_text
from .fields import Anything, Flag, PositiveInteger, Text

FORMATS = ("full", "compact", "narrative")


class SearchBody(Body):
    """A question, where to ask it, and in which form the answer is wanted."""

    required_words = "query is required and must be a non-empty string"

    query = Text(max_length=2_000_000)
    limit = PositiveInteger(required=False, allow_null=True, cap=tunables.MOST_RESULTS)
    project = Text(required=False, allow_null=True, blank=True, max_length=MAX_SLUG)
    cwd = Text(required=False, allow_null=True, blank=True, max_length=4096)
    format = Text(required=False, allow_null=True, blank=True, max_length=32)
    token_budget = PositiveInteger(required=False, allow_null=True)
    explain = Flag(required=False, allow_null=True)
    agentId = Text(required=False, allow_null=True, blank=True, max_length=128)  # noqa: N815  (the protocol's name)
    sessionId = Text(required=False, allow_null=True, blank=True, max_length=512)  # noqa: N815


def _compact(hit: Hit) -> dict[str, Any]:
    return {
        "obsId": hit.object_id,
        "sessionId": hit.session_id or "memory",
        "title": hit.title,
        "type": hit.type,
        "score": round(hit.score, 6),
        "timestamp": wire.timestamp(hit.occurred_at),
        "project": hit.project,
        "kind": hit.kind,
        **_explained(hit),
    }


def _explained(hit: Hit) -> dict[str, Any]:
    """Why the record is where it is, for a request that asks to explain: rank and score in every stream that gave it, the
    question's words in it, the way there in the graph, and what moved it after the fusion."""
    if not hit.evidence:
        return {}
    told: dict[str, Any] = {
        "explain": {stream: {"rank": int(rank), "score": score} for stream, (rank, score) in hit.evidence.items()},
        "matchedTerms": [
            {"word": one.word, "of": one.of, "by": one.by} if one.by else {"word": one.word} for one in hit.matches
        ],
    }
    if hit.path:
        told["path"] = list(hit.path)
    if hit.reranked:
        told["reranker"] = {"before": hit.reranked.before, "score": round(hit.reranked.score, 4)}
    if hit.voice < 1:
        told["voice"] = hit.voice
    if hit.repeats:
        told["repeats"] = hit.repeats
    return told


def _with_narrative(hit: Hit) -> dict[str, Any]:
    narrative = hit.narrative
    cut = narrative if len(narrative) <= 400 else narrative[:399] + "…"
    return {**_compact(hit), "narrative": cut}


def _full(hits: Sequence[Hit], scope: Scope) -> list[dict[str, Any]]:
    records = flow.load([hit.object_id for hit in hits], scope)
    return [
        {
            "observation": records[hit.object_id],
            "score": round(hit.score, 6),
            "sessionId": records[hit.object_id]["sessionId"],
            **_explained(hit),
        }
        for hit in hits
        if hit.object_id in records
    ]


class Search(APIView):
    """`POST /search`."""

    @extend_schema(request=SearchBody, responses={200: answers.SEARCHED, **answers.ERRORS})
    def post(self, request: Request) -> Response:
        """Records that answer a question, whole or compact, within a token budget."""
        body = SearchBody.read(request)
        form = (body.get("format") or "full").lower()
        if form not in FORMATS:
            raise InvalidInput("format must be one of: full, compact, narrative")
        scope = flow.scope_of(
            body.get("project"), body.get("agentId") or query_text(request, "agentId"), body.get("sessionId")
        )
        found = flow.recall(
            body["query"],
            scope=scope,
            limit=body.get("limit") or tunables.DEFAULT_RESULTS,
            cwd=body.get("cwd") or None,
            now=timezone.now(),
            explain=bool(body.get("explain")),
            session=body.get("sessionId"),
            learn=not _is_viewer(request),
        )
        return Response(_search_answer(form, found, scope, body.get("token_budget")))


def _search_answer(form: str, found: flow.Answer, scope: Scope, budget: int | None) -> dict[str, Any]:
    rows = {
        "full": lambda: _full(found.hits, scope),
        "compact": lambda: [_compact(hit) for hit in found.hits],
        "narrative": lambda: [_with_narrative(hit) for hit in found.hits],
    }[form]()
    kept, used, truncated = fit(rows, budget)
    answer: dict[str, Any] = {"format": form, "results": kept, "tokens_used": used, "truncated": truncated}
    if budget is not None:
        answer["tokens_budget"] = budget
    if form == "narrative":
        answer["text"] = "\n\n".join(
            f"{number}. {row['title']}\n{row['narrative']}" for number, row in enumerate(kept, start=1)
        )
    if found.degraded:
        answer["degraded"] = found.degraded
    return answer


class SmartSearchBody(Body):
    """A question, or ids to expand."""

    query = Text(required=False, allow_null=True, blank=True, max_length=2_000_000)
    expandIds = Anything(required=False, allow_null=True)  # noqa: N815
    limit = Anything(required=False, allow_null=True)
    project = Text(required=False, allow_null=True, blank=True, max_length=MAX_SLUG)
    explain = Flag(required=False, allow_null=True)
    includeLessons = Flag(required=False, allow_null=True)  # noqa: N815
    agentId = Text(required=False, allow_null=True, blank=True, max_length=128)  # noqa: N815
    sessionId = Text(required=False, allow_null=True, blank=True, max_length=512)  # noqa: N815
    source = Text(required=False, allow_null=True, blank=True, max_length=128)  # type: ignore[assignment]  # the protocol's name


def _expandable(given: Any) -> list[str]:
    """The ids to expand: texts, or objects with an `obsId`."""
    if given is None:
        return []
    if not isinstance(given, list):
        raise InvalidInput("expandIds must be an array of ids")
    ids = [item.get("obsId") if isinstance(item, dict) else item for item in given]
    if not all(isinstance(one, str) and len(one) <= 512 for one in ids):
        raise InvalidInput("expandIds must be an array of ids or of objects with an obsId")
    return [one for one in ids if isinstance(one, str) and one.strip()]


def _clamped(value: Any) -> int:
    """A lenient limit: 1 to 100, 20 for what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return tunables.DEFAULT_RESULTS
    return int(max(1, min(value, tunables.MOST_RESULTS)))


class SmartSearch(APIView):
    """`POST /smart-search`: compact first, whole by id afterwards."""

    @extend_schema(request=SmartSearchBody, responses={200: answers.SMART_SEARCHED, **answers.ERRORS})
    def post(self, request: Request) -> Response:
        """Compact results for a question, or the whole records for ids."""
        body = SmartSearchBody.read(request)
        ids = _expandable(body.get("expandIds"))
        agent = body.get("agentId") or query_text(request, "agentId")
        if ids:
            scope = flow.scope_of(body.get("project"), agent, body.get("sessionId"))
            learn = not _is_viewer(request, body.get("source"))
            return Response(_expanded(ids, scope, body.get("sessionId"), learn=learn))
        if body.get("query") is None:
            raise InvalidInput("query or expandIds is required")
        if not body["query"].strip():
            return Response({"mode": "compact", "results": [], "error": "query is required"})
        scope = flow.scope_of(body.get("project"), agent, body.get("sessionId"))
        found = flow.recall(
            body["query"],
            scope=scope,
            limit=_clamped(body.get("limit")),
            now=timezone.now(),
            explain=bool(body.get("explain")),
            session=body.get("sessionId"),
            learn=not _is_viewer(request, body.get("source")),
        )
        answer: dict[str, Any] = {"mode": "compact", "results": [_with_narrative(hit) for hit in found.hits]}
        if body.get("includeLessons") is not False:
            answer["lessons"] = []
        if found.degraded:
            answer["degraded"] = found.degraded
        return Response(answer)


def _is_viewer(request: Request, source: str | None = None) -> bool:
    """Whether a person looks around in the viewer: no agent's use, as the protocol has it."""
    return (source or request.headers.get("X-Agentmemory-Source") or "").strip().lower() == "viewer"


def _expanded(ids: list[str], scope: Scope, session: str | None, *, learn: bool) -> dict[str, Any]:
    taken = ids[: tunables.MOST_EXPANDED]
    records = flow.load(taken, scope)
    now = timezone.now()
    access.record(list(records), now)
    if learn:
        flow.note_use(list(records), scope=scope, session=session, now=now)
    rows = [
        {"obsId": one, "sessionId": records[one]["sessionId"], "observation": records[one]}
        for one in dict.fromkeys(taken)
        if one in records
    ]
    return {"mode": "expanded", "results": rows, "truncated": len(ids) > tunables.MOST_EXPANDED}

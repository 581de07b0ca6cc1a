"""Answers as the OpenAPI schema describes them: what is always there, and what may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiResponse

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TIME: Schema = {"type": "string", "format": "date-time"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
ANYTHING: Schema = {}


def const(value: str | bool) -> Schema:
    """This very value."""
    return {"type": "boolean" if isinstance(value, bool) else "string", "enum": [value]}


def array(item: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": item}


def record(always: Mapping[str, Schema], **sometimes: Schema) -> Schema:
    """An object: the keys that are always there, and those that may be."""
    return {"type": "object", "properties": {**always, **sometimes}, "required": list(always)}


def one_of(*choices: Schema) -> Schema:
    """Any of them."""
    return {"anyOf": list(choices)}


def answer(schema: Schema, description: str) -> OpenApiResponse:
    """An answer that is JSON of this shape."""
    return OpenApiResponse(response=schema, description=description)


ERROR = record({"error": {**TEXT, "description": "What is wrong, in words a person can act on."}}, error_id=TEXT)

_ORIGIN = record(
    {"channel": {**TEXT, "enum": ["user", "agent", "tool", "import", "shared"]}, "capturedAt": TIME}, detail=TEXT
)
_TEXTS = array(TEXT)
_PORTS = {"viewerPort": COUNT, "viewerSkipped": FLAG, "streamsPort": COUNT}
_SERVICE = {"service": const("agentmemory"), "implementation": const("everlore")}

SESSION = record(
    {
        "id": TEXT,
        "project": TEXT,
        "cwd": TEXT,
        "startedAt": TIME,
        "updatedAt": TIME,
        "status": {**TEXT, "enum": ["active", "completed", "abandoned"]},
        "observationCount": COUNT,
    },
    endedAt=TIME,
    model=TEXT,
    tags=_TEXTS,
    firstPrompt=TEXT,
    summary=TEXT,
    commitShas=_TEXTS,
    agentId=TEXT,
    refusedCount=COUNT,
)
_FOUND = {
    "id": TEXT,
    "sessionId": TEXT,
    "timestamp": TIME,
    "type": TEXT,
    "title": TEXT,
    "facts": _TEXTS,
    "narrative": TEXT,
    "concepts": _TEXTS,
    "files": _TEXTS,
    "importance": {"type": "integer", "minimum": 1, "maximum": 10},
    "origin": _ORIGIN,
}
FOUND = record(
    _FOUND, subtitle=TEXT, toolName=TEXT, agentId=TEXT, project=TEXT, imageData=TEXT, memoryType=TEXT, version=COUNT
)
"""An observation, or a memory in the shape of one."""

OBSERVATION = record(
    {**_FOUND, "confidence": NUMBER, "modality": TEXT, "hookType": TEXT, "project": TEXT},
    subtitle=TEXT,
    toolName=TEXT,
    agentId=TEXT,
    imageData=TEXT,
    images=_TEXTS,
    raw=ANYTHING,
)
MEMORY = record(
    {
        "id": TEXT,
        "createdAt": TIME,
        "updatedAt": TIME,
        "type": {**TEXT, "enum": ["pattern", "preference", "architecture", "bug", "workflow", "fact"]},
        "title": TEXT,
        "content": TEXT,
        "concepts": _TEXTS,
        "files": _TEXTS,
        "sessionIds": _TEXTS,
        "strength": NUMBER,
        "version": {"type": "integer", "minimum": 1},
        "supersedes": _TEXTS,
        "sourceObservationIds": _TEXTS,
        "isLatest": FLAG,
        "origin": _ORIGIN,
    },
    parentId=TEXT,
    relatedIds=_TEXTS,
    forgetAfter=TIME,
    project=TEXT,
    agentId=TEXT,
    imageRef=TEXT,
    metadata={"type": "object"},
)
_HIT = record(
    {
        "obsId": TEXT,
        "sessionId": TEXT,
        "title": TEXT,
        "type": TEXT,
        "score": NUMBER,
        "timestamp": TIME,
        "project": TEXT,
        "kind": {**TEXT, "enum": ["observation", "memory"]},
    },
    narrative=TEXT,
    explain={"type": "object"},
    matchedTerms=array(record({"word": TEXT}, of=TEXT, by={**TEXT, "enum": ["synonym", "prefix"]})),
    path=array(TEXT),
    reranker=record({"before": {"type": "integer"}, "score": NUMBER}),
    voice=NUMBER,
    repeats=TEXT,
)
_DEGRADED: Schema = {
    "type": "object",
    "additionalProperties": TEXT,
    "description": "What could not take part in the search, and why.",
}

ALIVE = answer(record({"status": const("ok"), **_SERVICE, **_PORTS}), "This process answers.")
_HEALTH = record(
    {
        "status": {**TEXT, "enum": ["healthy", "degraded", "critical"]},
        **_SERVICE,
        "version": TEXT,
        "health": {"type": "object"},
        "functionMetrics": array(ANYTHING),
        "circuitBreaker": {"nullable": True},
        **_PORTS,
    }
)
HEALTHY = answer(_HEALTH, "How the instance is.")
CRITICAL = answer(one_of(_HEALTH, ERROR), "The same, when the database cannot be reached.")
FLAGS = answer(
    record(
        {
            "version": TEXT,
            "provider": TEXT,
            "embeddingProvider": TEXT,
            "flags": array(
                record(
                    {
                        **dict.fromkeys(("key", "label", "description", "enableHow", "docsHref"), TEXT),
                        **dict.fromkeys(("enabled", "default", "needsLlm"), FLAG),
                        "affects": _TEXTS,
                    }
                )
            ),
        }
    ),
    "Which optional parts are on.",
)
OBSERVED = answer(
    one_of(
        record({"observationId": TEXT}),
        record({"deduplicated": const(True), "sessionId": TEXT}),
        record({"success": const(False), "error": TEXT}),
    ),
    "Stored, or known already, or refused because the session is full.",
)
SESSION_STARTED = answer(record({"session": SESSION, "context": TEXT}), "The session and what its project remembers.")
SESSION_ENDED = answer(record({"success": const(True)}, known=const(False)), "Closed; `known` false: there was none.")
CONTEXT = answer(record({"context": TEXT, "blocks": COUNT, "tokens": COUNT}), "What the project remembers.")
SESSIONS = answer(record({"sessions": array(SESSION)}), "Sessions, newest first.")
OBSERVATIONS = answer(record({"observations": array(OBSERVATION)}), "A session's observations, oldest first.")
SEARCHED = answer(
    record(
        {
            "format": {**TEXT, "enum": ["full", "compact", "narrative"]},
            "results": array(one_of(record({"observation": FOUND, "score": NUMBER, "sessionId": TEXT}), _HIT)),
            "tokens_used": COUNT,
            "truncated": FLAG,
        },
        tokens_budget=COUNT,
        text=TEXT,
        degraded=_DEGRADED,
    ),
    "What answers, best first.",
)
SMART_SEARCHED = answer(
    one_of(
        record(
            {"mode": const("compact"), "results": array(_HIT)}, lessons=array(ANYTHING), degraded=_DEGRADED, error=TEXT
        ),
        record(
            {
                "mode": const("expanded"),
                "results": array(record({"obsId": TEXT, "sessionId": TEXT, "observation": FOUND})),
                "truncated": FLAG,
            }
        ),
    ),
    "What answers, best first; or the whole records for ids.",
)
REMEMBERED = answer(
    record(
        {"success": const(True), "memory": MEMORY},
        similarTo=record({"id": TEXT, "title": TEXT, "similarity": NUMBER}),
    ),
    "The memory, and the one that says much the same.",
)
FORGOTTEN = answer(record({"success": const(True), "deleted": COUNT}), "How many rows are gone.")
MEMORIES = answer(
    one_of(
        record({"memories": array(MEMORY), "total": COUNT, "offset": COUNT, "limit": {**COUNT, "nullable": True}}),
        record({"total": COUNT, "latestCount": COUNT}),
    ),
    "Memories, oldest first; or only how many.",
)
ONE_MEMORY = answer(record({"memory": MEMORY}), "One version of a memory.")

Answer = answer({"type": "object", "additionalProperties": True}, "The answer.")
"""A JSON object; its keys are the wire protocol's."""


def _error(description: str) -> OpenApiResponse:
    return answer(ERROR, description)


ERRORS: dict[Any, OpenApiResponse] = {
    400: _error("The request cannot be understood."),
    401: _error("The bearer secret is missing or wrong."),
    404: _error("There is no such thing."),
    405: _error("This address takes another method."),
    406: _error("Only JSON is given."),
    413: _error("The body is too large."),
    415: _error("The body is not JSON."),
    503: _error("Something this needs cannot be reached; try again."),
}
"""The refusals that every endpoint may answer with."""

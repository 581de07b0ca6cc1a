"""Answers as the OpenAPI schema describes them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse

ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string", "description": "What is wrong, in words a person can act on."}},
    "required": ["error"],
}

Answer = OpenApiResponse(response={"type": "object", "additionalProperties": True}, description="The answer.")
"""A JSON object; its keys are the wire protocol's."""


def _error(description: str) -> OpenApiResponse:
    return OpenApiResponse(response=ERROR, description=description)


ERRORS: dict[Any, OpenApiResponse] = {
    400: _error("The request cannot be understood."),
    401: _error("The bearer secret is missing or wrong."),
    404: _error("There is no such thing."),
    406: _error("Only JSON is given."),
    413: _error("The body is too large."),
    415: _error("The body is not JSON."),
    503: _error("Something this needs cannot be reached; try again."),
}
"""The refusals that every endpoint may answer with."""

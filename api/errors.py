"""One table from what went wrong to a status code, one shape for its words: `{"error": ...}`."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from memory_core.domain.errors import EverloreError, InvalidInput, NotFound, ProviderError, TooLarge

logger = logging.getLogger("everlore.api")

STATUS: tuple[tuple[type[Exception], int], ...] = (
    (TooLarge, 413),
    (RequestDataTooBig, 413),
    (InvalidInput, 400),
    (NotFound, 404),
    (Http404, 404),
    (PermissionDenied, 403),
    (DataError, 400),
    (OperationalError, 503),
    (InterfaceError, 503),
    (ProviderError, 503),
    (EverloreError, 500),
)

WORDS: dict[type[Exception], str] = {
    RequestDataTooBig: "the body is too large; send less, or raise EVERLORE_MAX_BODY_BYTES",
    Http404: "there is nothing at this address",
    PermissionDenied: "this is not allowed",
    DataError: "a value in the request cannot be stored: a number or a time is out of range",
    OperationalError: "the database cannot be reached at the moment; try again in a few seconds",
    InterfaceError: "the database cannot be reached at the moment; try again in a few seconds",
}


def words(detail: Any, field: str = "") -> str:
    """One sentence out of REST framework's nested error details: the first mistake, named by its field."""
    if isinstance(detail, Mapping):
        name, rest = next(iter(detail.items()), ("", ""))
        inner = name if name != "non_field_errors" else ""
        return words(rest, f"{field}.{inner}" if field and inner else field or inner)
    if isinstance(detail, list):
        first = next((item for item in detail if item), "")
        return words(first, field)
    text = str(detail)
    return text if not field or text.startswith(field) else f"{field} {text}"


def answer(problem: Exception, context: Mapping[str, Any]) -> Response:
    """REST framework's exception handler: always a JSON body a person can act on."""
    if isinstance(problem, exceptions.UnsupportedMediaType):
        return Response(
            {"error": "send JSON, with the header Content-Type: application/json"}, status=problem.status_code
        )
    if isinstance(problem, exceptions.APIException):
        if isinstance(problem, exceptions.NotAuthenticated):  # REST framework makes it 403 where nobody logs in
            return Response({"error": words(problem.detail)}, status=401, headers={"WWW-Authenticate": "Bearer"})
        return Response({"error": words(problem.detail)}, status=problem.status_code)
    for kind, status in STATUS:
        if isinstance(problem, kind):
            if status >= 500:
                logger.error("%s: %s", type(problem).__name__, problem)
            response = Response({"error": WORDS.get(kind) or str(problem)}, status=status)
            if status == 503:
                response["Retry-After"] = "2"
            return response
    error_id = secrets.token_hex(8)
    logger.exception("Unexpected error %s", error_id, exc_info=problem)
    return Response(
        {"error": f"something went wrong here; the log has it as {error_id}", "error_id": error_id}, status=500
    )


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """What Django itself refuses, such as a foreign Host header."""
    return JsonResponse(
        {"error": "this request is refused: its Host header is not one of this server's (EVERLORE_ALLOWED_HOSTS)"},
        status=400,
    )


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    """An address that is not in the table of routes."""
    return JsonResponse({"error": f"there is nothing at {request.path[:200]}"}, status=404)


def server_error(request: HttpRequest) -> JsonResponse:
    """A fault outside REST framework's reach."""
    return JsonResponse({"error": "something went wrong here; see the server's log"}, status=500)

"""Request bodies and addresses, read before anything is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request

from memory_core.capture.payload import clean_text
from memory_core.domain.errors import InvalidInput


class Body(serializers.Serializer[Any]):
    """A JSON object; `required_words` is the protocol's sentence for a missing or mistyped required field."""

    required_words: ClassVar[str] = ""

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """The body's values, checked. Raises ValidationError or InvalidInput (400)."""
        if not isinstance(request.data, Mapping):
            raise InvalidInput("the body must be a JSON object")
        body = _shared(cls)
        try:
            return dict(body.run_validation(request.data))
        except serializers.ValidationError as problem:
            raise _first(body, request.data, problem) from problem


@cache
def _shared(kind: type[Body]) -> Body:
    """One instance of a body for all requests: its fields hold no state, and making them anew is half of a small request."""
    return kind()


def _first(body: Body, given: Mapping[str, Any], problem: serializers.ValidationError) -> Exception:
    """The first mistake; for a required field that is missing, blank or of a wrong type, in the protocol's words."""
    details = problem.detail if isinstance(problem.detail, dict) else {}
    for name, field in body.fields.items():
        if name not in details:
            continue
        value = given.get(name)
        unusable = not isinstance(value, str) or not value.strip()
        if field.required and body.required_words and unusable:
            return InvalidInput(body.required_words)
        return serializers.ValidationError({name: details[name]})
    return problem


def query_text(request: Request, name: str) -> str | None:
    """A parameter of the address, trimmed and storable; None when it is absent or blank. The last one wins."""
    value = request.query_params.get(name)
    if value is None or not value.strip():
        return None
    if len(value) > 4096:
        raise InvalidInput(f"{name} must have at most 4096 characters")
    return clean_text(value.strip())

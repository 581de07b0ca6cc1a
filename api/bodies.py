"""Request bodies and addresses, read before anything is done with them."""

from __future__ import annotations

from collections.abc import Mapping
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
        body = cls(data=request.data)
        if not body.is_valid():
            _refuse(body)
        return dict(body.validated_data)


def _refuse(body: Body) -> None:
    """Raise the first mistake; for a required field that is missing, blank or of a wrong type, in the protocol's words."""
    for name, field in body.fields.items():
        problems = body.errors.get(name)
        if not problems:
            continue
        given = body.initial_data.get(name)
        unusable = not isinstance(given, str) or not given.strip()
        if field.required and body.required_words and unusable:
            raise InvalidInput(body.required_words)
        raise serializers.ValidationError({name: problems})
    raise serializers.ValidationError(body.errors)


def query_text(request: Request, name: str) -> str | None:
    """A parameter of the address, trimmed and storable; None when it is absent or blank. The last one wins."""
    value = request.query_params.get(name)
    if value is None or not value.strip():
        return None
    if len(value) > 4096:
        raise InvalidInput(f"{name} must have at most 4096 characters")
    return clean_text(value.strip())

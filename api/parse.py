"""Request bodies in, answers out: strict JSON, cleaned for Postgres before anything sees it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from memory_core.capture.payload import clean
from memory_core.domain.errors import InvalidInput, TooLarge


def _refuse_constant(name: str) -> None:
    raise InvalidInput(f"the body is not valid JSON: {name} is not a JSON number")


class StrictJSONParser(BaseParser):
    """JSON as RFC 8259 has it: UTF-8, no NaN; nesting, size and numbers bounded; text made storable."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The body's value. Raises InvalidInput (400) or TooLarge (413) in words."""
        limit = settings.EVERLORE["EVERLORE_MAX_BODY_BYTES"]
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge(f"the body is larger than {limit} bytes; send less, or raise EVERLORE_MAX_BODY_BYTES")
        if not body.strip():
            return {}
        try:
            value = json.loads(body.decode("utf-8-sig"), parse_constant=_refuse_constant)
        except UnicodeDecodeError as problem:
            raise ParseError(f"the body is not UTF-8: byte {problem.start} cannot be read") from problem
        except json.JSONDecodeError as problem:
            raise ParseError(
                f"the body is not valid JSON: {problem.msg} at line {problem.lineno}, column {problem.colno}"
            ) from problem
        except RecursionError as problem:
            raise ParseError("the body is nested too deeply") from problem
        except ValueError as problem:  # an integer of more digits than Python reads
            raise ParseError("the body holds a number with too many digits") from problem
        return clean(value)


class CompactJSONRenderer(BaseRenderer):
    """JSON without spaces, other scripts as themselves."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """The answer's bytes; nothing for an answer without a body."""
        if data is None:
            return b""
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

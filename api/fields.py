"""Fields of request bodies. Strict about types: a number is not a text. Messages read on from the field's name."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers

MAX_LIST = 10_000
"""Items a list in a request may have; unit: items; more is a client's mistake, and 10,000 concepts still save."""


class JsonField(serializers.Field[Any, Any, Any, Any]):
    """A field that says what it takes in the words of JSON schema."""

    @property
    def json_schema(self) -> dict[str, Any]:
        """What the published schema says of this field."""
        raise NotImplementedError

    def to_representation(self, value: Any) -> Any:
        return value


class Text(JsonField):
    """A text; `blank=False` asks for more than white space, `trim` gives it back without the white space around it."""

    default_error_messages = {
        "invalid": "must be a string",
        "required": "is required",
        "null": "must be a string",
        "blank": "must be a non-empty string",
        "long": "must have at most {limit} characters",
    }

    def __init__(self, *, blank: bool = False, trim: bool = True, max_length: int = 4_000_000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.blank, self.trim, self.max_length = blank, trim, max_length

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if not self.blank and not data.strip():
            self.fail("blank")
        if len(data) > self.max_length:
            self.fail("long", limit=self.max_length)
        return data.strip() if self.trim else data

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.max_length, **({} if self.blank else {"minLength": 1})}


class ProjectName(Text):
    """A project to write to: a name, never the star that stands for every project in a search."""

    default_error_messages = {"star": "must be the name of one project; * stands for all of them in searches only"}

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if name == "*":
            self.fail("star")
        return name


class PositiveInteger(JsonField):
    """An integer from 1; `lenient` also reads "20"; what is above `cap` becomes `cap`."""

    default_error_messages = {
        "invalid": "must be a positive integer",
        "required": "is required",
        "null": "must be a positive integer",
    }

    def __init__(self, *, lenient: bool = False, cap: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.lenient, self.cap = lenient, cap

    def to_internal_value(self, data: Any) -> int:
        if (
            self.lenient
            and isinstance(data, str)
            and data.strip().isascii()
            and data.strip().isdigit()
            and len(data) < 19
        ):
            data = int(data.strip())
        if isinstance(data, float) and data.is_integer():
            data = int(data)
        if isinstance(data, bool) or not isinstance(data, int) or data < 1:
            self.fail("invalid")
        return min(data, self.cap) if self.cap else min(data, 2**31 - 1)

    @property
    def json_schema(self) -> dict[str, Any]:
        number = {"type": "integer", "minimum": 1}
        return {"oneOf": [number, {"type": "string", "pattern": "^[0-9]+$"}]} if self.lenient else number


class TextList(JsonField):
    """A list of texts; blank ones are left out."""

    default_error_messages = {
        "invalid": "must be an array",
        "item": "must be an array of strings",
        "null": "must be an array",
        "many": "must have at most {limit} items",
        "long": "must have items of at most {limit} characters",
    }

    def __init__(self, *, max_items: int = MAX_LIST, max_length: int = 8_192, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.max_items, self.max_length = max_items, max_length

    def to_internal_value(self, data: Any) -> list[str]:
        if not isinstance(data, list):
            self.fail("invalid")
        if len(data) > self.max_items:
            self.fail("many", limit=self.max_items)
        for item in data:
            if not isinstance(item, str):
                self.fail("item")
            if len(item) > self.max_length:
                self.fail("long", limit=self.max_length)
        return [item for item in data if item.strip()]

    @property
    def json_schema(self) -> dict[str, Any]:
        item = {"type": "string", "maxLength": self.max_length}
        return {"type": "array", "items": item, "maxItems": self.max_items}


class Flag(JsonField):
    """true or false."""

    default_error_messages = {"invalid": "must be true or false", "null": "must be true or false"}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Anything(JsonField):
    """Any JSON value."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    @property
    def json_schema(self) -> dict[str, Any]:
        return {}


class Time(JsonField):
    """An ISO 8601 time; without an offset it is taken as UTC."""

    default_error_messages = {
        "invalid": "must be an ISO 8601 time such as 2026-01-31T12:00:00Z",
        "range": "must be a time between the years 1970 and 9999",
        "required": "is required",
        "null": "must be an ISO 8601 time such as 2026-01-31T12:00:00Z",
    }

    def to_internal_value(self, data: Any) -> datetime:
        if not isinstance(data, str) or not data.strip() or len(data) > 64:
            self.fail("invalid")
        if data.strip().startswith("0000"):
            self.fail("range")
        try:
            parsed = datetime.fromisoformat(data.strip())
            aware = parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
        except OverflowError:
            self.fail("range")
        except ValueError:
            self.fail("invalid")
        if aware.year < 1970:
            self.fail("range")
        return aware

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date-time"}

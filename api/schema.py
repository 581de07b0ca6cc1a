"""How the fields of request bodies stand in the published schema."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema

from .fields import JsonField


class JsonFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Asks the field itself."""

    target_class = JsonField
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """The field's own words."""
        field: JsonField = self.target
        return dict(field.json_schema)

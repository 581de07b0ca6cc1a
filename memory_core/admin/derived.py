"""What is derived from the records: to be looked at, never edited; `everlore reindex` makes it anew."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memory_core.domain.graph import EdgeType, NodeType
from memory_core.models import EmbeddingBacklog, EmbeddingSpace, GraphEdge, GraphNode, Memory, Observation, SearchEntry

from . import names, shown
from .lists import Looked, ProjectFilter, cell, fixed_values, project_cell

KINDS = {"memory": Memory, "observation": Observation}


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(Looked):
    """Which model's vectors there are; deleting a space would delete them, so it is not offered."""

    list_display = ("model", "dimensions", "provider", "active", "created_at")


@admin.display(description=names.COLUMNS["object_id"])
def record_of(row: EmbeddingBacklog) -> SafeString:
    """The record that waits, a link."""
    return shown.link(KINDS[row.entry.kind], row.entry.object_id)


@admin.register(EmbeddingBacklog)
class EmbeddingBacklogAdmin(Looked):
    """What waits for its vectors, and what was given up, and why."""

    list_display: Any = (
        "id",
        record_of,
        "priority",
        "attempts",
        cell("failed", lambda failed: gettext("yes") if failed else "-"),  # a red cross would say the opposite
        "not_before",
        cell("last_error", shown.title),
    )
    list_filter = ("failed",)
    list_select_related = ("entry",)
    hidden = tuple(
        f"entry__{field.name}" for field in SearchEntry._meta.fields if field.name not in ("id", "kind", "object_id")
    )
    ordering = ("-pk",)
    search_help_text = _("The number of a row.")

    def get_fields(self, request: Any, obj: Any = None) -> list[Any]:
        """Every column, the entry by the record it stands for."""
        return self.get_readonly_fields(request, obj)

    def get_readonly_fields(self, request: Any, obj: Any = None) -> list[Any]:
        """All of them."""
        return [record_of if column == "entry" else column for column in self.every_column]


@admin.register(GraphNode)
class GraphNodeAdmin(Looked):
    """What the records of each project name."""

    list_display: Any = (cell("name", shown.title), "type", cell("key", shown.title), "records", project_cell)
    list_filter = (ProjectFilter, fixed_values("type", NodeType))
    searched = ("key__contains",)
    search_help_text = _("The number of a row, or a part of a name among the newest.")


def end_of(column: str) -> Any:
    """A node of an edge, a link."""

    @admin.display(description=names.COLUMNS[column])
    def show(row: GraphEdge) -> SafeString:
        node: GraphNode = getattr(row, column)
        return shown.link(GraphNode, str(node.pk), node.name)

    show.__name__ = f"{column}_node"
    return show


@admin.register(GraphEdge)
class GraphEdgeAdmin(Looked):
    """What belongs together, and since when it is believed."""

    list_display: Any = ("id", end_of("source"), "type", end_of("target"), "weight", "records", "live", project_cell)
    list_filter = (ProjectFilter, fixed_values("type", EdgeType))
    list_select_related = ("source", "target")
    search_help_text = _("The number of a row.")

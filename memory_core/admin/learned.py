"""What recall has learned: each fit of a project's votes with the old and the new ones, and the way back."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memory_core.domain.errors import NotFound
from memory_core.flows import weights
from memory_core.models import RecallLog, StreamWeights

from . import shown
from .lists import Looked, ProjectFilter, cell, project_cell


def _words(given: dict[str, float]) -> str:
    return ", ".join(f"{stream} ×{weight:g}" for stream, weight in sorted(given.items())) or gettext(
        "the configured votes"
    )


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


@admin.register(StreamWeights)
class StreamWeightsAdmin(Looked):
    """Every fit and every decision, the newest first."""

    list_display: Any = (
        "fitted_at",
        project_cell,
        cell("outcome", lambda outcome: str(weights.WHY[outcome])),
        "in_use",
        cell("old", _words),
        cell("new", _words),
        cell("old_score", _score),
        cell("new_score", _score),
        cell("least_gain", lambda value: "-" if value is None else f"{value:+.3f}"),
        "questions",
        "held_out",
        "decided_by",
    )
    list_filter = (ProjectFilter, "in_use")
    ordering = ("-pk",)
    search_help_text = _("The number of a row.")
    actions: Any = ("use_these", "go_back")

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Those whom Django's permissions let change a fit; its figures nobody changes."""
        return super(Looked, self).has_change_permission(request)

    @admin.action(description=_("Use the new weights of the chosen row"), permissions=["decide"])
    def use_these(self, request: HttpRequest, queryset: QuerySet[StreamWeights]) -> None:
        """Use one fit's weights, whether it won or not."""
        chosen = list(queryset[:2])
        if len(chosen) != 1:
            self.message_user(request, gettext("Choose one row."), messages.ERROR)
            return
        try:
            weights.choose(chosen[0].pk, user=request.user.get_username(), now=timezone.now())
        except NotFound as problem:
            self.message_user(request, str(problem), messages.ERROR)

    @admin.action(description=_("Go back to the configured votes"), permissions=["decide"])
    def go_back(self, request: HttpRequest, queryset: QuerySet[StreamWeights]) -> None:
        """Go back in the projects of the chosen rows."""
        for project in sorted(set(queryset.order_by().values_list("project_id", flat=True))):
            weights.reset(project, user=request.user.get_username(), now=timezone.now())


@admin.register(RecallLog)
class RecallLogAdmin(Looked):
    """Answered questions, without their words: what was given back, and what of it was used."""

    list_display: Any = (
        "asked_at",
        project_cell,
        "agent_id",
        "session_id",
        cell("shown", lambda ids: str(len(ids))),
        cell("used", lambda ids: shown.title(", ".join(ids))),
        "follows",
    )
    list_filter = (ProjectFilter,)
    ordering = ("-pk",)
    hidden = ("digest",)
    search_help_text = _("The number of a row.")

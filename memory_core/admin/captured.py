"""What was captured: projects, sessions, observations, images."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.contrib import admin
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory_core.domain.events import Channel, ObservationType
from memory_core.flows import remember
from memory_core.models import Image, Memory, Observation, Project, Session

from . import names, shown
from .lists import Forgettable, FoundByWords, Looked, ProjectFilter, cell, fixed_values, project_cell, who


def _number_of(records: QuerySet[Any]) -> Coalesce:
    counted = records.filter(project_id=OuterRef("pk")).order_by().values("project_id").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), 0)


@admin.register(Project)
class ProjectAdmin(Looked):
    """Projects come and go with what agents report; deleting one would delete all it holds, so it is not offered."""

    list_display = ("__str__", "session_total", "memory_total", "created_at")
    ordering = ("slug",)
    search_help_text = _("The beginning of a project's name.")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the number of sessions and memories, counted for the rows that are shown."""
        latest = Memory.objects.filter(is_latest=True)
        rows: QuerySet[Any] = super().get_queryset(request)
        totals = {"session_total": _number_of(Session.objects.all()), "memory_total": _number_of(latest)}
        counted: QuerySet[Any] = rows.annotate(**totals)
        return counted

    @admin.display(description=_("sessions"))
    def session_total(self, record: Any) -> int:
        """How many sessions it has."""
        return int(record.session_total)

    @admin.display(description=_("memories"))
    def memory_total(self, record: Any) -> int:
        """How many memories it has, each counted in its latest version."""
        return int(record.memory_total)


@admin.register(Session)
class SessionAdmin(Forgettable):
    """Sessions; forgetting one forgets its observations too."""

    list_display = (
        cell("id", shown.title),
        cell("title", shown.title),
        project_cell,
        cell("status", names.value),
        "observation_count",
        "agent_id",
        "started_at",
    )
    list_filter = (fixed_values("status", Session.Status), ProjectFilter)
    ordering = ("-started_at", "id")
    searched = ("title__icontains", "first_prompt__icontains")
    search_help_text = _("The beginning of an id, or words of the title of one of the newest sessions.")

    def forget(self, record: Session, user: str) -> None:
        """Forget it with its observations."""
        remember.forget_session(record.pk, now=timezone.now(), user=user)

    def forgotten_with(self, records: list[Any]) -> tuple[list[str], dict[str, int]]:
        """The sessions, and how many observations they hold."""
        held = Observation.objects.filter(session_id__in=[record.pk for record in records]).count()
        listed, counts = super().forgotten_with(records)
        return listed, {**counts, str(Observation._meta.verbose_name_plural): held}


@admin.register(Observation)
class ObservationAdmin(Forgettable, FoundByWords):
    """Observations are what happened: they can be forgotten, not rewritten."""

    kind = "observation"
    hidden = ("raw", "narrative", "facts", "concepts", "files")
    list_display = (
        cell("title", shown.title),
        cell("type", names.value),
        project_cell,
        cell("session_id", shown.title),
        cell("channel", names.value),
        "importance",
        "timestamp",
    )
    list_filter = (
        fixed_values("type", ObservationType),
        ProjectFilter,
        fixed_values("channel", Channel),
    )
    search_help_text = _("Words, in any language, or the beginning of an id.")

    def forget(self, record: Observation, user: str) -> None:
        """Forget it."""
        remember.forget_observations(record.session_id, [record.pk], now=timezone.now(), user=user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Forget several, a session at a time."""
        by_session: dict[str, list[str]] = defaultdict(list)
        for key, session in queryset.values_list("pk", "session_id"):
            by_session[session].append(key)
        for session, keys in by_session.items():
            remember.forget_observations(session, keys, now=timezone.now(), user=who(request))


@admin.register(Image)
class ImageAdmin(Looked):
    """Images go by themselves when no record uses them."""

    list_display = ("name", "size", "reference_count", "created_at")
    search_help_text = _("The beginning of a name.")

"""What happened: the live feed and the audit. Neither can be changed by anybody."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from memory_core.models import ActivityEvent, AuditEntry

from . import shown
from .lists import EventProjectFilter, Looked, cell, recent_values


@admin.register(ActivityEvent)
class ActivityEventAdmin(Looked):
    """The live feed."""

    list_display = (
        "id",
        "kind",
        cell("project_slug", shown.title),
        cell("session_id", shown.title),
        cell("object_id", shown.title),
        "created_at",
    )
    list_filter = (recent_values("kind"), EventProjectFilter)
    hidden = ("data",)
    searched = ("object_id__startswith", "session_id__startswith")
    search_help_text = _("A number, or the beginning of a record's or a session's id among the newest events.")


@admin.register(AuditEntry)
class AuditEntryAdmin(Looked):
    """Who changed what, and why."""

    list_display = (
        "timestamp",
        "operation",
        cell("target_ids", lambda ids: shown.title(", ".join(ids[:3]))),
        "user_id",
    )
    list_filter = (recent_values("operation"),)
    ordering = ("-timestamp", "id")
    searched = ("target_ids__contains", "user_id__startswith")
    search_help_text = _("The beginning of an entry's id, or a record's whole id among the newest entries.")

"""What tables and columns are called on screen, in words that can be translated.

Kept here and not in the models, so that a better word is no change of the tables and makes no migration.
"""

from __future__ import annotations

from django.apps import apps
from django.db.models import Field
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

TABLES = {
    "project": (_("project"), _("projects")),
    "session": (_("session"), _("sessions")),
    "observation": (_("observation"), _("observations")),
    "image": (_("image"), _("images")),
    "memory": (_("memory"), _("memories")),
    "auditentry": (_("audit entry"), _("audit entries")),
    "activityevent": (_("activity event"), _("activity events")),
    "embeddingspace": (_("embedding space"), _("embedding spaces")),
    "graphnode": (_("named thing"), _("named things")),
    "graphedge": (_("link"), _("links")),
    "embeddingbacklog": (_("embedding backlog entry"), _("embedding backlog entries")),
    "synonymgroupuse": (_("synonym group"), _("synonym groups")),
    "recalllog": (_("answered question"), _("answered questions")),
    "streamweights": (_("fit of the votes"), _("fits of the votes")),
}
"""One and many of each table the admin shows, by the model's name in lower case."""

COLUMNS = {
    "active": _("active"),
    "agent_id": _("agent"),
    "asked": _("questions widened"),
    "asked_at": _("asked at"),
    "attempts": _("attempts"),
    "candidates": _("candidates"),
    "chain": _("chain of versions"),
    "channel": _("origin"),
    "channel_detail": _("origin, in detail"),
    "commit_shas": _("commits"),
    "compressed_by": _("compressed by"),
    "concepts": _("concepts"),
    "confidence": _("confidence"),
    "content": _("content"),
    "created_at": _("stored at"),
    "cwd": _("working directory"),
    "data": _("data"),
    "decided_by": _("decided by"),
    "details": _("details"),
    "digest": _("digest"),
    "dimensions": _("dimensions"),
    "ended_at": _("ended at"),
    "entry": _("search entry"),
    "event_id": _("event id"),
    "facts": _("facts"),
    "failed": _("given up"),
    "files": _("files"),
    "first_prompt": _("first prompt"),
    "fitted_at": _("fitted at"),
    "follows": _("follows the answer"),
    "forget_after": _("forget after"),
    "function_id": _("function"),
    "group": _("words that mean the same"),
    "held_out": _("questions held out"),
    "hits": _("answers that needed it"),
    "hook_type": _("hook"),
    "id": _("id"),
    "images": _("images"),
    "importance": _("importance"),
    "in_use": _("in use"),
    "is_latest": _("latest"),
    "key": _("key"),
    "kind": _("kind"),
    "last_error": _("last error"),
    "last_used_at": _("last used"),
    "least_gain": _("least gain"),
    "level": _("level"),
    "live": _("believed"),
    "metadata": _("metadata"),
    "modality": _("modality"),
    "model": _("model"),
    "name": _("name"),
    "narrative": _("narrative"),
    "new": _("new votes"),
    "new_score": _("score of the new votes"),
    "not_before": _("not before"),
    "object_id": _("record"),
    "observation_count": _("observations"),
    "old": _("old votes"),
    "old_score": _("score of the old votes"),
    "operation": _("operation"),
    "outcome": _("outcome"),
    "parent": _("previous version"),
    "priority": _("priority"),
    "project": _("project"),
    "project_slug": _("project"),
    "provider": _("provider"),
    "questions": _("questions"),
    "ranks": _("ranks"),
    "raw": _("payload"),
    "recorded_during": _("believed during"),
    "records": _("records"),
    "reference_count": _("used by"),
    "refused_count": _("refused"),
    "related_ids": _("related records"),
    "roots": _("directories"),
    "session": _("session"),
    "session_id": _("session"),
    "session_ids": _("sessions"),
    "settings": _("settings"),
    "shown": _("records given back"),
    "size": _("size in bytes"),
    "slug": _("slug"),
    "source": _("from"),
    "source_observation_ids": _("source observations"),
    "started_at": _("started at"),
    "status": _("status"),
    "strength": _("strength"),
    "subtitle": _("subtitle"),
    "supersedes": _("supersedes"),
    "tags": _("tags"),
    "target": _("to"),
    "target_ids": _("records"),
    "timestamp": _("happened at"),
    "title": _("title"),
    "tool_name": _("tool"),
    "type": _("type"),
    "updated_at": _("changed at"),
    "used": _("records used"),
    "user_id": _("who"),
    "valid_during": _("valid during"),
    "version": _("version"),
    "votes": _("configured votes"),
    "weight": _("weight"),
}
"""What a column is called, the same in every table, by its field's name."""

VALUES = {
    "pattern": pgettext_lazy("type", "pattern"),
    "preference": pgettext_lazy("type", "preference"),
    "architecture": pgettext_lazy("type", "architecture"),
    "bug": pgettext_lazy("type", "bug"),
    "workflow": pgettext_lazy("type", "workflow"),
    "fact": pgettext_lazy("type", "fact"),
    "file_read": pgettext_lazy("type", "file read"),
    "file_write": pgettext_lazy("type", "file written"),
    "file_edit": pgettext_lazy("type", "file edited"),
    "command_run": pgettext_lazy("type", "command run"),
    "search": pgettext_lazy("type", "search"),
    "web_fetch": pgettext_lazy("type", "web page"),
    "conversation": pgettext_lazy("type", "conversation"),
    "error": pgettext_lazy("type", "error"),
    "decision": pgettext_lazy("type", "decision"),
    "discovery": pgettext_lazy("type", "discovery"),
    "subagent": pgettext_lazy("type", "subagent"),
    "notification": pgettext_lazy("type", "notification"),
    "task": pgettext_lazy("type", "task"),
    "image": pgettext_lazy("type", "image"),
    "other": pgettext_lazy("type", "other"),
    "user": pgettext_lazy("origin", "user"),
    "agent": pgettext_lazy("origin", "agent"),
    "tool": pgettext_lazy("origin", "tool"),
    "import": pgettext_lazy("origin", "import"),
    "shared": pgettext_lazy("origin", "shared"),
    "active": pgettext_lazy("status", "active"),
    "completed": pgettext_lazy("status", "completed"),
    "abandoned": pgettext_lazy("status", "abandoned"),
}
"""What a value of a fixed set (types, origins, statuses) is called."""


def give() -> None:
    """Give every table and column its name.

    `verbose_name` is set after the classes are made: migrations are written from what the classes were made with.
    """
    for name, (one, many) in TABLES.items():
        model = apps.get_model("memory_core", name)
        model._meta.verbose_name, model._meta.verbose_name_plural = one, many
        for field in model._meta.get_fields():
            if isinstance(field, Field) and field.name in COLUMNS:
                field.verbose_name = COLUMNS[field.name]


def value(stored: str) -> str:
    """A stored value in the reader's language; a value that nobody named stays as it is."""
    return str(VALUES.get(stored, stored))

"""What the groups of synonyms have brought: which of them earns its place in the file, and which only adds noise."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from memory_core.models import SynonymGroupUse

from . import shown
from .lists import Looked, cell


@admin.display(description=_("needed, in percent"))
def share(row: SynonymGroupUse) -> str:
    """Of the questions that the group widened, how many were answered with a record they would not have found by the word."""
    return f"{100 * row.hits / row.asked:.0f}" if row.asked else "-"


@admin.register(SynonymGroupUse)
class SynonymGroupUseAdmin(Looked):
    """The groups that were used, the most used first."""

    list_display = (cell("group", shown.title), "asked", "hits", share, "last_used_at")
    ordering = ("-asked", "group")
    search_help_text = _("The beginning of a group, as it stands in the file.")

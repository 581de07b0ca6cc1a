"""Curation: see everything that is stored, mend and forget memories, forget observations and sessions.

Nothing is written by the ORM alone: a change or a deletion goes through the same flow that REST uses, so that the
index, the versions, the images and the audit follow. What is derived can be looked at only.
"""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from . import captured, derived, expansion, learned, ledger, memories, names

__all__ = ["captured", "derived", "expansion", "learned", "ledger", "memories", "names"]

admin.site.site_header = "Everlore"
admin.site.site_title = "Everlore"
admin.site.index_title = _("What is stored")
names.give()

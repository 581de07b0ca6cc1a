"""Stored values as HTML. Remembered text is hostile: every piece is escaped, cut, and cannot turn its neighbours round."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.contrib.admin.utils import quote
from django.db.models import Model
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory_core.domain import tunables_admin as tunables


def title(text: str) -> SafeString:
    """One line of a text for a list; `bdi` keeps marks of writing direction inside it."""
    line = " ".join(Truncator(text).chars(tunables.TITLE_CHARACTERS).split())
    return format_html('<bdi dir="auto">{}</bdi>', line or "-")


def prose(text: str) -> SafeString:
    """A whole text with its line breaks."""
    return format_html('<div class="readonly" dir="auto">{}</div>', text) if text else SafeString("-")


def pretty_json(data: Any) -> SafeString:
    """JSON with one value a line, cut at JSON_CHARACTERS."""
    text = json.dumps(data, indent=2, ensure_ascii=False, sort_keys=True, default=str)
    cut = text[: tunables.JSON_CHARACTERS]
    rest = len(text) - len(cut)
    note = ngettext("… and %(count)d more character", "… and %(count)d more characters", rest) % {"count": rest}
    return format_html('<pre dir="ltr">{}{}</pre>', cut, f"\n{note}" if rest else "")


def lines(texts: Iterable[str]) -> SafeString:
    """A list of texts, one a line, cut at MOST_LISTED."""
    every = list(texts)
    if not every:
        return SafeString("-")
    shown = [format_html("<bdi>{}</bdi>", text) for text in every[: tunables.MOST_LISTED]]
    return format_html_join(SafeString("<br>"), "{}", ((line,) for line in [*shown, and_more(every)] if line))


def and_more(every: list[Any]) -> str:
    """How many of a list are not shown; empty when all are."""
    rest = len(every) - tunables.MOST_LISTED
    return ngettext("… and %(count)d more", "… and %(count)d more", rest) % {"count": rest} if rest > 0 else ""


def link(model: type[Model], key: str, text: str = "") -> SafeString:
    """A link to a record's page in the admin; its plain text where it has no page."""
    try:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[quote(key)])
    except NoReverseMatch:
        return format_html("<bdi>{}</bdi>", text or key or _("(global)"))
    return format_html('<a href="{}"><bdi>{}</bdi></a>', address, text or key)

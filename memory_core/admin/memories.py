"""Memories: a change makes a new version, a deletion forgets, both through `flows.remember`."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextareaWidget
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from memory_core.domain import tunables_admin as tunables
from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.domain.events import Channel
from memory_core.flows import remember
from memory_core.knowledge.memories import Revision
from memory_core.models import Memory

from . import names, shown
from .lists import Forgettable, FoundByWords, ProjectFilter, cell, fixed_values, project_cell, who

if TYPE_CHECKING:
    MemoryModelForm = forms.ModelForm[Memory]
else:
    MemoryModelForm = forms.ModelForm


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Words(forms.CharField):
    """A text kept as it is, but for the line ends that browsers write."""

    def __init__(self, *, rows: int, **options: Any) -> None:
        super().__init__(strip=False, widget=AdminTextareaWidget(attrs={"rows": rows, "dir": "auto"}), **options)

    def to_python(self, value: Any) -> str:
        """The text with Unix line ends; nothing but blanks counts as empty."""
        text = _unix(str(super().to_python(value) or ""))
        return text if text.strip() else ""

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether anything but line ends differs."""
        return self.to_python(initial) != self.to_python(data)


class Lines(Words):
    """A list of texts, one a line."""

    def prepare_value(self, value: Any) -> Any:
        """The lines as one text."""
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        """The lines that say something, each once."""
        text = super().clean(value)
        return list(dict.fromkeys(line.strip() for line in text.split("\n") if line.strip()))

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether the text differs from the one the page showed."""
        return super().has_changed(self.prepare_value(initial), data)


class MemoryForm(MemoryModelForm):
    """What a person may change of a memory; where it came from is not among it."""

    title = Words(
        rows=2,
        required=False,
        max_length=tunables.MOST_TITLE,
        label=capfirst(names.COLUMNS["title"]),
        help_text=_("Empty: made from the content."),
    )
    content = Words(rows=12, max_length=tunables.MOST_CONTENT, label=capfirst(names.COLUMNS["content"]))
    type = forms.ChoiceField(
        choices=[(item.value, names.VALUES[item.value]) for item in Memory.Type], label=capfirst(names.COLUMNS["type"])
    )
    concepts = Lines(rows=4, required=False, label=capfirst(names.COLUMNS["concepts"]), help_text=_("One a line."))
    files = Lines(  # type: ignore[assignment]  # the form's uploads have this name too, on the instance only
        rows=4, required=False, label=capfirst(names.COLUMNS["files"]), help_text=_("One a line.")
    )

    class Meta:
        model = Memory
        fields = ("title", "content", "type", "concepts", "files", "forget_after")


EDITABLE = tuple(MemoryForm.Meta.fields)


@admin.display(description=_("versions"))
def versions(record: Memory) -> SafeString:
    """Every version of the chain, newest first, each a link."""
    chain = Memory.objects.filter(chain=record.chain).order_by("-version").only("id", "title", "version", "created_at")
    rows = list(chain[: tunables.MOST_LISTED])
    items = [
        format_html(
            "{} · {} · {}",
            row.version,
            format_html("<strong>{}</strong>", shown.title(row.title))
            if row.pk == record.pk
            else shown.link(Memory, row.pk, row.title[: tunables.TITLE_CHARACTERS]),
            timezone.localtime(row.created_at).strftime("%Y-%m-%d %H:%M"),
        )
        for row in rows
    ]
    return format_html_join(SafeString("<br>"), "{}", ((item,) for item in items))


@admin.register(Memory)
class MemoryAdmin(Forgettable, FoundByWords):
    """Search by words, mend, forget."""

    kind = "memory"
    form = MemoryForm
    hidden = ("content", "metadata")
    ordering = ("-created_at", "id")
    search_help_text = _("Words of the latest version, in any language, or the beginning of an id.")
    list_display = (
        cell("title", shown.title),
        project_cell,
        cell("type", names.value),
        cell("channel", names.value),
        "version",
        "is_latest",
        "updated_at",
    )
    list_filter = ("is_latest", fixed_values("type", Memory.Type), ProjectFilter, fixed_values("channel", Channel))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Those whom Django's permissions let; an older version is past and stays as it was."""
        allowed = admin.ModelAdmin.has_change_permission(self, request, obj)
        return allowed and (obj is None or obj.is_latest)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """What can be changed first, then the rest."""
        may_change = self.has_change_permission(request, obj)
        rest = [column for column in self.every_column if self._name(column) not in EDITABLE]
        first = EDITABLE if may_change else [c for c in self.every_column if self._name(c) in EDITABLE]
        note = _("Saving makes a new version; the present one is kept as its past and no longer found.")
        return [
            (None, {"fields": first, "description": note if may_change else ""}),
            (_("Where it comes from"), {"fields": [*rest, versions]}),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """All that this person cannot change."""
        may_change = self.has_change_permission(request, obj)
        fixed = [column for column in self.every_column if not may_change or self._name(column) not in EDITABLE]
        return [*fixed, versions]

    @staticmethod
    def _name(column: Any) -> str:
        return column if isinstance(column, str) else column.__name__

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The page of one memory; a change that cannot be made is said there, and nothing is changed."""
        context = {"show_save_and_continue": False, **(extra_context or {})}
        try:
            return super().changeform_view(request, object_id, form_url, context)
        except (InvalidInput, NotFound):
            words = gettext("This memory was changed or forgotten meanwhile; nothing was saved.")
            self.message_user(request, words, messages.ERROR)
            return HttpResponseRedirect(request.path)

    def save_model(self, request: HttpRequest, obj: Memory, form: Any, change: bool) -> None:
        """Make a new version; `obj` is that version afterwards, so that the log and the answer name it."""
        if form.changed_data:
            obj.pk = remember.revise(obj.pk, Revision.of(obj), now=timezone.now(), user=who(request)).pk
            obj.refresh_from_db()

    def response_change(self, request: HttpRequest, obj: Memory) -> HttpResponse:
        """Say which version it is now."""
        words = gettext("“{title}” is saved; it is version {version} now.")
        self.message_user(request, format_html(words, title=shown.title(obj.title), version=obj.version))
        return self.response_post_save_change(request, obj)

    def forget(self, record: Memory, user: str) -> None:
        """Forget it with the older versions."""
        remember.forget_memory(record.pk, now=timezone.now(), why="forgotten in the admin", user=user)

    def forgotten_with(self, records: list[Any]) -> tuple[list[str], dict[str, int]]:
        """The records and the older versions of each."""
        newest: dict[str, int] = defaultdict(int)
        for record in records:
            newest[record.chain] = max(newest[record.chain], record.version)
        chains = Q()
        for chain, version in newest.items():
            chains |= Q(chain=chain, version__lte=version)
        rows: QuerySet[Memory] = Memory.objects.filter(chains) if newest else Memory.objects.none()
        found = list(rows.order_by("chain", "-version").only("title", "version")[: tunables.MOST_LISTED + 1])
        count = rows.count()
        listed = [gettext("{title} (version {version})").format(title=m.title, version=m.version) for m in found]
        name = ngettext("version of a memory", "versions of memories", count)
        return listed, {name: count}

"""What every list of the admin shares: it reads a bounded number of rows, and is for looking at unless it says more."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin import ListFilter, SimpleListFilter
from django.contrib.postgres.fields import ArrayField
from django.core.paginator import Paginator
from django.db.models import JSONField, Q, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memory_core.domain import tunables_admin as tunables
from memory_core.domain.scope import Scope
from memory_core.index.analysis import analyzer
from memory_core.models import Project
from memory_core.retrieve import search

from . import names, shown

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
    AnyPaginator = Paginator[Any]
else:
    AnyAdmin, AnyPaginator = admin.ModelAdmin, Paginator


class BoundedPaginator(AnyPaginator):
    """Counts no further than MOST_PAGED rows."""

    @cached_property
    def count(self) -> int:
        """How many rows can be paged through."""
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]
        return rows.order_by()[: tunables.MOST_PAGED].count()


class ProjectFilter(SimpleListFilter):
    """By project; offers the first MOST_CHOICES, and the one that is chosen by its address."""

    title = _("project")
    parameter_name = "project"
    column = "project_id"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The slugs, the global scope by its name."""
        slugs = list(Project.objects.order_by("slug").values_list("slug", flat=True)[: tunables.MOST_CHOICES])
        chosen = request.GET.get(self.parameter_name)
        if chosen is not None and chosen not in slugs:
            slugs.append(chosen)
        return [(slug, slug or gettext("(global)")) for slug in slugs]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows of the chosen project."""
        return queryset if self.value() is None else queryset.filter(**{self.column: self.value()})


class EventProjectFilter(ProjectFilter):
    """By project, where the row keeps the slug alone."""

    column = "project_slug"


def recent_values(column: str) -> type[ListFilter]:
    """A filter by the values that a column has in the newest rows."""

    class RecentValues(SimpleListFilter):
        title = names.COLUMNS[column]
        parameter_name = column

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            newest = model_admin.model._default_manager.order_by(*model_admin.ordering)[: tunables.MOST_SEARCHED]
            rows = model_admin.model._default_manager.filter(pk__in=newest.values("pk"))
            values = rows.order_by(column).values_list(column, flat=True).distinct()[: tunables.MOST_CHOICES]
            return [(value, names.value(value)) for value in values]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset if self.value() is None else queryset.filter(**{column: self.value()})

    return RecentValues


def fixed_values(column: str, values: type[Any]) -> type[ListFilter]:
    """A filter by the values of an enumeration, in the reader's words."""

    class FixedValues(SimpleListFilter):
        title = names.COLUMNS[column]
        parameter_name = column

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [(item.value, names.value(item.value)) for item in values]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset if self.value() is None else queryset.filter(**{column: self.value()})

    return FixedValues


Cell = Callable[[Any], SafeString | str]


def cell(column: str, render: Cell) -> Cell:
    """A function of a record that shows its `column` through `render`, with the column's name and order."""

    def show(record: Any) -> SafeString | str:
        return render(getattr(record, column))

    show.__name__ = column
    return admin.display(description=names.COLUMNS[column], ordering=column)(show)


@admin.display(description=names.COLUMNS["project"], ordering="project_id")
def project_cell(record: Any) -> SafeString:
    """The project's slug, without asking the database for the project."""
    return shown.title(record.project_id or gettext("(global)"))


class Looked(AnyAdmin):
    """A table to look at: nothing is added, nothing changed, nothing deleted."""

    actions: Any = ()
    list_per_page = tunables.PER_PAGE
    paginator = BoundedPaginator
    show_full_result_count = False
    ordering: ClassVar[Any] = ("-pk",)
    search_fields: ClassVar[Any] = ("pk",)
    searched: ClassVar[tuple[str, ...]] = ()
    """Lookups that are tried on the newest MOST_SEARCHED rows."""
    hidden: ClassVar[tuple[str, ...]] = ()
    """Columns too wide for a list: not read for it."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows, without their wide columns on a list."""
        rows = super().get_queryset(request)
        match = request.resolver_match
        return rows.defer(*self.hidden) if match and (match.url_name or "").endswith("_changelist") else rows

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Rows whose id begins with the term (by index), and what `found` gives for it."""
        term = search_term.replace("\x00", "").strip()
        if not term:
            return queryset, False
        return queryset.filter(self._id_begins(term) | self.found(request, term)), False

    def _id_begins(self, term: str) -> Q:
        if self.model._meta.pk.get_internal_type() == "TextField":
            return Q(pk__startswith=term)
        return Q(pk=term) if term.isascii() and term.isdigit() and len(term) <= 18 else Q(pk__in=())

    def found(self, request: HttpRequest, term: str) -> Q:
        """The newest MOST_SEARCHED rows where one of `searched` holds."""
        if not self.searched:
            return Q(pk__in=())
        holds = Q(
            *[(lookup, [term] if lookup.endswith("__contains") else term) for lookup in self.searched], _connector=Q.OR
        )
        newest = self.model._default_manager.order_by(*self.ordering).values("pk")[: tunables.MOST_SEARCHED]
        return holds & Q(pk__in=newest)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm[Any]]:
        """The form, its help in the reader's language."""
        texts = {
            field.name: gettext(str(field.help_text))
            for field in self.model._meta.fields
            if getattr(field, "help_text", "")
        }
        return super().get_form(request, obj, change, **{"help_texts": texts, **kwargs})

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Every column, JSON and lists rendered."""
        return self.every_column

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """All of them."""
        return self.every_column

    @cached_property
    def every_column(self) -> list[Any]:
        """The columns as they stand on a record's own page: by name, or through a function that renders them."""
        return [self._column(field) for field in self.model._meta.fields]

    def _column(self, field: Any) -> Any:
        if isinstance(field, JSONField):
            return cell(field.name, shown.pretty_json)
        if isinstance(field, ArrayField):
            return cell(field.name, shown.lines)
        if field.name in ("type", "status", "channel"):
            return cell(field.name, names.value)
        if field.name in ("narrative", "content", "last_error", "first_prompt"):
            return cell(field.name, shown.prose)
        return field.name


class FoundByWords(Looked):
    """A table that the search index covers: its search is the lexical arm's, by words in every language."""

    kind: ClassVar[str]
    """The kind of its entries in the index."""

    def found(self, request: HttpRequest, term: str) -> Q:
        """The MOST_FOUND best by their words, in the project that is chosen."""
        project = request.GET.get(ProjectFilter.parameter_name)
        wanted = search.Request(
            scope=Scope((project,) if project is not None else None),
            limit=tunables.MOST_FOUND,
            weights={"lexical": 1.0},
            kinds=(self.kind,),
        )
        hits = search.search(analyzer().analyze(term[: tunables.MOST_TERM]).terms, None, wanted)
        return Q(pk__in=[hit.object_id for hit in hits[: tunables.MOST_FOUND]])


def who(request: HttpRequest) -> str:
    """The person at the admin, as the audit names them."""
    return f"admin:{request.user.get_username()}"


class Forgettable(Looked):
    """A table whose rows can be forgotten, one by one or several at once, through the product's own flow."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Those whom Django's permissions let."""
        return AnyAdmin.has_delete_permission(self, request, obj)

    def forget(self, record: Any, user: str) -> None:
        """Forget one record with all that hangs on it."""
        raise NotImplementedError

    def forgotten_with(self, records: list[Any]) -> tuple[list[str], dict[str, int]]:
        """What goes when these records go: lines to show, and counts by name."""
        return [str(record) for record in records], {str(self.opts.verbose_name_plural): len(records)}

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **options: Any
    ) -> HttpResponse | None:
        """Take up an action, unless it is about more records than a page can ask for."""
        if request.POST.get("select_across") == "1" and queryset.order_by()[: tunables.MOST_FORGOTTEN + 1].count() > (
            tunables.MOST_FORGOTTEN
        ):
            words = gettext("At most %(count)d records can be forgotten at once: narrow the list with a filter first.")
            self.message_user(request, words % {"count": tunables.MOST_FORGOTTEN}, messages.ERROR)
            return None
        return super().response_action(request, queryset, *args, **options)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Forget one."""
        self.forget(obj, who(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Forget several."""
        for record in list(queryset):
            self.forget(record, who(request))

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """What Django's own pages ask before they forget; nothing is protected, for the flow knows the order."""
        listed, counts = self.forgotten_with(list(objs))
        more = shown.and_more(listed)
        lines = [str(shown.title(line)) for line in listed[: tunables.MOST_LISTED]]
        missing = set() if self.has_delete_permission(request) else {str(self.opts.verbose_name)}
        return [SafeString(line) for line in lines] + ([more] if more else []), counts, missing, []

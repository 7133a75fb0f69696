"""Lists of rows to be looked at: how they are paged, searched and linked to each other."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise, cached_property
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

MOST_ROWS = 5000
MOST_PLAYERS = 200  # whose rows a search by part of a name brings


class FirstRows(Paginator):  # type: ignore[type-arg]  # no generic class at run time
    """Pages of the first `MOST_ROWS` rows: to count a big table is to read it."""

    object_list: QuerySet[Any]

    @cached_property
    def count(self) -> int:
        return self.object_list.order_by()[:MOST_ROWS].count()


class Related(NamedTuple):
    """Rows of another model that belong to a row, found by one of their fields, or by several from attributes of it."""

    title: str | Promise
    model: type[Model]
    field: str | Mapping[str, str]

    def address(self, row: Model) -> str:
        """Return the address of the list of these rows; empty if an attribute is missing."""
        fields = {self.field: "pk"} if isinstance(self.field, str) else self.field
        query = {lookup: getattr(row, name) for lookup, name in fields.items()}
        options = self.model._meta
        list_of = reverse(f"admin:{options.app_label}_{options.model_name}_changelist")
        return "" if None in query.values() else f"{list_of}?{urlencode(query)}"


_RELATED: dict[type[Model], list[Related]] = defaultdict(list)


def relate(model: type[Model], *related: Related) -> None:
    """Link from each row of a model to the rows of others that belong to it; other apps add theirs."""
    _RELATED[model] += related


Narrowing = Callable[[object, QuerySet[Any]], QuerySet[Any]]

_NARROWED: dict[type[Model], list[Narrowing]] = defaultdict(list)


def narrow(rows: Narrowing, *models: type[Model]) -> None:
    """Show of models only what `rows(reader, all)` returns: others than their subject know who may see which rows."""
    for model in models:
        _NARROWED[model].append(rows)


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # no generic class at run time
    """Rows to be looked at, found by exact values of `search_fields` or by part of their player's name.

    `player_path` leads from a row to its player, `linked_by` are the fields by which links from other rows lead here.
    """

    actions = None
    paginator = FirstRows
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    player_path: str | None = None
    linked_by: tuple[str, ...] = ()

    @property
    def media(self) -> forms.Media:
        """No scripts: there is nothing to fill in."""
        return forms.Media()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found = super().get_queryset(request)
        for rows in _NARROWED[self.model]:
            found = rows(request.user, found)
        return found

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow only the filters on offer: `?deck__startswith=` would tell a deck card by card."""
        offered = {getattr(entry, "parameter_name", entry) for entry in self.list_filter}
        return lookup in self.linked_by or lookup.partition("__")[0] in offered

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list under the plural name, without scripts."""
        title = capfirst(self.opts.verbose_name_plural)
        context = {"title": title, "media": forms.Media(), **(extra_context or {})}
        return super().changelist_view(request, context)

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return [*self.search_fields, *filter(None, [self.player_path])]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Look into one field after the other, each through its index; an OR of them would read whole tables."""
        term = search_term.strip()
        if not term:
            return queryset, False
        for field in self.search_fields:
            found = queryset.filter(**{field: term})
            if found.exists():
                return found, False
        if self.player_path is None:
            return queryset.none(), False
        return queryset.filter(**{f"{self.player_path}__in": players_named(term)}), False

    @admin.display(description=_("see also"))
    def related(self, row: Model) -> SafeString:
        """Return links to the rows of other models that belong to a row."""
        found = ((related.address(row), related.title) for related in _RELATED[type(row)])
        links = [(address, title) for address, title in found if address]
        return format_html('<ul class="links">{}</ul>', format_html_join("", '<li><a href="{}">{}</a></li>', links))


class Editable(ReadOnly):
    """Rows of which some can be changed by Django's own forms, with their scripts."""

    @property
    def media(self) -> forms.Media:
        return admin.ModelAdmin.media.fget(self)  # type: ignore[no-any-return, attr-defined]


class Removable(Editable):
    """Rows of players that can be removed by who has the permission, and not changed.

    `removed` says of a player what happened.
    """

    player_path: str
    removed: str | Promise

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """Log a change of the players instead: as text, a row may have a name that deleting the account would miss."""
        players = list(dict.fromkeys(getattr(row, self.player_path) for row in queryset))
        by = cast(AbstractBaseUser, request.user)
        return LogEntry.objects.log_actions(by.pk, players, CHANGE, str(self.removed))


def players_named(part: str) -> list[int]:
    """Return the keys of players whose handle or name contains a text, the first `MOST_PLAYERS`."""
    named = get_user_model().objects.filter(Q(username__icontains=part) | Q(display_name__icontains=part))
    return list(named.order_by().values_list("pk", flat=True)[:MOST_PLAYERS])

"""Format values for lists and pages of the admin: links, hashes, long texts."""

from django.contrib import admin
from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

SHORT_HASH = 12


def link(row: Model | None, text: object = None) -> SafeString:
    """Return a link to the admin's page of a row; a dash where there is none."""
    if row is None:
        return format_html("{}", "-")
    options = row._meta
    address = reverse(f"admin:{options.app_label}_{options.model_name}_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, row if text is None else text)


def short(text: str) -> SafeString:
    """Return the beginning of a long hash with the whole in its title."""
    return format_html('<code title="{}">{}…</code>', text, text[:SHORT_HASH]) if text else format_html("{}", "-")


def lines(text: str) -> SafeString:
    """Return a text as it is, line by line."""
    return format_html('<pre tabindex="0">{}</pre>', text)


class OfPlayer:
    """A column that links to the player of a row."""

    @admin.display(description=_("player"))
    def its_player(self, row: Model) -> SafeString:
        return link(getattr(row, "player", None))

"""Webhooks in the admin, for superusers alone."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from leaderboards.webhooks.models import Delivery, Webhook, WebhookEvent


class WebhookForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for type checkers alone
    events = forms.MultipleChoiceField(choices=WebhookEvent.choices, widget=forms.CheckboxSelectMultiple)

    class Meta:
        model = Webhook
        fields = ["address", "events", "is_active"]


@admin.register(Webhook)
class WebhookAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # no generic class at run time
    """Addresses to which events are sent, for superusers alone, because events contain decisions."""

    form = WebhookForm
    list_display = ["address", "events", "is_active", "last_delivery"]
    fields = ["address", "events", "is_active", "key", "last_deliveries"]
    readonly_fields = ["key", "last_deliveries"]

    def has_view_permission(self, request: HttpRequest, obj: Webhook | None = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission
    has_module_permission = has_view_permission

    def get_fields(self, request: HttpRequest, obj: Webhook | None = None) -> list[Any]:
        return self.fields if obj else self.form.Meta.fields

    @admin.display(description=_("key of its signatures"))
    def key(self, webhook: Webhook) -> str:
        return webhook.secret

    @admin.display(description=_("last delivery"))
    def last_delivery(self, webhook: Webhook) -> str:
        last = webhook.deliveries.first()
        return _outcome_of(last) if last else ""

    @admin.display(description=_("last deliveries"))
    def last_deliveries(self, webhook: Webhook) -> SafeString:
        rows = ((delivery, _outcome_of(delivery)) for delivery in webhook.deliveries.all()[:20])
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}: {}</li>", rows))


def _outcome_of(delivery: Delivery) -> str:
    if delivery.delivered_at:
        return gettext("accepted %(at)s") % {"at": f"{delivery.delivered_at:%Y-%m-%d %H:%M:%S} UTC"}
    tried = {"count": delivery.attempts, "error": delivery.error}
    if delivery.next_at:
        return gettext("%(count)d attempts, another follows: %(error)s") % tried
    return gettext("given up after %(count)d attempts: %(error)s") % tried

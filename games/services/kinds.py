"""The kinds of notifications about games, with the words that their facts become."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.services.notifications import Kind, register

REMATCH = register(
    Kind(
        "rematch",
        _("Invitations to race again"),
        lambda facts: gettext("%(host)s wants to race you again.") % facts,
        lambda facts: reverse("web:race", args=[facts["race"]]),
    )
)

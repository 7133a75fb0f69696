"""The form of a report."""

from django import forms
from django.utils.translation import gettext_lazy as _

from leaderboards.reporting.models import LONGEST_TEXT


class ReportForm(forms.Form):
    """A report of a name."""

    text = forms.CharField(
        label=_("Why"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Only reviewers read it, and only they know who wrote it."),
    )

"""The admin's sign-in, which explains in words when there were too many attempts."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from rest_framework.exceptions import Throttled

from games.doors.pages import sentence


class StaffSignInForm(AdminAuthenticationForm):
    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except Throttled as refusal:
            raise ValidationError(sentence(refusal)) from refusal

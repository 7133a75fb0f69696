from __future__ import annotations

from typing import ClassVar

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from games.kit.rest.inputs import Input, Text, YesOrNo
from games.services.accounts import LONGEST_PASSWORD


def require_yes(value: bool) -> None:
    if not value:
        raise ValidationError(_("Nothing is deleted without a yes."))


class DeleteInput(Input):
    """The confirmation that an account is to be deleted."""

    example: ClassVar = {"confirm": True, "password": "correct horse battery"}

    confirm = YesOrNo(validators=[require_yes], help_text="`true`: there is no way back.")
    password = Text(
        required=False,
        max_length=LONGEST_PASSWORD,
        trim_whitespace=False,
        help_text="Yours, if you have a named account.",
    )

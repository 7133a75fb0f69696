from __future__ import annotations

from typing import Any, ClassVar

from games.kit.names import LONGEST_NAME
from games.kit.rest.inputs import Input, Text, YesOrNo, require_good_name
from games.services.accounts import LONGEST_HANDLE, LONGEST_PASSWORD

NAME: dict[str, Any] = {"max_length": LONGEST_NAME, "validators": [require_good_name]}


class ClaimInput(Input):
    """The name and password of a new account."""

    example: ClassVar = {"handle": "carol", "display_name": "Carol", "password": "correct horse battery"}

    handle = Text(max_length=LONGEST_HANDLE, help_text="3 to 32 lower-case letters and digits, single hyphens between.")
    display_name = Text(required=False, help_text="If left out, the current one is kept.", **NAME)
    password = Text(max_length=LONGEST_PASSWORD, trim_whitespace=False)


class RegisterInput(ClaimInput):
    """The name and password of a new account, or of a guest's."""

    display_name = Text(required=False, help_text="That of the guest, or the handle, if it is left out.", **NAME)
    is_bot = YesOrNo(required=False, help_text="Plays by program, and never competes with people.")


class SignInInput(Input):
    """The credentials of an account."""

    example: ClassVar = {"handle": "carol", "password": "correct horse battery"}

    handle = Text(max_length=LONGEST_HANDLE)
    password = Text(max_length=LONGEST_PASSWORD, trim_whitespace=False)


class SignOutInput(Input):
    """The scope of a sign-out."""

    example: ClassVar = {"everywhere": False}

    everywhere = YesOrNo(required=False, help_text="All your tokens and sessions, not only the one that was sent.")


class RenameInput(Input):
    """A new display name."""

    example: ClassVar = {"display_name": "Carol the Great"}

    display_name = Text(**NAME)

from __future__ import annotations

from typing import ClassVar

from games.kit.rest.inputs import Input, Text, require_good_name
from games.services.accounts import LONGEST_PASSWORD
from games.services.keys import LONGEST_NAME
from games.services.mail import LONGEST_ADDRESS


class NewTokenInput(Input):
    """A token to be made."""

    example: ClassVar = {"name": "My bot"}

    name = Text(max_length=LONGEST_NAME, validators=[require_good_name], help_text="For you, to know it by.")


class MailInput(Input):
    """A mail address for the account."""

    example: ClassVar = {"email": "carol@example.org", "password": "correct horse battery"}

    email = Text(max_length=LONGEST_ADDRESS, allow_blank=True, help_text="Empty: forget the current one.")
    password = Text(max_length=LONGEST_PASSWORD, trim_whitespace=False)


class ResetInput(Input):
    """The mail address of a player who forgot the password."""

    example: ClassVar = {"email": "carol@example.org"}

    email = Text(max_length=LONGEST_ADDRESS)


class PasswordInput(Input):
    """The password that an account has, and another one."""

    example: ClassVar = {"password": "correct horse battery", "new_password": "staple the horse to it"}

    password = Text(max_length=LONGEST_PASSWORD, trim_whitespace=False)
    new_password = Text(max_length=LONGEST_PASSWORD, trim_whitespace=False)

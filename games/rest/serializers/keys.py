from __future__ import annotations

from typing import ClassVar

from games.kit.rest.inputs import Input, Text, require_good_name
from games.services.accounts import LONGEST_PASSWORD
from games.services.keys import LONGEST_NAME


class NewTokenInput(Input):
    """A token to be made."""

    example: ClassVar = {"name": "My bot"}

    name = Text(max_length=LONGEST_NAME, validators=[require_good_name], help_text="For you, to know it by.")


class PasswordInput(Input):
    """The password that an account has, and another one."""

    example: ClassVar = {"password": "correct horse battery", "new_password": "staple the horse to it"}

    password = Text(max_length=LONGEST_PASSWORD, trim_whitespace=False)
    new_password = Text(max_length=LONGEST_PASSWORD, trim_whitespace=False)

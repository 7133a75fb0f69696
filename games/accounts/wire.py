"""The types of inputs and answers about accounts."""

from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from games.accounts.accounts import LONGEST_HANDLE, LONGEST_PASSWORD
from games.accounts.mail import LONGEST_ADDRESS
from games.doors.wire import Input, JsonObject, Number, Readable, Stripped, Text, documented
from games.players.lookalikes import LONGEST_NAME
from games.players.wire import Name

GivenHandle = Annotated[Text, Meta(max_length=LONGEST_HANDLE)]
# A name beside those of others: `Player.listed_name`.
ListedName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME + len(" ()") + LONGEST_HANDLE)]
NewHandle = Annotated[
    GivenHandle,
    Meta(description="3 to 32 lower-case letters and digits, single hyphens between."),
    documented(pattern=r"^\s*[a-z0-9](-?[a-z0-9]){2,31}\s*$"),
]
Password = Annotated[Readable, Meta(min_length=1, max_length=LONGEST_PASSWORD)]
SHORTEST_PASSWORD = 8  # of a new one; what else makes it weak is said by the refusal
IsBot = Annotated[bool, Meta(description="Plays by program, and never competes with people.")]


class ClaimInput(Input, frozen=True):
    """The name and password of a new account."""

    example: ClassVar = {"handle": "carol", "display_name": "Carol", "password": "correct horse battery"}

    handle: NewHandle
    password: Password
    display_name: Annotated[Name | UnsetType, Meta(description="If left out, the current one is kept.")] = UNSET

    @classmethod
    def document(cls, schema: dict[str, Any]) -> None:
        schema["properties"]["password"]["minLength"] = SHORTEST_PASSWORD


class RegisterInput(ClaimInput, frozen=True):
    """The name and password of a new account, or of a guest's."""

    display_name: Annotated[
        Name | UnsetType, Meta(description="That of the guest, or the handle, if it is left out.")
    ] = UNSET
    is_bot: IsBot = False


class SignInInput(Input, frozen=True):
    """The credentials of an account."""

    example: ClassVar = {"handle": "carol", "password": "correct horse battery"}

    handle: GivenHandle
    password: Password


class SignOutInput(Input, frozen=True):
    """The scope of a sign-out."""

    example: ClassVar = {"everywhere": False}

    everywhere: Annotated[bool, Meta(description="All your tokens and sessions, not only the one that was sent.")] = (
        False
    )


class RenameInput(Input, frozen=True):
    """A new display name."""

    example: ClassVar = {"display_name": "Carol the Great"}

    display_name: Name


class MailInput(Input, frozen=True):
    """A mail address for the account."""

    example: ClassVar = {"email": "carol@example.org", "password": "correct horse battery"}

    email: Annotated[Stripped, Meta(max_length=LONGEST_ADDRESS, description="Empty: forget the current one.")]
    password: Password


class ResetInput(Input, frozen=True):
    """The mail address of a player who forgot the password."""

    example: ClassVar = {"email": "carol@example.org"}

    email: Annotated[Text, Meta(max_length=LONGEST_ADDRESS)]


class PasswordInput(Input, frozen=True):
    """The password that an account has, and another one."""

    example: ClassVar = {"password": "correct horse battery", "new_password": "staple the horse to it"}

    password: Password
    new_password: Password

    @classmethod
    def document(cls, schema: dict[str, Any]) -> None:
        schema["properties"]["new_password"]["minLength"] = SHORTEST_PASSWORD


class NewGuestInput(Input, frozen=True):
    """A new guest."""

    example: ClassVar = {"display_name": "Alice", "is_bot": False}

    display_name: Annotated[Name | UnsetType, Meta(description="An adjective and a bird, if there is none.")] = UNSET
    is_bot: IsBot = False


class MailSent(JsonObject, frozen=True):
    """The answer to a request for a mail."""

    is_sent: Annotated[bool, Meta(description="A mail is on its way, if there is someone to get it.")]


class ClaimLink(JsonObject, frozen=True):
    """A link with which a browser takes over a guest."""

    url: Annotated[
        str, documented(format="uri"), Meta(description="To be opened by its owner alone. It ends with the claim.")
    ]
    expires_in: Annotated[Number, Meta(description="Seconds.")]


class Ticket(JsonObject, frozen=True):
    """A key that opens sockets."""

    ticket: Annotated[
        str, Meta(min_length=1, max_length=512, description="Opens sockets: `/ws/games/{id}/?ticket=...`.")
    ]
    expires_in: Annotated[Number, Meta(description="Seconds.")]

from __future__ import annotations

from typing import cast

from django.contrib.auth import update_session_auth_hash
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import BadMailAddress, GuestAccount, NoMail, SignInFailed, TooManyKeys, UnknownKey, WeakPassword
from games.kit.errors import MailFailed
from games.kit.rest.authentication import key_of
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.rest import examples
from games.rest.account_schemas import Keys, MailSent, SignedIn, SignedOut
from games.rest.inputs.keys import MailInput, NewTokenInput, PasswordInput, ResetInput
from games.services.keys import end_key, keys_of, make_token
from games.services.mail import ask_to_confirm, ask_to_reset, forget_address
from games.services.passwords import change_password


class OwnKeys(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("list_keys", Answer(Keys, examples.KEYS), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """List your browser sessions and tokens, the last used first."""
        return Response(Keys.of(keys_of(self.player), key_of(request)))

    @operation(
        "create_token", Answer(SignedIn, examples.NAMED, 201), (*CHANGES, TooManyKeys, SignInFailed), NewTokenInput
    )
    def post(self, request: Request) -> Response:
        """Get another token with a name, such as for a bot."""
        return Response(SignedIn.of(make_token(self.player, **self.body(NewTokenInput))), status=201)


class OneKey(Endpoint):
    permission_classes = [IsAuthenticated]
    http_method_names = ["delete"]

    @operation("end_key", Answer(Keys, examples.KEYS), (*CHANGES, UnknownKey))
    def delete(self, request: Request, key_id: str) -> Response:
        """End a session or a token of yours, with its tickets and sockets, and list those that are left."""
        end_key(self.player, key_id)
        return Response(Keys.of(keys_of(self.player), key_of(request)))


class Password(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "change_password",
        Answer(SignedOut, SignedOut(1)),
        (*CHANGES, GuestAccount, SignInFailed, WeakPassword),
        PasswordInput,
    )
    def post(self, request: Request) -> Response:
        """Change your password.

        All other tokens, and all browser sessions and tickets of the account end, and all sockets are closed. The token
        or session of this request stays.
        """
        asked = self.body(PasswordInput)
        token = cast(str | None, request.auth)
        ended = change_password(self.player, asked["password"], asked["new_password"], request._request, token)
        if token is None:
            self.player.refresh_from_db()
            update_session_auth_hash(request._request, self.player)
        return Response(SignedOut(ended))


class OwnMail(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "change_mail",
        Answer(MailSent, MailSent(is_sent=True), 202),
        (*CHANGES, NoMail, BadMailAddress, GuestAccount, SignInFailed, MailFailed),
        MailInput,
    )
    def post(self, request: Request) -> Response:
        """Get a mail with a link that confirms your mail address, or remove the address.

        An account needs none. A confirmed address serves to choose a new password, and nothing else.
        """
        asked = self.body(MailInput)
        if asked["email"]:
            ask_to_confirm(self.player, asked["email"], asked["password"], request._request)
        else:
            forget_address(self.player, asked["password"], request._request)
        return Response(MailSent(is_sent=bool(asked["email"])), status=202)


class ResetPassword(Endpoint):
    authentication_classes = []
    permission_classes = []

    @operation("reset_password", Answer(MailSent, MailSent(is_sent=True), 202), (NoMail, BadMailAddress), ResetInput)
    def post(self, request: Request) -> Response:
        """Get a mail with a link to choose a new password.

        The answer is the same whether an account has the address or not.
        """
        ask_to_reset(self.body(ResetInput)["email"], request._request)
        return Response(MailSent(is_sent=True), status=202)

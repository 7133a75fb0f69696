import re
from asyncio import wrap_future
from typing import cast

from django.contrib.auth import login, logout
from django.urls import path, reverse
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import wire
from games.accounts.accounts import Wanted, claim, register, rename, sign_in, sign_out
from games.accounts.claim_links import LINK_SECONDS, claim_link
from games.accounts.guests import become_guest, save_together, unsaved_guest
from games.accounts.mail import ask_to_confirm, ask_to_reset, forget_address
from games.accounts.password_backend import BACKEND, stay_signed_in
from games.accounts.passwords import change_password
from games.accounts.refusals import (
    AlreadyClaimed,
    BadHandle,
    BadMailAddress,
    GuestAccount,
    HandleReserved,
    HandleTaken,
    NoMail,
    PasswordsOff,
    WeakPassword,
)
from games.doors.refusals import MailFailed
from games.doors.rest import on_loop
from games.doors.rest.inputs import NothingInput
from games.doors.rest.on_loop import Arrival, Door, Granted
from games.doors.rest.openapi import ANY_TOKEN, CHANGES, FOR_ALL, FOR_PLAYERS, Answer, operation
from games.doors.scopes import Scope
from games.keys.authentication import TICKET_SECONDS, issue_ticket
from games.keys.examples import GUEST, NAMED
from games.keys.refusals import SignInFailed
from games.keys.rest_authentication import key_of
from games.keys.tokens import issue_token
from games.keys.wire import SignedIn, SignedOut
from games.players.endpoint import IDEMPOTENCY_KEY, REPEATED, Endpoint, PlayersEndpoint, idempotent
from games.players.examples import CAROL, PLAYER
from games.players.refusals import NameReserved
from games.players.wire import Player
from games.runtime.clock import clock
from games.runtime.limits import NEW_ACCOUNT

CLAIM_LINK = wire.ClaimLink("https://pyramid.example/account/claim/WzEsIiJd:1vxZQp:0Xk3Vt1kX5qL8w2n9c7d4s6h/", 900)
TICKET = wire.Ticket("WzEsIiJd:1vxZQp:0Xk3Vt1kX5qL8w2n9c7d4s6h", 60)
CLAIM_REFUSALS = (AlreadyClaimed, BadHandle, HandleReserved, HandleTaken, NameReserved, PasswordsOff, WeakPassword)


class Claim(PlayersEndpoint):
    @operation("claim_account", Answer(CAROL), (*CHANGES, *CLAIM_REFUSALS), wire.ClaimInput)
    def post(self, request: Request) -> Response:
        """Turn your guest account into a named one.

        It keeps its games and scores, and your token stays valid. From the next day
        (UTC) on you compete in `main`, once you have played three
        games to an end, on three days before it.
        """
        asked = self.body(wire.ClaimInput)
        wanted = Wanted(asked.handle, asked.display_name or None, asked.password)
        named = claim(self.player, wanted, request._request, clock.now())
        if request.auth is None:
            login(request._request, named, BACKEND)
        return Response(Player.of(named))


class Register(Endpoint):
    permission_classes = [AllowAny]

    @operation("register", Answer(NAMED, 201), (*FOR_ALL, PermissionDenied, *CLAIM_REFUSALS), wire.RegisterInput)
    def post(self, request: Request) -> Response:
        """Get a named account in one step, with a token.

        A guest who sends a token keeps everything and has a name from now on; without one the account is new.
        """
        named = register(self.reader, self.wanted(), request._request, clock.now())
        signed_in = issue_token(named)
        if self.reader is not None and request.auth is None:
            login(request._request, named, BACKEND)
        return Response(SignedIn.of(signed_in), status=201)

    def wanted(self) -> Wanted:
        asked = self.body(wire.RegisterInput)
        return Wanted(asked.handle, asked.display_name or None, asked.password, is_bot=asked.is_bot)


class ClaimLink(PlayersEndpoint):
    @operation("create_claim_link", Answer(CLAIM_LINK, 201), (*CHANGES, AlreadyClaimed, PasswordsOff), NothingInput)
    def post(self, request: Request) -> Response:
        """Get a link to the page on which this guest account is given a name and a password.

        Show it only to the person who plays: anyone who opens it can take over the account. It works once, within 15
        minutes.
        """
        self.body(NothingInput)
        path = reverse("web:claim-link", args=[claim_link(self.player)])
        return Response(wire.ClaimLink(request.build_absolute_uri(path), LINK_SECONDS), status=201)


class SignIn(Endpoint):
    authentication_classes = []
    permission_classes = []

    @operation("sign_in", Answer(NAMED, 201), (SignInFailed, PasswordsOff), wire.SignInInput)
    def post(self, request: Request) -> Response:
        """Get a token of your named account, for example on another device.

        Attempts are limited by network address and handle.
        """
        asked = self.body(wire.SignInInput)
        signed_in = sign_in(asked.handle, asked.password, request._request)
        return Response(SignedIn.of(signed_in), status=201)


class SignOut(PlayersEndpoint):
    @operation("sign_out", Answer(SignedOut(1)), CHANGES, wire.SignOutInput)
    def post(self, request: Request) -> Response:
        """Revoke the token that was sent. With a session cookie, the session ends.

        With `everywhere` all tokens, browser sessions and tickets of the account end, and its sockets are closed.
        """
        everywhere = self.body(wire.SignOutInput).everywhere
        token = cast(str | None, request.auth)
        ended = sign_out(self.player, token, everywhere=everywhere)
        logout(request._request)
        return Response(SignedOut(ended))


class Password(PlayersEndpoint):
    @operation(
        "change_password",
        Answer(SignedOut(1)),
        (*CHANGES, GuestAccount, PasswordsOff, SignInFailed, WeakPassword),
        wire.PasswordInput,
    )
    def post(self, request: Request) -> Response:
        """Change your password.

        All other tokens, and all browser sessions and tickets of the account end, and all sockets are closed. The token
        or session of this request stays.
        """
        asked = self.body(wire.PasswordInput)
        token = cast(str | None, request.auth)
        ended = change_password(self.player, asked.password, asked.new_password, request._request, token)
        if token is None:
            stay_signed_in(request._request, self.player)
        return Response(SignedOut(ended))


class OwnMail(PlayersEndpoint):
    @operation(
        "change_mail",
        Answer(wire.MailSent(is_sent=True), 202),
        (*CHANGES, NoMail, BadMailAddress, GuestAccount, SignInFailed, MailFailed),
        wire.MailInput,
    )
    def post(self, request: Request) -> Response:
        """Get a mail with a link that confirms your mail address, or remove the address.

        An account needs none. A confirmed address serves to choose a new password, and nothing else.
        """
        asked = self.body(wire.MailInput)
        if asked.email:
            ask_to_confirm(self.player, asked.email, asked.password, request._request)
        else:
            forget_address(self.player, asked.password, request._request)
        return Response(wire.MailSent(is_sent=bool(asked.email)), status=202)


class ResetPassword(Endpoint):
    authentication_classes = []
    permission_classes = []

    @operation(
        "reset_password",
        Answer(wire.MailSent(is_sent=True), 202),
        (NoMail, BadMailAddress, PasswordsOff),
        wire.ResetInput,
    )
    def post(self, request: Request) -> Response:
        """Get a mail with a link to choose a new password.

        The answer is the same whether an account has the address or not.
        """
        ask_to_reset(self.body(wire.ResetInput).email, request._request)
        return Response(wire.MailSent(is_sent=True), status=202)


class Guests(Endpoint):
    authentication_classes = []
    permission_classes = []
    counts_for = NEW_ACCOUNT

    @operation("create_guest", Answer(GUEST, 201), (NameReserved, *REPEATED), wire.NewGuestInput, [IDEMPOTENCY_KEY])
    @idempotent
    def post(self, request: Request) -> Response:
        """Become a guest.

        Send the token with every request as `Authorization: Bearer TOKEN`. It is the only key to the account.
        """
        asked = self.body(wire.NewGuestInput)
        guest = become_guest(asked.display_name or "", is_bot=asked.is_bot)
        return Response(SignedIn.of(guest), status=201)


async def guest_on_loop(arrival: Arrival) -> Granted:
    asked: wire.NewGuestInput = arrival.asked
    guest = unsaved_guest(asked.display_name or "", is_bot=asked.is_bot)
    return Granted(SignedIn.of(await wrap_future(save_together(guest))), 201)


on_loop.register(
    Door("POST", re.compile("/api/guests/"), wire.NewGuestInput, guest_on_loop, counts_for=Guests.counts_for)
)


class Me(PlayersEndpoint):
    @operation("read_me", Answer(PLAYER), FOR_PLAYERS, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """Read your own account."""
        return Response(Player.of(self.player))

    @operation("rename", Answer(CAROL), (*CHANGES, NameReserved), wire.RenameInput)
    def patch(self, request: Request) -> Response:
        """Change your display name."""
        return Response(Player.of(rename(self.player, self.body(wire.RenameInput).display_name)))


class Tickets(PlayersEndpoint):
    @operation("create_ticket", Answer(TICKET, 201), CHANGES, NothingInput, scope=ANY_TOKEN)
    def post(self, request: Request) -> Response:
        """Get a ticket that opens sockets for clients that cannot send headers.

        It is valid for a minute, for any number of sockets, unless your token or session ends before. It has the scopes
        of the token, and any token gets one.
        """
        self.body(NothingInput)
        ticket = issue_ticket(self.player, key_of(request))
        return Response(wire.Ticket(ticket, TICKET_SECONDS), status=201)


urlpatterns = [
    path("guests/", Guests.as_view(), name="guests"),
    path("me/", Me.as_view(), name="me"),
    path("register/", Register.as_view(), name="register"),
    path("me/claim-link/", ClaimLink.as_view(), name="claim-link"),
    path("me/claim/", Claim.as_view(), name="claim"),
    path("me/mail/", OwnMail.as_view(), name="mail"),
    path("password-reset/", ResetPassword.as_view(), name="password-reset"),
    path("me/password/", Password.as_view(), name="password"),
    path("sign-in/", SignIn.as_view(), name="sign-in"),
    path("sign-out/", SignOut.as_view(), name="sign-out"),
    path("tickets/", Tickets.as_view(), name="tickets"),
]

"""Cups over REST."""

from django.http import HttpResponse
from django.urls import path
from msgspec.structs import asdict
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.cups import examples, hosting, wire
from games.cups.finding import find_by_code
from games.cups.qualification import enter
from games.cups.reading import current_cups, past_cups, read_cup, tournaments_of
from games.cups.refusals import (
    ByLetters,
    CannotHost,
    CupFull,
    CupNameRemoved,
    CupNameReserved,
    CupNotOpen,
    NotOrganiser,
    NotYourCup,
    RemovedFromCup,
    StartOutOfRange,
    TooFewEntrants,
    TooManyCups,
    UnknownCup,
)
from games.cups.signups import sign_up, withdraw
from games.cups.wire import DecisionInput, DivisionInput, EntrantInput, TournamentInput, TournamentLettersInput
from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.inputs import NothingInput
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, NOT_MODIFIED, Answer, location, operation
from games.doors.scopes import Scope
from games.players.endpoint import IDEMPOTENCY_KEY, REPEATED, Endpoint, PlayersEndpoint, idempotent
from games.players.refusals import UnknownPlayer
from games.practice.refusals import NotCertifiable
from games.races.refusals import NotInCircle
from games.rules import UnknownRuleSet
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock

NAMING = (CupNameReserved, CupNameRemoved)
ANNOUNCING = (CannotHost, NotInCircle, *NAMING, UnknownRuleSet, NotCertifiable, StartOutOfRange, TooManyCups)
DECIDING = (UnknownCup, NotOrganiser, CupNotOpen)


class CupEndpoint(Endpoint):
    """An endpoint that answers with a cup."""

    def answer(self, cup_id: str) -> Response:
        return Response(wire.Cup.known(read_cup(cup_id, 1, self.reader), self.reader))


class Cups(CupEndpoint):
    @operation("list_cups", [Answer(examples.CUPS), NOT_MODIFIED], FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> HttpResponse:
        """List the cups that are announced or on their way, the next first, and the last that are over."""
        current, past = ([wire.ListedCup.of(cup) for cup in cups] for cups in (current_cups(), past_cups()))
        return conditional(request, wire.Cups(current, past), ASK_AGAIN)

    @operation(
        "announce_tournament",
        Answer(examples.TOURNAMENT, 201),
        (*CHANGES, *ANNOUNCING, *REPEATED),
        TournamentInput,
        [location(of="the tournament"), IDEMPOTENCY_KEY],
        scope=Scope.RACES,
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Announce a tournament by hand. Send its `letters` to the people you want in it; sign up yourself too."""
        cup = hosting.announce(self.player, hosting.Terms(**asdict(self.body(TournamentInput))), clock.now())
        response = self.answer(cup.pk)
        response.status_code = 201
        response["Location"] = reverse("cup", kwargs={"cup_id": cup.pk})
        return response


class OwnCups(PlayersEndpoint):
    @operation("list_own_cups", Answer(examples.OWN_CUPS), FOR_PLAYERS, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """List the tournaments by hand that you organise or signed up for, the last to begin first."""
        return Response(wire.OwnCups([wire.ListedCup.of(cup) for cup in tournaments_of(self.player)]))


class SignUp(PlayersEndpoint, CupEndpoint):
    @operation(
        "sign_up_for_tournament",
        Answer(examples.TOURNAMENT),
        (*CHANGES, UnknownCup, CupNotOpen, NotYourCup, RemovedFromCup, CupFull),
        TournamentLettersInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request) -> Response:
        """Sign up for the tournament with these six letters. Doing so again changes nothing."""
        letters = self.body(TournamentLettersInput).letters
        cup = find_by_code(letters, address_of_request(request._request), self.player)
        sign_up(cup.pk, self.player, clock.now())
        return self.answer(cup.pk)


class Withdraw(PlayersEndpoint, CupEndpoint):
    @operation(
        "withdraw_from_tournament",
        Answer(examples.TOURNAMENT),
        (*CHANGES, UnknownCup, CupNotOpen),
        NothingInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request, cup_id: str) -> Response:
        """Take back that you signed up for a tournament, until it begins. Doing so again changes nothing."""
        self.body(NothingInput)
        withdraw(cup_id, self.player, clock.now())
        return self.answer(cup_id)


class Decide(PlayersEndpoint, CupEndpoint):
    @operation(
        "decide_about_tournament",
        Answer(examples.TOURNAMENT),
        (*CHANGES, *DECIDING, TooFewEntrants),
        DecisionInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request, cup_id: str) -> Response:
        """Start the tournament that you organise, or call it off."""
        hosting.DECISIONS[self.body(DecisionInput).act](cup_id, self.player, clock.now())
        return self.answer(cup_id)


class Remove(PlayersEndpoint, CupEndpoint):
    @operation(
        "remove_from_tournament",
        Answer(examples.TOURNAMENT),
        (*CHANGES, *DECIDING, UnknownPlayer),
        EntrantInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request, cup_id: str) -> Response:
        """Remove an entrant from the tournament that you organise, until it begins. The player then stays out."""
        hosting.remove(cup_id, self.player, self.body(EntrantInput).handle, clock.now())
        return self.answer(cup_id)


class OneCup(Endpoint):
    @operation(
        "read_cup",
        [Answer(examples.CUP), NOT_MODIFIED],
        (*FOR_ALL, UnknownCup),
        parameters=[DivisionInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, cup_id: str) -> HttpResponse:
        """Read a cup with the bracket of a division: who plays now, and how many cards each has left."""
        known = read_cup(cup_id, self.query(DivisionInput).division, self.reader)
        return conditional(request, wire.Cup.known(known, self.reader), ASK_AGAIN)


class Enter(PlayersEndpoint):
    @operation(
        "enter_cup",
        Answer(examples.ENTERED),
        (*CHANGES, UnknownCup, ByLetters, CupNotOpen, NotYourCup),
        NothingInput,
        scope=Scope.RACES,
    )
    def post(self, request: Request, cup_id: str) -> Response:
        """Begin your one attempt in the qualification of a cup. Doing so again returns the same game."""
        self.body(NothingInput)
        return Response(wire.Entered(cup_id, enter(cup_id, self.player, clock.now())))


urlpatterns = [
    path("cups/", Cups.as_view(), name="cups"),
    path("cups/join/", SignUp.as_view(), name="sign-up"),
    path("me/cups/", OwnCups.as_view(), name="own-cups"),
    path("cups/<slug:cup_id>/", OneCup.as_view(), name="cup"),
    path("cups/<slug:cup_id>/enter/", Enter.as_view(), name="enter-cup"),
    path("cups/<slug:cup_id>/withdraw/", Withdraw.as_view(), name="withdraw-from-cup"),
    path("cups/<slug:cup_id>/decisions/", Decide.as_view(), name="decide-about-cup"),
    path("cups/<slug:cup_id>/removals/", Remove.as_view(), name="remove-from-cup"),
]

"""The server on an ordinary day, everyone who looks at it, and what was found in what they were sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import filterfalse
from typing import Any

from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from games.accounts.guests import create_guest
from games.calendar.models import DailyDeal, Deal
from games.play.models import Game
from games.players.models import Player
from games.rules import Card, Deck, Record
from leaderboards.clubs.models import Club
from leaderboards.moderation.finding import open_flagged
from tests.calendar import prepared_dailies
from tests.secrecy.detector import Detector, Secrets, runs_in, runs_of
from tests.secrecy.doors import PASSWORD, Cast, Reader, is_for_staff, routes, sent

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
PAR, GREEDY, CARELESS, CAREFUL = 30011, 30013, 30029, 30047  # numbers that nothing else is
PLAYERS = ("anyone", "alice", "bob")
METRICS_TOKEN = "m" * 50
# The documents at which readers look. The last has the text of all others.
DOCUMENTS = ("/api/schema/", "/docs/", "/docs/rules/", "/docs/asyncapi.json", "/docs/sections.json")


@cache
def published_runs() -> Set[str]:
    """Return what the documents happen to have in a row: in examples, tables and drawings."""
    return frozenset().union(*(runs_in(Client().get(address).content) for address in DOCUMENTS))


class House:
    """The server, everyone who looks at it, and what was found."""

    def __init__(self) -> None:
        prepared_dailies(NOON - DAY)
        coming = Deal.objects.filter(daily__day__gte=NOON.date())
        coming.update(par=PAR, greedy_moves=GREEDY, careless_wins=CARELESS, careful_wins=CAREFUL)
        today, tomorrow = (_dailies(NOON + ahead) for ahead in (timedelta(), DAY))
        played = [Deck.from_text(daily.deal.deck).cards for daily in _dailies(NOON - DAY)]
        self.public = runs_of(played) | published_runs()
        self.cast = Cast(create_guest("Alice").player, today, tomorrow)
        self.bob = create_guest("Bob").player
        club = Club.objects.create(
            name="Oxbow Club",
            name_key="oxbow",
            emblem="sc-blue",
            admission="open",
            code="BBBBBB",
            founded_at=NOON - DAY,
        )
        for player in (self.cast.alice, self.bob):
            club.memberships.create(player=player, joined_at=NOON - DAY)
        self.readers = [Reader("anyone"), _signed_in(self.cast.alice), _signed_in(self.bob), *_staff()]
        self.granted: set[str] = set()
        self.leaks: dict[str, set[str]] = {}

    def reader(self, name: str) -> Reader:
        return next(reader for reader in self.readers if reader.name == name)

    def detector(self, name: str) -> Detector:
        """Return what finds that which a reader may not know now."""
        dailies = [*self.cast.today, *self.cast.tomorrow]
        games = Game.objects.filter(player=self.cast.alice, deal__in=[daily.deal for daily in dailies])
        records = [(game, game.record()) for game in games.select_related("player", "deal")]
        cards = [cards for daily in dailies for cards in _secret_cards(daily, records, name)]
        coming = {daily.deal.pk for daily in self.cast.tomorrow if timezone.now() < daily.key.opens_at}
        return Detector(
            Secrets(
                cards,
                self.public,
                {daily.seed for daily in dailies},
                {PAR, GREEDY, CARELESS, CAREFUL},
                coming if name in PLAYERS else set(),
            )
        )

    def look(self, *only: str, forms: bool = False) -> None:
        """Have everyone, or some of them, look through their doors; what was played too fast is a case by then.

        With `forms`, they also send an empty form to every address.
        """
        open_flagged(timezone.now())
        for reader in self.readers:
            if not only or reader.name in only:
                self._search_all(reader, reader.look_everywhere(self.cast, forms=forms))
        if not only:
            metrics = Client(headers={"Authorization": f"Bearer {METRICS_TOKEN}"}).get("/metrics")
            self.granted_to("bob", "metrics", metrics)

    def look_at(self, some: Iterable[str], *only: str, forms: bool = False) -> None:
        """Have some of them look through some doors."""
        for name in only:
            reader = self.reader(name)
            self._search_all(reader, reader.look_at(self.cast, some, forms=forms))

    def change_sides(self) -> None:
        """Have alice look through the doors of staff, and a superuser through those of players."""
        self.look_at(filter(is_for_staff, routes()), "alice", forms=True)
        self.look_at(filterfalse(is_for_staff, routes()), "superuser")

    def _search_all(self, reader: Reader, answers: Iterable[tuple[str, str, Any]]) -> None:
        detector = self.detector(reader.name)
        for route, asked, response in answers:
            assert response.status_code != 429
            self.search(detector, f"{reader.name}: {asked}", sent(response))
            if response.status_code < 400:
                self.granted.add(route)

    def granted_to(self, name: str, route: str, response: Any) -> None:
        """Search what was answered for what its reader does not know even now; bob stands for all who know nothing."""
        assert response.status_code < 300, response.content
        self.search(self.detector(name), f"{name}: {route}", sent(response))
        self.granted.add(route)

    def search(self, detector: Detector, where: str, data: bytes) -> None:
        """Keep what is found. Names that were asked for come back in answers and tell nothing."""
        for daily in self.cast.tomorrow:
            if daily.deal.pk in where:
                data = data.replace(daily.deal.pk.encode(), b"")
        if found := detector.leaks(data):
            self.leaks[where] = found


def _secret_cards(daily: DailyDeal, records: list[tuple[Game, Record]], name: str) -> Iterator[list[Card]]:
    """Yield the cards in the order of the deal and as alice's games on it show them.

    Those that she has seen are secret neither to her nor to the staff. Games on one deal may show it in different
    suits, but in the same places.
    """
    own = [(game, record) for game, record in records if game.deal_id == daily.deal_id]
    decks = {Deck.from_text(daily.deal.deck), *(record.deck for _, record in own)}
    seen = {place for game, record in own if game.started_at for place in places_seen(record)}
    known = set() if name in ("anyone", "bob") else seen
    for deck in decks:
        yield [card for place, card in enumerate(deck.cards) if place not in known]


def places_seen(record: Record) -> list[int]:
    """Return the places in the deck of the cards that turned up in a game."""
    return [record.deck.cards.index(card) for card in record.replay().seen]


def _dailies(moment: datetime) -> list[DailyDeal]:
    return list(DailyDeal.objects.filter(day=moment.date()).select_related("deal").order_by("rules", "division"))


def _signed_in(player: Player) -> Reader:
    """Return a player who comes with a token to the API and with a session to the pages."""
    client = Client(headers={"Authorization": f"Bearer {AuthToken.objects.create(player)[1]}"})
    client.force_login(player)
    return Reader(player.display_name.lower(), client=client)


def _staff() -> list[Reader]:
    superuser = Player.objects.create_superuser(username="root", display_name="Root", password=PASSWORD)
    viewer = Player.objects.create_user(username="viewer", display_name="Viewer", is_staff=True)
    viewer.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    readers = [Reader("superuser", is_staff=True), Reader("staff", is_staff=True)]
    for reader, player in zip(readers, (superuser, viewer), strict=True):
        reader.client.force_login(player)
    return readers

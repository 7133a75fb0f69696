"""Mallory reads every byte of every answer and finds no card that was not turned up in her own game."""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings

from games.calendar.models import Deal
from games.play.models import Game
from games.players.models import Player
from games.rules import CARDS, Deck
from tests.calendar import prepared_dailies
from tests.games.api import Api
from tests.games.conftest import DECK
from tests.guards import guards_dropped

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

# An open and a closed stock, face-down cards, two decks, three wastes, a cell; stocks that are known from the start.
RULES = ["relaxed", "standard", "pyramid-thirteen", "two-pyramids", "three-piles", "cell"]
ALL_SEEN = ["face-up-stock", "open-pyramid"]
# Both kinds go through the same doors: what differs is whether a deal has a day. So these are practised, too.
PRACTISED = ["standard", "pyramid-thirteen", "open-pyramid"]
KINDS = [*(("daily", slug) for slug in (*RULES, *ALL_SEEN)), *(("practice", slug) for slug in PRACTISED)]
BEFORE_CLOSE = datetime.fromisoformat("2026-03-02T00:29:59.999Z")
DIGEST = re.compile(r"[0-9a-f]{64}")


class Spy(Api):
    """Keeps everything that was ever answered."""

    heard = ""

    def request(self, **kwargs: Any) -> Any:
        response = super().request(**kwargs)
        self.heard += f"{response.get('Location')} {response.content.decode()}\n"
        return response

    def ask_everywhere(self, game: str) -> None:
        for path in ("", f"{game}/", f"{game}/record/", f"{game}/analysis/", f"{game}/state/"):
            self.get(f"/api/games/{path}")
        for path in ("", "2026-03-01/", "2026-03-02/", "history/"):
            self.get(f"/api/daily/{path}")

    def cards_heard(self, game: Game) -> set[str]:
        """Return the cards named anywhere; commitments and names drawn at random look like cards here and there."""
        text = DIGEST.sub("", self.heard)
        for name in (game.id, game.deal_id, game.player.username):
            text = text.replace(name, "")
        return {card for card in cards_of(game) if card in text}


@pytest.fixture
def spy(clock: object, mallory: Player) -> Spy:
    return Spy(mallory)


def seen(game: Game) -> set[str]:
    return {card.text for card in game.record().replay().seen}


def cards_of(game: Game) -> list[str]:
    return [card.text for card in CARDS[: game.deal.rule_set.deck_size]]


def unseen(game: Game) -> set[str]:
    return set(cards_of(game)) - seen(game)


@pytest.fixture
def rules(request: pytest.FixtureRequest, settings: LazySettings, now: datetime, db: None) -> str:
    """A rule set that has a daily deal."""
    settings.PYRAMID_DAILY_RULE_SETS = [request.param]
    prepared_dailies(now, days_ahead=1)
    return str(request.param)


@pytest.mark.parametrize(("kind", "rules"), KINDS, indirect=["rules"])
def test_mallory_hears_of_no_card_before_it_is_turned_up(
    spy: Spy, clock: time_machine.Traveller, rules: str, kind: str
) -> None:
    game = Game.objects.get(pk=spy.start(kind, rules))
    spy.get("/api/games/")
    spy.get(f"/api/games/{game.id}/record/")
    assert spy.cards_heard(game) == set(), "a card was sent before the clock ran"
    chance, version, legal = random.Random(rules), 0, spy.state(game.id)["legal"]
    assert bool(unseen(game)) is (rules not in ALL_SEEN)
    for step in range(12):
        action = chance.choice([*legal, "D", "U", "Y"])
        played = spy.act(game.id, version, action)
        if played.status_code == 200:
            version, legal = played.json()["version"], played.json()["legal"]
        if step % 4 == 3:
            spy.ask_everywhere(game.id)
        assert spy.cards_heard(game) <= seen(game)
    if kind == "daily":
        spy.resign(game.id, version)
        clock.move_to(BEFORE_CLOSE)
        spy.ask_everywhere(game.id)
        assert spy.cards_heard(game) <= seen(game)


def test_a_refusal_says_the_same_of_every_unseen_card(spy: Spy) -> None:
    game = Game.objects.get(pk=spy.start("practice", "pyramid-thirteen"))
    spy.state(game.id)

    def refused(action: str) -> Any:
        return spy.post(f"/api/games/{game.id}/actions/", {"version": 0, "action": action}).json()

    said = {refused(card)["message"].replace(card, "?") for card in unseen(game)}
    assert said == {"?: ? is not in sight"}
    in_sight = min(seen(game))
    assert {refused(in_sight + card)["code"] for card in unseen(game)} == {"illegal_move"}


@pytest.mark.parametrize("talon", ["relaxed", "standard"])
def test_two_deals_that_differ_in_unseen_cards_alone_cannot_be_told_apart(
    spy: Spy, mallory: Player, now: datetime, talon: str
) -> None:
    cards, heard = [card.text for card in Deck.from_text(DECK).cards], []
    for deck in (cards, cards[:31] + cards[:30:-1]):
        deal = Deal.objects.create(rules=talon, deck="".join(deck), created_at=now)
        game = Game.objects.create(player=mallory, deal=deal, created_at=now)
        spy.heard = ""
        for version, action in enumerate(["D", "AcQc", "9s4s", "U"]):
            spy.act(game.id, version, action)
            spy.ask_everywhere(game.id)
        heard.append(spy.heard.replace(game.id, "GAME").replace(deal.id, "DEAL"))
        with guards_dropped():
            game.delete()
    assert heard[0] == heard[1]


@pytest.mark.parametrize("slug", ["standard", "open-pyramid"])
def test_bob_hears_of_no_card_of_a_deal_that_alice_plays(
    as_alice: Api, now: datetime, bob: Player, settings: LazySettings, slug: str
) -> None:
    """Not even where alice sees every card from the start."""
    settings.PYRAMID_DAILY_RULE_SETS = [slug]
    prepared_dailies(now, days_ahead=0)
    game = Game.objects.get(pk=as_alice.start("daily", slug))
    as_alice.state(game.id)
    spy = Spy(bob)
    spy.ask_everywhere(game.id)
    spy.act(game.id, 0, "D")
    spy.resign(game.id)
    spy.post(f"/api/games/{game.id}/restart/")
    assert spy.cards_heard(game) == set()


def test_mallory_learns_nothing_of_tomorrow(spy: Spy, now: datetime) -> None:
    prepared_dailies(now)
    tomorrow = now.date() + timedelta(days=1)
    spy.get(f"/api/daily/{tomorrow}/")
    text = DIGEST.sub("", spy.heard)
    assert not [card for card in CARDS[:52] if card.text in text]
    assert len(DIGEST.findall(spy.heard)) == 2  # the commitments

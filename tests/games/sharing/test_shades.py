"""Results to show: nothing in their shades or pictures tells a card of an open day, or which place fell when."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from io import BytesIO

import pytest
import time_machine
from django.test import Client
from PIL import Image

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.play.refusals import NotYours
from games.play.starting import practise, start_practice, start_ranked
from games.players.models import Player
from games.rules import REDO, RULE_SETS, UNDO
from games.sharing import shades
from games.sharing.pages import face_down
from games.sharing.pictures import SIZE, Picture, png_of
from games.sharing.shades import shades_of
from tests.games.api import Api, refusal
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)

MOST_BYTES = 30_000


def play(game: Game, now: datetime, seed: int, moves: int = 25) -> Game:
    """Play at random, removals first, and give up."""
    session, chance = open_session(game, now), random.Random(seed)
    for _ in range(moves):
        legal = session.play.legal_moves
        commit(session.act(chance.choice([move for move in legal if move.cards] or legal), session.play.version, now))
    commit(session.resign(session.play.version, now))
    return Game.objects.get(pk=game.pk)


def flat(game: Game, now: datetime) -> list[int]:
    return [shade for peak in shades_of(game, None, now).peaks for row in peak for shade in row]


def test_shades_are_sorted_for_all_until_the_day_is_over_and_then_lie_where_the_cards_lay(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = play(start_ranked(alice, "standard", now), now, seed=5)
    over = daily.key.finish_by
    opened, own, after = shades_of(game, None, now), shades_of(game, alice, now), shades_of(game, None, over)
    assert opened == own
    assert (opened.are_placed, after.are_placed) == (False, True)
    for peak, later in zip(opened.peaks, after.peaks, strict=True):
        assert peak != later
        for row, placed in zip(peak, later, strict=True):
            assert list(row) == sorted(placed, reverse=True)
    assert flat(game, over).count(0) == game.cards_left


def test_mallory_learns_nothing_from_where_in_a_row_the_cards_fell(
    alice: Player, daily: DailyDeal, now: datetime, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games whose rows fell at the same times, in whatever places, look the same: as numbers and as pictures."""
    game = play(start_ranked(alice, "standard", now), now, seed=5)
    placed, chance = flat(game, daily.key.finish_by), random.Random(1)
    told = set()
    for _ in range(20):
        left, shuffled = iter(placed), []
        for length in range(1, 8):
            row = [next(left) for _ in range(length)]
            shuffled += chance.sample(row, length)
        monkeypatch.setattr(shades, "_by_place", lambda record, one=tuple(shuffled): iter(one))
        with time_machine.travel(now, tick=False):
            answers = client.get(f"/api/games/{game.pk}/shades/"), client.get(f"/pictures/games/{game.pk}.png")
        told.add(tuple(answer.content for answer in answers))
    assert len(told) == 1


def test_shades_of_other_games_are_for_their_players_until_they_are_public(
    alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    running = start_ranked(alice, "standard", now)
    with pytest.raises(NotYours):
        shades_of(running, alice, now)
    practice = play(start_practice(alice, "standard", now), now, seed=2)
    assert shades_of(practice, bob, now).are_placed
    practise(alice, practice.deal, now)
    assert not shades_of(practice, alice, now).are_placed
    assert refusal(Api(bob).get(f"/api/games/{practice.pk}/shades/")) == (403, "not_yours")
    assert Client().get(f"/pictures/games/{practice.pk}.png").status_code == 404


def test_a_place_that_an_undo_filled_again_counts_by_its_last_removal(alice: Player, now: datetime) -> None:
    session = open_session(game := start_practice(alice, "standard", now), now)
    while not (removals := [move for move in session.play.legal_moves if move.cards]):
        commit(session.act(session.play.legal_moves[0], session.play.version, now))
    for action in (removals[0], UNDO, REDO, UNDO):
        commit(session.act(action, session.play.version, now))
    commit(session.resign(session.play.version, now))
    assert flat(Game.objects.get(pk=game.pk), now) == [0] * 28


def test_pictures_of_days_results_and_races_are_small(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = play(start_ranked(alice, "standard", now), now, seed=5)
    with time_machine.travel(now + timedelta(hours=1), tick=False):
        for address in ("site", f"days/{daily.day}", f"games/{game.pk}", "races/000000000000"):
            answer = Client().get(f"/pictures/{address}.png")
            assert answer["Content-Type"] == "image/png"
            assert len(answer.content) <= MOST_BYTES
            assert Image.open(BytesIO(answer.content)).size == SIZE
            assert (
                Client().get(f"/pictures/{address}.png", headers={"if-none-match": answer["ETag"]}).status_code == 304
            )
        assert Client().get(f"/pictures/days/{daily.day + timedelta(days=1)}.png").status_code == 404
        shown = Client().get(f"/days/{daily.day}/?game={game.pk}").content.decode()
        assert f'property="og:image" content="http://testserver/pictures/games/{game.pk}.png?lang=en"' in shown
        assert f"/pictures/days/{daily.day}.png" in Client().get(f"/days/{daily.day}/?game=nothing").content.decode()
        invited = Client().get("/races/000000000000/").content.decode()  # whether or not there is such a race
        assert "/pictures/races/000000000000.png" in invited
        assert 'property="og:title" content="An invitation to a race' in invited


def test_a_picture_is_in_the_language_of_the_page_that_shows_it(daily: DailyDeal, now: datetime) -> None:
    with time_machine.travel(now, tick=False):
        shown = Client(headers={"accept-language": "de"}).get(f"/days/{daily.day}/").content.decode()
        every_other = Client(headers={"accept-language": "de"}).get("/privacy/").content.decode()
        for page, picture in ((shown, f"/pictures/days/{daily.day}.png"), (every_other, "/pictures/site.png")):
            german, english, unknown = (
                Client().get(f"{picture}?lang={language}").content for language in ("de", "en", "xx")
            )
            assert f"{picture}?lang=de" in page
            assert german != english == unknown


def test_umlauts_have_their_dots() -> None:
    peaks = face_down(RULE_SETS["standard"])
    assert png_of(Picture(peaks, "Zuge", ())) != png_of(Picture(peaks, "Z\u00fcge", ()))


@pytest.mark.parametrize("slug", RULE_SETS)
def test_every_tableau_fits_a_picture(slug: str) -> None:
    peaks = face_down(RULE_SETS[slug])
    assert len(png_of(Picture(peaks, RULE_SETS[slug].title, ("One deal for all",)))) <= MOST_BYTES

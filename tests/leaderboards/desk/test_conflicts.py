"""No door of the admin shows evidence about its reader, or about an account that may be the reader's too.

The walk goes to every address below /admin/, so a new door fails until it hides these rows or `SAYS_NOTHING` says why
it need not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial

import pytest
from django.db.models import Model
from django.test import Client

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, Entry, PendingGame
from leaderboards.moderation.evidence_models import KeptFinding
from leaderboards.moderation.models import Case
from leaderboards.moderation.reports import report
from leaderboards.moderation.traces import remember
from tests.authorisation.doors import routes
from tests.leaderboards.conftest import NOON, named
from tests.leaderboards.desk.conftest import Desk

# The doors at which a row about oneself may be named, by the beginning of their route, and why.
SAYS_NOTHING = {
    "admin/games/player/": "an account, without what moderation knows about it",
    "admin/games/dailydeal/": "a deal of a day, without its games",
    "admin/games/cup/": "a cup, as everyone sees it",
    "admin/games/deal/": "a deal, without its games",
    "admin/games/app/": "a program and who has registered it, as the consent page says",
    "admin/games/race/": "a race and its racers, as everyone sees them",
    "admin/games/gameanalysis/": "an analysis that a player asked for",
    "admin/games/setprogramme/": "the programme of the days",
    "admin/games/subscription/": "browsers that take notifications, by the service",
    "admin/games/pushmessage/": "messages on their way to browsers, without their contents",
    "admin/games/workertask/": "the tasks of the worker",
    "admin/auth/group/": "the groups of staff and what they may do",
    "admin/knox/authtoken/": "the tokens of an account",
    "admin/admin/logentry/": "who looked at secrets and changed accounts",
    "admin/leaderboards/board/": "a table, without its entries",
    "admin/leaderboards/club/": "a club, its members and what they did there",
    "admin/leaderboards/dayroot/": "the seal of a day",
    "admin/leaderboards/following/": "who follows whom",
    "admin/leaderboards/webhook/": "addresses of an operator",
    "admin/review/clubs/": "what players say of clubs that the reader was never in",
    "admin/review/cups/": "what players say of tournaments that the reader had no part in",
    "admin/review/views/": "takes forms alone",
    "admin/review/detectors/": "sums over all accounts",
    "admin/r/": "leads on to addresses of Django's sites, of which there are none",
    "admin/login/": "no row",
    "admin/logout/": "no row",
    "admin/password_change/": "leads on to the page of all accounts",
    "admin/autocomplete/": "closed to everyone",
    "admin/jsi18n/": "no row",
}


LISTS = {"admin/review/", "admin/leaderboards/entry/", "admin/leaderboards/decision/"}
OF_STRANGERS = {
    "admin/review/faults/",
    "admin/games/game/",
    "admin/leaderboards/case/",
    "admin/leaderboards/entry/<path:object_id>/change/",
}


@dataclass
class Trail:
    """All that moderation can know of a player: a decided score, a finding, a report, a case and its decision."""

    game: Game
    case: Case

    @property
    def rows(self) -> dict[str, Model]:
        """A row of each model whose admin has a page for it."""
        about = {"game": self.game, "case": self.case}
        found = (
            Entry.objects.filter(game=self.game).first(),
            Decision.objects.filter(game=self.game).first(),
            PendingGame.objects.get_or_create(game=self.game, defaults={"finished_at": NOON})[0],
        )
        return about | {row._meta.model_name: row for row in found if row is not None and row._meta.model_name}


def trail_of(desk: Desk, game: Game, reporter: Player) -> Trail:
    report(game.pk, reporter, "look at this", NOON)
    decide(Decision(game=game, state="flagged", reason="too fast", by=None, at=NOON))
    case = desk.case_about(game)
    KeptFinding.objects.create(
        player=game.player,
        game=game,
        case=case,
        detector="verification",
        version="1",
        strength="case",
        score=1,
        threshold=1,
        explanation=f"Game {game.pk}",
        games=[game.pk],
        at=NOON,
    )
    return Trail(game, case)


@dataclass
class Trails:
    hidden: tuple[Trail, ...]
    shown: Trail


@pytest.fixture
def trails(desk: Desk, ines: Player) -> Trails:
    """The evidence about Ines, about a friend on her tablet, and about a stranger."""
    friend, stranger = named("friend"), named("stranger")
    for player, address, device in ((ines, "", "a tablet"), (friend, "192.0.2.1", "a tablet"), (stranger, "", "")):
        remember([(player.pk, address, device)], NOON)
    games = [desk.play_as(player, NOON + timedelta(minutes=place)) for place, player in enumerate((ines, friend))]
    reporter = named("reporter")
    hidden = tuple(trail_of(desk, game, reporter) for game in games)
    return Trails(hidden, trail_of(desk, desk.play_as(stranger, NOON + timedelta(minutes=9)), reporter))


def admin_doors(trail: Trail) -> Iterator[tuple[str, str]]:
    """Yield the routes of the admin, each with its address for the rows of a trail."""
    rows = trail.rows
    for route in routes():
        if not route.startswith("admin/") or any(route.startswith(start) for start in SAYS_NOTHING):
            continue
        if "<path:object_id>" in route:
            model = route.split("/")[2]
            assert model in rows, f"{route}: plant a row of {model} about the friend, or say why it tells nothing"
            yield route, "/" + route.replace("<path:object_id>", str(rows[model].pk))
        elif "<" in route:
            own = trail.game.player_id if "players/" in route else trail.case.pk
            yield route, "/" + route.replace("<int:pk>", str(own))
        else:
            yield route, "/" + route


class Reader:
    """A browser that opens each page once."""

    def __init__(self, browser: Client) -> None:
        self._open = cache(partial(_text_of, browser))

    def told(self, trail: Trail, *some: str) -> set[str]:
        """Return the routes, of some or all, whose pages say something of a trail."""
        names = (trail.game.pk, f"/admin/review/{trail.case.pk}/", f"/case/{trail.case.pk}/")
        doors = ((route, address) for route, address in admin_doors(trail) if not some or route in some)
        return {route for route, address in doors if any(name in self._open(address) for name in names)}


def _text_of(browser: Client, address: str) -> str:
    """Return a page; that there is no such row is what it says of any row."""
    response = browser.get(address)
    page = re.sub(r'<ul class="messagelist">.*?</ul>', "", response.content.decode(), flags=re.DOTALL)
    return page if response.status_code == 200 else ""


def test_no_door_of_the_admin_tells_reviewers_of_themselves_or_of_accounts_that_may_be_theirs(
    desk: Desk, ines: Player, robin: Player, trails: Trails
) -> None:
    own, other = Reader(desk.browser_of(ines)), Reader(desk.browser_of(robin))
    for trail in trails.hidden:
        assert not own.told(trail)
        assert other.told(trail, *LISTS) == LISTS
    assert own.told(trails.shown, *OF_STRANGERS) == OF_STRANGERS


def test_a_reviewer_whose_network_grew_since_still_does_not_moderate_the_own_second_account(
    desk: Desk, ines: Player
) -> None:
    game = desk.play("second", NOON)
    guests = [named(f"guest-{number}", is_guest=True) for number in range(3)]
    for player in (ines, game.player, *guests):
        remember([(player.pk, "192.0.2.1", "")], NOON)
    case = desk.case_about(game)
    assert desk.browser_of(ines).get(f"/admin/review/{case.pk}/").status_code == 404

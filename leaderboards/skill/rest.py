"""The results of people on deals, and the shares of players in their results, over REST."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from django.http import HttpResponse
from django.urls import path
from msgspec import Meta
from rest_framework.request import Request

from games.deals.grading import ORDERS
from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.doors.wire import JsonObject, Number
from games.play.notation_wire import RuleSlug
from games.play.refusals import DealNotYet, UnknownDeal
from games.players.endpoint import Endpoint
from games.players.names import find_player
from games.players.refusals import UnknownPlayer
from games.players.wire import Id
from games.practice.shared_deals import find_deal, require_shared
from games.runtime.clock import clock
from leaderboards.boards.wire import RankedPlayer
from leaderboards.skill import models
from leaderboards.skill.deal_results import results_of, shares_of


class References(JsonObject, frozen=True):
    """The results of reference players on a deal; see the recipe of grades."""

    orders: Annotated[
        Number, Meta(description="The number of orders of the unseen cards in which two of them play it.")
    ]
    careless_wins: Annotated[Number | None, Meta(description="The number of these in which the careless player wins.")]
    careful_wins: Annotated[Number | None, Meta(description="The number of these in which the careful player wins.")]
    greedy_moves: Annotated[Number | None, Meta(description="The moves of the greedy player, null if it loses.")]


class DealResults(JsonObject, frozen=True):
    """The results of people's first attempts at a daily deal."""

    deal: Id
    day: date
    rules: RuleSlug
    par: Annotated[Number | None, Meta(description="The fewest moves that win, if known.")]
    played: Number
    won: Number
    lost: Annotated[list[Number], Meta(description="Games that were not won, by the number of cards left, from 0.")]
    over_par: Annotated[list[Number], Meta(description="Wins by moves over par; 20 or more are the last of 21.")]
    references: References

    @classmethod
    def of(cls, row: models.DealResults) -> DealResults:
        daily, deal = row.daily, row.daily.deal
        references = References(ORDERS, deal.careless_wins, deal.careful_wins, deal.greedy_moves)
        facts = deal.pk, daily.day, daily.rules, deal.par, row.played, row.won, row.lost, row.over_par
        return cls(*facts, references)


Fraction = Annotated[float, Meta(ge=0, le=1)]


class Share(JsonObject, frozen=True):
    """A share from 0 to 1, with an interval of 95%."""

    share: Fraction
    low: Fraction
    high: Fraction


class PlayerSkill(JsonObject, frozen=True):
    """The shares of the player and of the deals in a player's results under a rule set; the rest is due to neither."""

    rules: RuleSlug
    at: Annotated[datetime, Meta(tz=True, description="When it was measured.")]
    games: Annotated[Number, Meta(description="First attempts at daily deals that others played too.")]
    effect: Annotated[float, Meta(description="Cards left more than others on the same deals; below 0 is better.")]
    by_player: Share
    by_deal: Share

    @classmethod
    def of(cls, row: models.PlayerShare) -> PlayerSkill:
        by_player = Share(row.by_player, row.by_player_low, row.by_player_high)
        by_deal = Share(row.by_deal, row.by_deal_low, row.by_deal_high)
        return cls(row.rules, row.at, row.games, row.effect, by_player, by_deal)


class PlayerSkills(JsonObject, frozen=True):
    """The shares of a player and of the deals in the player's results, by rule set."""

    player: RankedPlayer
    skills: Annotated[list[PlayerSkill], Meta(description="Only of rule sets with at least 30 games.")]


_RESULTS = DealResults(
    *("k3v9x2m4p7qd", date(2026, 11, 20), "standard", 31, 6, 4, [0, 0, 1, 0, 1], [1, 2, 0, 1]),
    References(ORDERS, 14, 20, 36),
)
_SKILLS = PlayerSkills(
    RankedPlayer("alice", "Alice", is_bot=False),
    [
        PlayerSkill(
            *("standard", datetime(2026, 11, 21, 6, tzinfo=UTC), 48, -1.9),
            by_player=Share(0.11, 0.03, 0.22),
            by_deal=Share(0.31, 0.25, 0.38),
        )
    ],
)


class ResultsOnDeal(Endpoint):
    @operation(
        "read_deal_results", [Answer(_RESULTS), NOT_MODIFIED], (*FOR_ALL, UnknownDeal, DealNotYet), scope=Scope.READ
    )
    def get(self, request: Request, deal_id: str) -> HttpResponse:
        """Read the results of people and reference players on a past daily deal."""
        deal = find_deal(deal_id)
        require_shared(deal, clock.now())
        return conditional(request, DealResults.of(results_of(deal)), ASK_AGAIN)


class SkillOfPlayer(Endpoint):
    @operation("read_skill", [Answer(_SKILLS), NOT_MODIFIED], (*FOR_ALL, UnknownPlayer), scope=Scope.READ)
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read how much of a player's results is due to the player, and how much to the deals."""
        player = find_player(handle)
        skills = [PlayerSkill.of(row) for row in shares_of(player)]
        return conditional(request, PlayerSkills(RankedPlayer.of(player), skills), ASK_AGAIN)


urlpatterns = [
    path("deals/<slug:deal_id>/results/", ResultsOnDeal.as_view(), name="deal-results"),
    path("players/<slug:handle>/skill/", SkillOfPlayer.as_view(), name="skill"),
]

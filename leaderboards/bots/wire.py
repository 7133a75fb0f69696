from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta

from games.doors.wire import JsonObject, Number, Text
from games.play.wire import BoardSlug
from games.races.strength import Family
from leaderboards.boards.wire import RankedPlayer
from leaderboards.bots.bots import RecentBot


class BotRating(JsonObject, frozen=True):
    """A rating of a bot from races among bots, under the rule sets of a family."""

    family: Family
    rating: int
    uncertainty: Annotated[Number, Meta(description="Two standard deviations of the rating.")]
    races: Annotated[Number, Meta(description="How many were rated.")]


class ActiveBot(JsonObject, frozen=True):
    """A bot, its owner, its finished ranked attempts of the last 30 days, and its ratings."""

    player: RankedPlayer
    owner: Annotated[RankedPlayer | None, Meta(description="The person who made it; null if nobody says so.")]
    model: Annotated[Text | None, Meta(description="The language model that plays it, if its owner says so.")]
    days: Annotated[Number, Meta(description="On how many days it played.")]
    played: Number
    won: Number
    last_day: date
    ratings: Annotated[list[BotRating], Meta(description="From races, those that are not provisional.")]

    @classmethod
    def of(cls, bot: RecentBot) -> ActiveBot:
        owner = bot.player.listed_owner
        return cls(
            player=RankedPlayer.of(bot.player),
            owner=None if owner is None else RankedPlayer.of(owner),
            model=bot.player.model or None,
            days=bot.days,
            played=bot.played,
            won=bot.won,
            last_day=bot.last_day,
            ratings=[BotRating(family, *figures) for family, figures in bot.ratings],
        )


class Bots(JsonObject, frozen=True):
    """The bots that play, and where they compete."""

    bots: Annotated[list[ActiveBot], Meta(description="Those with most wins first, at most 100.")]
    boards: Annotated[list[BoardSlug], Meta(description="The boards of bots on which today's deals count.")]

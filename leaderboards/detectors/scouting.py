"""A scout's pattern: a linked account draws through the stock and gives up, and then the deal is won at first sight.

Households look like this too, so it only says where to look, with how often others do the same beside it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from games.rules import Goal, Kind, Outcome, RuleSet
from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.thresholds import THRESHOLDS

INNOCENT = (
    "People of one household, school or company play the same deal from one address, and some give up.",
    "A device that several people use.",
    "Many draw through the stock and give up: compare with the others on the deal.",
)
LEFT = (Outcome.RESIGNED.value, Outcome.EXPIRED.value)


@dataclass(frozen=True, slots=True)
class Crowd:
    """The ended attempts at a deal: all, those that drew through the stock and left, those that won."""

    games: int = 0
    left: int = 0
    won: int = 0


NOBODY = Crowd()


@dataclass(frozen=True, slots=True)
class Scouting:
    """A won game whose deal a linked account had drawn through and left; `link` is 0 (weak) to 1 (strong)."""

    game: str
    linked_account: str
    linked_game: str
    minutes_before: int
    link: float
    crowd: Crowd


def drew_through_and_left(rules: RuleSet, result: str, draws: int, cards_left: int) -> bool:
    """Return True for an attempt that saw nearly all of the stock, removed little, and was given up or expired."""
    fewest_draws, fewest_left = least_of_a_look(rules)
    return result in LEFT and rules.has_stock and draws >= fewest_draws and cards_left >= fewest_left


def least_of_a_look(rules: RuleSet) -> tuple[int, int]:
    """Return the fewest draws and the fewest cards left of an attempt that looked through the stock and left."""
    goal = rules.deck_size if rules.goal is Goal.ALL else rules.tableau_size
    return (
        ceil(THRESHOLDS.seen_of_stock * rules.stock_size / rules.draw),
        ceil(THRESHOLDS.left_of_goal * goal),
    )


def crowd_of(rules: RuleSet, attempts: Mapping[tuple[str, int, int], int]) -> Crowd:
    """Return the crowd of attempts, whose numbers are given by their result, draws and cards left."""
    left = sum(number for attempt, number in attempts.items() if drew_through_and_left(rules, *attempt))
    won = sum(number for (result, _, _), number in attempts.items() if result == Outcome.WON.value)
    return Crowd(sum(attempts.values()), left, won)


def summary_of(game: RankedGame) -> tuple[str, int, int]:
    """Return the result, draws and cards left of a game."""
    result = game.play.result
    return (result.value if result else "", game.play.count(Kind.DRAW), game.play.position.cards_left)


def scouting(game: RankedGame, linked: Iterable[tuple[RankedGame, float]], crowd: Crowd) -> Scouting | None:
    """Return the firmest link of a won game to an attempt at its deal that had looked through the stock and left."""
    if not game.play.position.is_won:
        return None
    looks = (
        Scouting(game.id, other.account, other.id, (game.started_ms - other.ended_ms) // 60_000, link, crowd)
        for other, link in linked
        if other.deal == game.deal and other.account != game.account and other.ended_ms <= game.started_ms
        if drew_through_and_left(game.rules, *summary_of(other))
    )
    return max(looks, key=lambda look: look.link, default=None)


def finding(scoutings: Sequence[Scouting]) -> Finding | None:
    """Return a finding: where to look for one deal or two, worth watching from `scouted_deals` on."""
    if not scoutings:
        return None
    last = scoutings[-1]
    crowd = last.crowd
    is_pattern = len(scoutings) >= THRESHOLDS.scouted_deals
    return Finding(
        detector="scouting",
        strength=Strength.WATCH if is_pattern else Strength.PRIORITY,
        score=len(scoutings),
        threshold=THRESHOLDS.scouted_deals,
        explanation=(
            f"{len(scoutings)} of the games won came after a linked account had drawn through the stock of the deal "
            f"and given up; the last, {last.game}, {last.minutes_before} minutes after {last.linked_game} of "
            f"{last.linked_account}. Of all {crowd.games} attempts at that deal {crowd.left} drew through and gave up, "
            f"and {crowd.won} won. It is not evidence by itself."
        ),
        numbers={
            "deals": len(scoutings),
            "link": last.link,
            "others who left": max(0, crowd.left - 1),
            "others who won": max(0, crowd.won - 1),
            "attempts": crowd.games,
        },
        innocent=INNOCENT,
        games=tuple(look.game for look in scoutings),
    )

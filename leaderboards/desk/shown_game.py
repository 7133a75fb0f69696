"""A step of a case's game with its picture and charts, as the template draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.rules import Card
from leaderboards.desk import words
from leaderboards.desk.charts import Scale, band, dots, line, percent, stairs, ticks
from leaderboards.desk.picture import Lying, Point, lying, places_of, rings
from leaderboards.desk.replay import Replay, move_of, move_text, wasted
from leaderboards.detectors.thresholds import THRESHOLDS

TIMES = Scale(100, 60_000, 130, is_log=True)
TIME_LINES = ((60_000, "60 s"), (10_000, "10 s"), (1_000, "1 s"), (100, "0.1 s"))
STAKE_HEIGHT, DISTANCE_HEIGHT = 64, 110


@dataclass(frozen=True, slots=True)
class Mark:
    """A step to look at first."""

    letter: str
    step: int
    at: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class UnseenCard:
    """A card of the stock; `is_next` for the one that is drawn next."""

    name: str
    is_red: bool
    is_next: bool


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A possible move, and the actions it wastes."""

    name: str
    seen: str
    truth: str
    is_played: bool


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step in the table behind the charts."""

    number: int
    action: str
    took: str
    others: str
    seen: float | None
    truth: float | None
    bet: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class ShownGame:
    """The contents of the section: `at` counts from 1."""

    at: int
    steps: int
    title: str
    took: str
    letter: str
    places: Any
    view: str
    cards: tuple[Lying, ...]
    rings: tuple[tuple[Point, bool], ...]
    stock: int
    waste: int
    removed: int
    moves: tuple[ShownMove, ...]
    seen: int
    unseen: tuple[UnseenCard, ...]
    marks: tuple[Mark, ...]
    next_mark: int | None
    cursor: str
    charts: dict[str, Any]
    rows: tuple[StepRow, ...]
    said: str
    data: dict[str, Any]


def at_of(text: str | None, replay: Replay) -> int:
    """Return the requested step, from 1; by default the first mark, or else the first step."""
    steps = len(replay.steps)
    if text and text.isdecimal() and len(text) < 6:
        return max(1, min(int(text), steps))
    return next(iter(replay.marks), 0) + 1


def shown_game(replay: Replay, at: int) -> ShownGame:
    """Return a game as it stood before a step."""
    step, number = replay.steps[at - 1], at - 1
    position, deal = step.before, replay.ranked.play.start
    places = places_of(deal.rules)
    deck = [Card.from_text(text) for text in replay.data["deck"]]
    later = [place for place in replay.marks if place > number]
    data = {**replay.data, "places": places.data}
    gone = deal.rules.deck_size - sum(card.is_shown for card in lying(position, deck))
    return ShownGame(
        at=at,
        steps=len(replay.steps),
        title=replay.title(number),
        took=replay.took(number),
        letter=replay.marks.get(number, ""),
        places=places,
        view=f"0 0 {places.width} {places.height}",
        cards=tuple(lying(position, deck)),
        rings=tuple(rings(position, move_of(step))),
        stock=len(position.stock),
        waste=sum(map(len, position.wastes)),
        removed=gone,
        moves=_moves(replay, number),
        seen=replay.seen[number],
        unseen=_unseen(replay, number),
        marks=_marks(replay, number),
        next_mark=(later or list(replay.marks))[0] + 1 if replay.marks else None,
        cursor=percent(number, len(replay.steps)),
        charts=_charts(replay),
        rows=tuple(_rows(replay, number)),
        said=replay.says(number),
        data=data,
    )


def _moves(replay: Replay, number: int) -> tuple[ShownMove, ...]:
    moves = replay.weighings[number].moves if replay.weighings else ()
    return tuple(ShownMove(move_text(one.move), wasted(one.seen), wasted(one.truth), one.is_played) for one in moves)


def _unseen(replay: Replay, number: int) -> tuple[UnseenCard, ...]:
    left = enumerate(replay.stock[replay.seen[number] :])
    return tuple(UnseenCard(words.card(card), words.is_red(card), place == 0) for place, card in left)


def _marks(replay: Replay, number: int) -> tuple[Mark, ...]:
    steps = len(replay.steps)
    return tuple(Mark(letter, step + 1, percent(step, steps), step == number) for step, letter in replay.marks.items())


def _charts(replay: Replay) -> dict[str, Any]:
    steps = len(replay.steps)
    charts: dict[str, Any] = {
        "width": 10 * steps,
        "ticks": [(tick, percent(tick - 1, steps)) for tick in ticks(steps)],
        "times": {
            "band": band(replay.band.low, replay.band.high, TIMES),
            "middle": line(replay.band.middle, TIMES),
            "dots": dots(((step, gap) for step, gap in enumerate(replay.gaps) if step not in replay.marks), TIMES),
            "marked": dots(((step, replay.gaps[step]) for step in replay.marks), TIMES),
            "lines": [(TIMES.y(value), text) for value, text in TIME_LINES],
            "others": replay.others,
        },
    }
    if replay.weighings:
        charts["distance"] = _distance_chart([(own.truth, own.seen) for own in replay.weighings])
    if replay.stake:
        charts["stake"] = _stake_chart(replay.stake)
    charts["has_bet"] = replay.ranked.rules.slug in THRESHOLDS.foresight_rules
    return charts


def _distance_chart(pairs: Sequence[tuple[float | None, float | None]]) -> dict[str, Any]:
    truth, seen = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    highest = max((value for value in (*truth, *seen) if value is not None), default=10)
    high = 10 * (int(highest / 10) + 1)
    scale = Scale(0, high, DISTANCE_HEIGHT)
    return {
        "gold": band(truth, seen, scale),
        "truth": line(truth, scale),
        "seen": line(seen, scale),
        "lines": [(scale.y(value), f"{value:g}") for value in (high, high / 2, 0)],
    }


def _stake_chart(stake: Sequence[float]) -> dict[str, Any]:
    high, low = max(2.0, *stake), min(0.5, *stake)
    scale = Scale(low, high, STAKE_HEIGHT, is_log=True)
    marks = [value for value in (1000, 100, 10, 4, 2, 1, 0.1) if low <= value <= high]
    return {
        "line": stairs(stake, scale),
        "lines": [(scale.y(value), f"{words.TIMES} {value:g}") for value in dict.fromkeys((marks[0], 1))],
        "last": words.times(stake[-1]),
    }


def _rows(replay: Replay, current: int) -> list[StepRow]:
    return [
        StepRow(
            number=number + 1,
            action=words.action(step.action),
            took=f"{replay.gaps[number] / 1000:.1f}",
            others=_others(replay, number),
            seen=_round(replay.weighings[number].seen) if replay.weighings else None,
            truth=_round(replay.weighings[number].truth) if replay.weighings else None,
            bet=words.times(replay.bets[number]) if number in replay.bets else "",
            is_current=number == current,
        )
        for number, step in enumerate(replay.steps)
    ]


def _others(replay: Replay, number: int) -> str:
    low, high = replay.band.low[number], replay.band.high[number]
    if low is None or high is None:
        return ""
    return _("%(low)s to %(high)s") % {"low": f"{low / 1000:.1f}", "high": f"{high / 1000:.1f}"}


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 1)

"""A step of a case's game with its picture and charts, as the template draws them."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.rules import Card, Move
from leaderboards.desk import words
from leaderboards.desk.charts import Scale, band, dots, line, percent, stairs, ticks
from leaderboards.desk.picture import lying, places_of, rings
from leaderboards.desk.replay import Replay
from leaderboards.detectors.thresholds import THRESHOLDS

TIMES = Scale(100, 60_000, 130, is_log=True)
TIME_LINES = ((60_000, "60 s"), (10_000, "10 s"), (1_000, "1 s"), (100, "0.1 s"))
STAKE_HEIGHT, DISTANCE_HEIGHT = 64, 110


def at_of(text: str | None, replay: Replay) -> int:
    """Return the requested step, from 1; by default the first mark, or else the first step."""
    steps = len(replay.steps)
    if text and text.isdecimal() and len(text) < 6:
        return max(1, min(int(text), steps))
    return next(iter(replay.marks), 0) + 1


def shown_game(replay: Replay, at: int) -> dict[str, Any]:
    """Return a game as it stood before a step, counted from 1, for the template."""
    number, steps, data = at - 1, len(replay.steps), replay.data
    step = replay.steps[number]
    position = step.before
    places, cards = places_of(position.rules), lying(position, map(Card.from_text, data["deck"]))
    later = [place for place in replay.marks if place > number]
    return {
        "at": at,
        "steps": steps,
        "title": replay.title(number),
        "took": replay.took(number),
        "letter": replay.marks.get(number, ""),
        "places": places,
        "view": f"0 0 {places.width} {places.height}",
        "cards": cards,
        "rings": rings(position, step.action if isinstance(step.action, Move) else None),
        "stock": len(position.stock),
        "waste": sum(map(len, position.wastes)),
        "removed": position.rules.deck_size - sum(card.is_shown for card in cards),
        "moves": replay.moves(number),
        "seen": replay.seen[number],
        "unseen": [
            {"name": words.card(card), "is_red": words.is_red(card), "is_next": place == 0}
            for place, card in enumerate(replay.stock[replay.seen[number] :])
        ],
        "marks": [{"letter": letter, "at": percent(place, steps)} for place, letter in replay.marks.items()],
        "next_mark": (later or list(replay.marks))[0] + 1 if replay.marks else None,
        "cursor": percent(number, steps),
        "charts": _charts(replay),
        "rows": [_row(replay, place, is_current=place == number) for place in range(steps)],
        "data": {**data, "places": places.data},
    }


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


def _row(replay: Replay, number: int, *, is_current: bool) -> dict[str, Any]:
    """Return a step for the table behind the charts."""
    weighed = replay.weighings[number] if replay.weighings else None
    low, high = replay.band.low[number], replay.band.high[number]
    others = {} if low is None or high is None else {"low": f"{low / 1000:.1f}", "high": f"{high / 1000:.1f}"}
    return {
        "number": number + 1,
        "action": words.action(replay.steps[number].action),
        "took": f"{replay.gaps[number] / 1000:.1f}",
        "others": _("%(low)s to %(high)s") % others if others else "",
        "seen": _round(weighed.seen) if weighed else None,
        "truth": _round(weighed.truth) if weighed else None,
        "bet": words.times(replay.bets[number]) if number in replay.bets else "",
        "is_current": is_current,
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 1) + 0.0  # never -0.0

"""A case's game, step by step: what was done, the alternatives, the times of others, and what bets paid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import mean
from typing import Any

from django.utils.translation import gettext as _

from games.play.models import Game, logs_of
from games.rules import Action, Card, Kind
from leaderboards.desk import words
from leaderboards.desk.charts import Cohort, cohort
from leaderboards.detectors.games import JudgedStep, RankedGame
from leaderboards.detectors.weighed import WeighedMove, WeighedStep
from leaderboards.moderation.evidence_models import Examination
from leaderboards.moderation.playing import ranked_game

MOST_OTHERS = 100  # games of the day that think times are compared with
MOST_MARKS = 3
LEAST_EXCESS = 1.0  # how many moves better a choice was than it could seem
LEAST_PAID = 1.2
LETTERS = "abcdefgh"


@dataclass(frozen=True)
class Replay:
    """A finished game with everything that the desk shows of it."""

    game: Game
    ranked: RankedGame
    band: Cohort
    others: int
    bets: dict[int, float]  # by step, counted from 0: what the bet on the card that it turned paid
    stake: list[float]  # after each step: the mean over the sizes of bets; empty without bets
    weighings: tuple[WeighedStep, ...]

    @property
    def steps(self) -> tuple[JudgedStep, ...]:
        return self.ranked.steps

    @cached_property
    def gaps(self) -> list[int]:
        """The player's time for each step, in milliseconds."""
        starts = [0, *(step.at_ms for step in self.steps)]
        return [max(1, step.at_ms - before) for step, before in zip(self.steps, starts, strict=False)]

    @cached_property
    def stock(self) -> tuple[Card, ...]:
        """The stock of the deal in its true order."""
        return self.ranked.play.start.stock

    @cached_property
    def seen(self) -> list[int]:
        """The number of stock cards seen before each step."""
        seen, counts, stock = 0, [], frozenset(self.stock)
        for step in self.steps:
            counts.append(seen)
            seen += sum(card in stock for card in step.turned)
        return counts

    @cached_property
    def marks(self) -> dict[int, str]:
        """The steps to look at first, by letter: the largest differences, or else the bets that paid most."""
        by_excess = {place: own for place in range(len(self.weighings)) if (own := self._excess(place)) > LEAST_EXCESS}
        telling = by_excess or {step: paid for step, paid in self.bets.items() if paid > LEAST_PAID}
        best = sorted(sorted(telling, key=lambda step: telling[step], reverse=True)[:MOST_MARKS])
        return dict(zip(best, LETTERS, strict=False))

    def moves(self, step: int) -> list[tuple[str, str, str, bool]]:
        """Return the moves that were possible, with what each wastes as seen and in truth, and if it was played."""
        weighed = self.weighings[step].moves if self.weighings else ()
        return [
            (words.action(Action.from_text(one.move)), _wasted(one.seen), _wasted(one.truth), one.is_played)
            for one in weighed
        ]

    def played(self, step: int) -> WeighedMove | None:
        """Return the weighed move that was made; None for an undo, or if the game has not been weighed yet."""
        moves = self.weighings[step].moves if self.weighings else ()
        return next((one for one in moves if one.is_played), None)

    def _excess(self, step: int) -> float:
        own = self.played(step)
        return own.seen - own.truth if own and own.seen is not None and own.truth is not None else 0.0

    def title(self, step: int) -> str:
        """Return an action with the removals passed over for it: `Draw, and left 3♠ 10♥`."""
        own = self.steps[step]
        left = [move for move in own.before.legal_moves if move.kind is Kind.REMOVE]
        action = words.action(own.action)
        if own.action.kind is not Kind.DRAW or not left:
            return action
        pairs = [" ".join(map(words.card, move.cards)) for move in left]
        return _("%(action)s, and left %(cards)s") % {"action": action, "cards": _some_of(pairs)}

    def took(self, step: int) -> str:
        """Return the think time of a step beside that of others."""
        own = words.seconds(self.gaps[step])
        low, high = (edge[step] if step < len(edge) else None for edge in (self.band.low, self.band.high))
        if low is None or high is None:
            return _("After %(time)s.") % {"time": own}
        text = _("After %(time)s; 80%% of the others took %(low)s to %(high)s here.")
        return text % {"time": own, "low": words.seconds(low), "high": words.seconds(high)}

    def says(self, step: int) -> str:
        """Return one sentence for listeners, such as screen readers."""
        played = self.played(step)
        wasted = ""
        if played and played.seen is not None and played.truth is not None:
            amounts = {"seen": f"{played.seen:z.1f}", "truth": f"{played.truth:z.0f}"}
            wasted = " " + _("Wastes %(seen)s as seen, %(truth)s in truth.") % amounts
        action = words.action(self.steps[step].action)
        facts = {"at": step + 1, "all": len(self.steps), "action": action, "time": words.seconds(self.gaps[step])}
        return _("%(at)d of %(all)d. %(action)s after %(time)s.") % facts + wasted

    @property
    def data(self) -> dict[str, Any]:
        """The data with which the script steps through the game."""
        deal = self.ranked.play.start
        deck = [*deal.layout.cards, *(card for layer in zip(*deal.reserve, strict=True) for card in layer), *deal.stock]
        return {
            "rules": deal.rules.fields,
            "deck": [card.text for card in deck],
            "actions": [step.action.text for step in self.steps],
            "steps": [
                {
                    "title": self.title(number),
                    "took": self.took(number),
                    "says": self.says(number),
                    "seen": self.seen[number],
                    "rows": self.moves(number),
                }
                for number in range(len(self.steps))
            ],
            "stock": [[words.card(card), words.is_red(card)] for card in self.stock],
            "marks": sorted(self.marks),
        }


def replay_of(game: Game, examination: Examination | None, weighings: Sequence[WeighedStep]) -> Replay:
    """Return a game as the desk shows it. Raises `RulesError` for a record that does not replay."""
    ranked = ranked_game(game, game.deal.par)
    gaps, factors = other_gaps(game), _factors_by_step(ranked, examination)
    bets = {step: mean(own) for step, own in (factors or {}).items()}
    stake = [] if factors is None else _stake_by_step(factors, len(ranked.steps))
    return Replay(game, ranked, cohort(gaps, len(ranked.steps)), len(gaps), bets, stake, tuple(weighings))


def other_gaps(game: Game) -> list[list[float]]:
    """Return the gaps between actions in the newest games of others on the same deal, in milliseconds."""
    others = Game.objects.filter(daily=game.daily_id, attempt=1).exclude(pk=game.pk).exclude(player__is_bot=True)
    newest = others.exclude(status=Game.Status.PLAYING).order_by("-pk").values_list("pk", flat=True)[:MOST_OTHERS]
    gaps = []
    for log in logs_of(list(newest)).values():
        times = [0, *(row.at_ms for row in log if row.action != "H")]
        gaps.append([max(1.0, now - before) for before, now in pairwise(times)])
    return [own for own in gaps if own]


def _factors_by_step(ranked: RankedGame, examination: Examination | None) -> dict[int, list[float]] | None:
    """Return what each size of bet paid, by the step that revealed the card; None without bets."""
    bets = (examination.evidence or {}).get("bets") if examination else None
    if bets is None:
        return None
    stock = frozenset(ranked.play.start.stock)
    drawn = [place for place, step in enumerate(ranked.steps) for card in step.turned if card in stock]
    return {drawn[bet["card"] - 1]: bet["factors"] for bet in bets if bet["card"] <= len(drawn)}


def _stake_by_step(factors: Mapping[int, Sequence[float]], steps: int) -> list[float]:
    stakes, now = [], [1.0] * len(next(iter(factors.values()), (1.0,)))
    for step in range(steps):
        if step in factors:
            now = [own * paid for own, paid in zip(now, factors[step], strict=True)]
        stakes.append(mean(now))
    return stakes


def _some_of(pairs: Sequence[str]) -> str:
    """Return the first two of some pairs of cards, and how many more there are."""
    shown = _(" or ").join(pairs[:2])
    return _("%(cards)s and %(count)d more") % {"cards": shown, "count": len(pairs) - 2} if len(pairs) > 2 else shown


def _wasted(value: float | None) -> str:
    """Return the actions that a move wastes, in words; None stands for losing the win."""
    return _("the win") if value is None else f"{value:z.1f}".removesuffix(".0")

"""A deal seen from a linked account before it was played for the table: it tells reviewers where to look, no more."""

from collections.abc import Iterable
from dataclasses import dataclass

from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.thresholds import THRESHOLDS

INNOCENT = (
    "People of one household, school or company play the same deal from one address.",
    "A device that several people use.",
)


@dataclass(frozen=True, slots=True)
class Preview:
    """The part of a game's stock that a linked account had seen before the game; `link` is 0 (weak) to 1 (strong)."""

    game: str
    linked_account: str
    linked_game: str
    cards: int
    link: float

    @property
    def score(self) -> float:
        return self.cards * self.link


def preview(game: RankedGame, linked: Iterable[tuple[RankedGame, float]]) -> Preview | None:
    """Return the widest look that a linked account, given with the strength of its link, had at a game's deal."""
    looks = (
        Preview(game.id, other.account, other.id, _seen_before(other, game.started_ms), link)
        for other, link in linked
        if other.deal == game.deal and other.account != game.account
    )
    return max((look for look in looks if look.cards), key=lambda look: look.score, default=None)


def _seen_before(game: RankedGame, when_ms: int) -> int:
    """Return how many stock cards had been turned up by a time."""
    return sum(len(step.turned) for step in game.steps if game.started_ms + step.at_ms <= when_ms)


def finding(previews: tuple[Preview, ...]) -> Finding | None:
    telling = [look for look in previews if look.score >= THRESHOLDS.preview_cards]
    if not telling:
        return None
    widest = max(telling, key=lambda look: look.score)
    return Finding(
        detector="preview",
        strength=Strength.PRIORITY,
        score=widest.score,
        threshold=THRESHOLDS.preview_cards,
        explanation=(
            f"A linked account had seen the deals of {len(telling)} of the games before; most of {widest.game}: "
            f"{widest.cards} cards of its stock, in game {widest.linked_game} of {widest.linked_account}. "
            "It is not evidence; it only says where to look first."
        ),
        numbers={"games": len(telling), "cards": widest.cards, "link": widest.link},
        innocent=INNOCENT,
        games=tuple(look.game for look in telling),
    )

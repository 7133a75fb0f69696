"""The speed of the rules: steps of play and whole random games, on one core."""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import process_time

from games.rules import CARDS, RULE_SETS, Deck, Position, RuleSet
from tests.bench.table import Row

GAMES = 300
MOST_MOVES = 100


def rows() -> Iterator[Row]:
    steps, seconds = play(RULE_SETS["standard"], 5 * GAMES)
    yield Row("rules: after + legal_moves, standard", steps / seconds, "steps/s")
    for rules in RULE_SETS.values():
        _, seconds = play(rules, GAMES)
        yield Row(f"rules: a random game of at most {MOST_MOVES} moves, {rules.slug}", seconds / GAMES * 1e3, "ms")


def play(rules: RuleSet, games: int) -> tuple[int, float]:
    """Play random games from the same decks every time; return the steps taken and the seconds they took."""
    rng, steps, seconds = random.Random(2026), 0, 0.0
    for _ in range(games):
        start = Position.deal(Deck(tuple(rng.sample(CARDS[: rules.deck_size], rules.deck_size))), rules)
        choices = [rng.random() for _ in range(MOST_MOVES)]
        begun = process_time()
        steps += random_game(start, choices)
        seconds += process_time() - begun
    return steps, seconds


def random_game(position: Position, choices: list[float]) -> int:
    """Play until no move is left or the choices run out, and return how many moves were made."""
    for made, choice in enumerate(choices):
        legal = position.legal_moves
        if not legal:
            return made
        position = position.after(legal[int(choice * len(legal))])
    return len(choices)

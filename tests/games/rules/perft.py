"""Reads the .perft files: positions and how many lines of play of each length start there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from games.rules import RULE_SETS, Deck, Move, Position, RuleSet
from tests.games.rules.naive import Naive

FOLDER = Path(__file__).parents[2] / "data" / "perft"


@dataclass
class Case:
    """One block of a file. The position is given by its text (`pos`), by a deck and a line of play, or by both."""

    source: str
    fields: dict[str, str] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.source}-{self.fields.get('id', self.fields['rules'])}"

    @property
    def rules(self) -> RuleSet:
        return RULE_SETS[self.fields["rules"]]

    @property
    def moves(self) -> list[Move]:
        return [Move.from_text(word, decks=self.rules.decks) for word in self.fields["line"].split()]

    @property
    def position(self) -> Position:
        if "pos" in self.fields:
            return Position.from_text(self.fields["pos"], self.rules)
        return self.played

    @property
    def played(self) -> Position:
        position = Position.deal(Deck.from_text(self.fields["deck"]), self.rules)
        for move in self.moves:
            position = position.after(move)
        return position

    @property
    def naive(self) -> Naive:
        game = Naive([card.text for card in Deck.from_text(self.fields["deck"]).cards], self.rules)
        for move in self.moves:
            game = game.after(move.text)
        return game


def read_block(source: str, text: str) -> Case:
    case = Case(source)
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key == "perft":
            length, count = value.split()
            case.counts[int(length)] = int(count)
        elif key and not key.startswith("#"):
            case.fields[key] = value.strip()
    return case


def read_cases(path: Path) -> list[Case]:
    blocks = path.read_text(encoding="ascii").split("\n\n")
    return [case for block in blocks if (case := read_block(path.stem, block)).fields]


CASES = [case for path in sorted(FOLDER.glob("*.perft")) for case in read_cases(path)]

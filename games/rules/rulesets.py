"""A rule set is data: the fields, what follows from them, and the 28 named ones."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from itertools import permutations

from games.rules.cards import CARDS, DECK_SIZE, UNSEEN, Card
from games.rules.errors import InvalidRuleSet, UnknownRuleSet
from games.rules.moves import Move, pair_move, solo_move
from games.rules.tableau import Peak

KING, QUEEN, JACK = 13, 12, 11


class Match(Enum):
    """The ranks that may be removed together or alone."""

    THIRTEEN = "thirteen"
    DOZEN = "dozen"
    ELEVEN = "eleven"
    ADJACENT = "adjacent"

    def accepts(self, rank: int, other: int) -> bool:
        """Return True if cards of these two ranks may be removed together."""
        match self:
            case Match.THIRTEEN:
                return rank + other == 13
            case Match.DOZEN:
                return rank + other == 12 or {rank, other} == {QUEEN, KING}
            case Match.ELEVEN:
                return rank + other == 11 or rank == other >= JACK
            case Match.ADJACENT:
                return abs(rank - other) <= 1

    def accepts_alone(self, rank: int) -> bool:
        """Return True if a card of this rank may be removed alone."""
        return self is Match.THIRTEEN and rank == KING

    @cached_property
    def solos(self) -> dict[Card, Move]:
        """The removals of one card, by card."""
        return {card: solo_move(card) for card in CARDS if self.accepts_alone(card.rank)}

    @cached_property
    def pairs(self) -> dict[Card, dict[Card, Move]]:
        """The removals of two cards, by either card."""
        moves: dict[Card, dict[Card, Move]] = {card: {} for card in (*CARDS, UNSEEN)}
        for card, other in permutations(CARDS, 2):
            if self.accepts(card.rank, other.rank):
                moves[card][other] = pair_move(card, other)
        return moves

    @lru_cache(maxsize=1024)
    def leaving_with(self, ranks: frozenset[int]) -> frozenset[Card]:
        """Return every card that leaves alone, or with some card of these ranks."""
        return frozenset(self.solos).union(*(self._partners[rank] for rank in ranks))

    @cached_property
    def _partners(self) -> list[frozenset[Card]]:
        """The cards that leave together with one of a rank, by rank: that of the unseen card first."""
        ranks = range(UNSEEN.rank, KING + 1)
        return [frozenset(card for card in CARDS if self.accepts(card.rank, rank)) for rank in ranks]


class Goal(Enum):
    """The cards that have to leave play for a win."""

    TABLEAU = "tableau"
    ALL = "all"


@dataclass(frozen=True)
class RuleSet:
    """The fields by which the variants differ. Equal fields make equal rule sets, whatever their name.

    `reserve` is (piles, depth); `passes` None means unlimited. Raises `InvalidRuleSet` naming the field.
    """

    slug: str = field(default="", compare=False)
    title: str = field(default="", compare=False)
    tableau: tuple[Peak, ...] = (Peak(),)
    decks: int = 1
    match: Match = Match.THIRTEEN
    overlap: bool = False
    reserve: tuple[int, int] = (0, 0)
    cells: int = 0
    draw: int = 1
    wastes: int = 1
    stock_open: bool = False
    stock_seen: bool = False
    passes: int | None = 1
    goal: Goal = Goal.TABLEAU
    face_down: bool = False

    def __post_init__(self) -> None:
        for wrong, name, reason in self._contradictions():
            if wrong:
                raise InvalidRuleSet(name, reason)

    def _contradictions(self) -> Iterator[tuple[bool, str, str]]:
        yield not self.tableau, "tableau", "at least one peak"
        yield any(peak.rows < 1 for peak in self.tableau), "tableau", "a peak has at least one row"
        yield self.decks not in (1, 2), "decks", "1 or 2"
        reserve_is_whole = min(self.reserve) > 0 or self.reserve == (0, 0)
        yield not reserve_is_whole, "reserve", "both piles and depth, or neither"
        yield self.cells < 0, "cells", "0 or more"
        yield self.draw < 1, "draw", "at least 1 card per draw"
        yield self.passes is not None and self.passes < 1, "passes", "at least 1, or None for unlimited"
        dealt = self.tableau_size + self.reserve_size
        yield self.stock_size < 0, "tableau", f"tableau and reserve take {dealt} cards of {self.deck_size}"
        yield self.stock_open and self.draw != 1, "stock_open", "an open stock needs draw 1"
        thrown = self.wastes == 0
        yield thrown and not (self.stock_open and self.passes == 1), "wastes", "no waste needs an open stock and 1 pass"
        yield not 0 <= self.wastes <= max(1, self.draw), "wastes", "0 to the number of cards per draw"
        yield self.overlap and self.face_down, "overlap", "covered pairs need covered cards that are face up"
        for name in ("draw", "wastes", "stock_open", "stock_seen", "passes"):
            changed = getattr(self, name) != getattr(RuleSet, name)
            yield changed and not self.has_stock, name, "keeps its default where there is no stock"

    @property
    def deck_size(self) -> int:
        return DECK_SIZE * self.decks

    @property
    def cards_to_remove(self) -> int:
        """The number of cards that the goal requires to remove."""
        return self.tableau_size if self.goal is Goal.TABLEAU else self.deck_size

    @property
    def tableau_size(self) -> int:
        return sum(peak.size for peak in self.tableau)

    @property
    def reserve_size(self) -> int:
        piles, depth = self.reserve
        return piles * depth

    @property
    def stock_size(self) -> int:
        return self.deck_size - self.tableau_size - self.reserve_size

    @property
    def has_stock(self) -> bool:
        return self.stock_size > 0

    @property
    def recycles(self) -> int | None:
        """The number of times the waste may be recycled; None for no limit."""
        return None if self.passes is None else self.passes - 1

    @property
    def fields(self) -> dict[str, object]:
        """The fields that make the rules, as plain JSON values."""
        values = {name: value for name, value in asdict(self).items() if name not in ("slug", "title")}
        tableau = [asdict(peak) for peak in self.tableau]
        lists = {"tableau": tableau, "reserve": list(self.reserve)}
        return values | lists | {"match": self.match.value, "goal": self.goal.value}

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the fields, 16 hexadecimal digits, equal for equal rules."""
        canonical = json.dumps(self.fields, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()[:16]


class NamedRuleSets(Mapping[str, RuleSet]):
    """The rule sets by slug; titles and aliases work too, in any letter case and spacing."""

    def __init__(self, rule_sets: tuple[RuleSet, ...], aliases: Mapping[str, str]) -> None:
        self._by_slug = {rules.slug: rules for rules in rule_sets}
        self._aliases = aliases
        names = {_slug(name): rules.slug for rules in rule_sets for name in (rules.slug, rules.title)}
        self._slug_of = names | dict(aliases)

    def __getitem__(self, name: str) -> RuleSet:
        slug = self._slug_of.get(_slug(name))
        if slug is None:
            raise UnknownRuleSet(f"no rule set is called {name!r}; the rule sets are {', '.join(self._by_slug)}")
        return self._by_slug[slug]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _slug(name) in self._slug_of

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_slug)

    def __len__(self) -> int:
        return len(self._by_slug)

    def aliases(self, slug: str) -> list[str]:
        return sorted(alias for alias, name in self._aliases.items() if name == slug)


def _slug(name: str) -> str:
    return "-".join(name.lower().replace("'", "").split())


def _(text: str) -> str:
    """Mark a text for translation where it is shown, and return it unchanged."""
    return text


_TIP_DOWN = Peak(7, inverted=True)

RULE_SETS = NamedRuleSets(
    (
        RuleSet("standard", _("Standard"), passes=None),
        RuleSet("covered-pairs", _("Covered Pairs"), overlap=True, passes=None),
        RuleSet("face-up-stock", _("Face-up Stock"), stock_seen=True, passes=None),
        RuleSet("single-pass", _("Single Pass")),
        RuleSet("three-piles", _("Three Piles"), draw=3, wastes=3),
        RuleSet("no-waste", _("No Waste"), wastes=0, stock_open=True),
        RuleSet("classic", _("Classic"), stock_open=True, goal=Goal.ALL),
        RuleSet("classic-overlap", _("Classic with Covered Pairs"), overlap=True, stock_open=True, goal=Goal.ALL),
        RuleSet("dark-pyramid", _("Dark Pyramid"), stock_open=True),
        RuleSet("dark-pyramid-redeal", _("Dark Pyramid with Redeal"), stock_open=True, passes=2),
        RuleSet("open-pyramid", _("Open Pyramid"), stock_open=True, stock_seen=True),
        RuleSet("relaxed", _("Relaxed"), stock_open=True, passes=3),
        RuleSet("par-pyramid", _("Par Pyramid"), stock_open=True, passes=3, goal=Goal.ALL),
        RuleSet("king-tut", _("King Tut"), draw=3, passes=None),
        RuleSet("tuts-tomb", _("Tut's Tomb"), overlap=True, draw=3, passes=None),
        RuleSet("apophis", _("Apophis"), draw=3, wastes=3, passes=3, goal=Goal.ALL),
        RuleSet("giza", _("Giza"), reserve=(8, 3), goal=Goal.ALL),
        RuleSet("triangle", _("Triangle"), tableau=(_TIP_DOWN,), stock_open=True, passes=3, goal=Goal.ALL),
        RuleSet("seven-reserve", _("Seven Reserve"), reserve=(7, 1), stock_open=True),
        RuleSet("cell", _("Cell"), cells=1, stock_open=True),
        RuleSet("pyramid-thirteen", _("Pyramid Thirteen"), stock_open=True, goal=Goal.ALL, face_down=True),
        RuleSet("cheops", _("Cheops"), match=Match.ADJACENT, stock_open=True, goal=Goal.ALL),
        RuleSet(
            "eleven-triangle",
            _("Eleven Triangle"),
            tableau=(_TIP_DOWN,),
            match=Match.ELEVEN,
            draw=3,
            wastes=3,
            goal=Goal.ALL,
        ),
        RuleSet("pyramid-dozen", _("Pyramid Dozen"), match=Match.DOZEN, reserve=(6, 4), goal=Goal.ALL),
        RuleSet("pharaohs", _("Pharaohs"), tableau=(Peak(2), Peak(7), Peak(6)), goal=Goal.ALL),
        RuleSet(
            "two-pyramids",
            _("Two Pyramids"),
            tableau=(Peak(), Peak()),
            decks=2,
            stock_open=True,
            passes=3,
            goal=Goal.ALL,
        ),
        RuleSet(
            "double-pyramid", _("Double Pyramid"), tableau=(Peak(9),), decks=2, stock_open=True, passes=3, goal=Goal.ALL
        ),
        RuleSet(
            "up-and-down",
            _("Up and Down"),
            tableau=(Peak(), _TIP_DOWN),
            decks=2,
            stock_open=True,
            passes=3,
            goal=Goal.ALL,
        ),
    ),
    aliases={
        "msc": "relaxed",
        "microsoft-solitaire-collection": "relaxed",
        "pysolfc-pyramid": "par-pyramid",
        "pyramid": "par-pyramid",
    },
)

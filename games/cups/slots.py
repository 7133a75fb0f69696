"""The slots of the programme of cups, as settings name them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import time

from games.deals.certify import is_certifiable
from games.rules import RULE_SETS


@dataclass(frozen=True)
class Slot:
    """A cup of every day: its time of day in UTC, its rule set, and whether it is for bots."""

    at: time
    rules: str = "standard"
    for_bots: bool = False
    qualify_s: int = 900
    limit_s: int = 600


def slots_from(texts: Iterable[str]) -> list[Slot]:
    """Return the slots of texts such as `12:00`, `18:30=giza` or `20:00=standard=bots`. Raises ValueError."""
    slots = [_slot(*text.split("=")) for text in texts]
    if len(set(slots)) < len(slots):
        raise ValueError("a slot is named twice")
    return slots


def _slot(at: str, rules: str = "standard", who: str = "people", *more: str) -> Slot:
    if more or who not in {"people", "bots"} or len(at) != len("20:00"):
        raise ValueError(f"{at}={rules}={who}")
    if rules not in RULE_SETS or not is_certifiable(RULE_SETS[rules]):
        raise ValueError(rules)
    return Slot(time.fromisoformat(at), RULE_SETS[rules].slug, who == "bots")

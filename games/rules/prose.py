"""Describe a rule set in words for its players, from its fields alone."""

from collections.abc import Iterator
from typing import Protocol

from games.rules.rulesets import Goal, Match, RuleSet
from games.rules.tableau import Peak


class Translation(Protocol):
    """The two functions of a translation that this module needs; Python's and Django's have them."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int, /) -> str: ...


class English:
    """The translation into the language of this module."""

    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return singular if number == 1 else plural


ENGLISH = English()


def describe(rules: RuleSet, words: Translation = ENGLISH) -> str:
    """Return a short text of a rule set: equal for equal fields, different for different ones."""
    return " ".join(paragraphs(rules, words))


def paragraphs(rules: RuleSet, words: Translation = ENGLISH) -> list[str]:
    """Return the same text in parts: the deal, the removals, the stock and the cells if there are any, the goal."""
    parts = (_deal, _removals, _stock, _cells, _goal)
    return [text for part in parts if (text := " ".join(part(rules, words)))]


def _deal(rules: RuleSet, words: Translation) -> Iterator[str]:
    _ = words.gettext
    yield _("One deck is dealt.") if rules.decks == 1 else _("Two decks are dealt.")
    peaks = _join([_peak(peak, words) for peak in rules.tableau], words)
    if rules.face_down:
        yield _("The tableau is %(peaks)s; covered cards lie face down until nothing covers them.") % {"peaks": peaks}
    else:
        yield _("The tableau is %(peaks)s, all face up.") % {"peaks": peaks}
    if rules.reserve_size:
        piles, depth = rules.reserve
        sizes = {
            "piles": words.ngettext("%(count)d pile", "%(count)d piles", piles) % {"count": piles},
            "cards": words.ngettext("%(count)d card", "%(count)d cards", depth) % {"count": depth},
        }
        yield _("Beside it lies a reserve of %(piles)s of %(cards)s, face up.") % sizes
    yield _dealt_stock(rules, words)


def _peak(peak: Peak, words: Translation) -> str:
    if peak.inverted:
        text = words.ngettext(
            "an upside-down pyramid of %(count)d row", "an upside-down pyramid of %(count)d rows", peak.rows
        )
    else:
        text = words.ngettext("a pyramid of %(count)d row", "a pyramid of %(count)d rows", peak.rows)
    return text % {"count": peak.rows}


def _dealt_stock(rules: RuleSet, words: Translation) -> str:
    size = rules.stock_size
    if not rules.has_stock:
        return words.gettext("There is no stock.")
    cards = words.ngettext("%(count)d card", "%(count)d cards", size) % {"count": size}
    if rules.stock_seen:
        text = words.gettext("The rest is a stock of %(cards)s, all face up.")
    elif rules.stock_open:
        text = words.gettext("The rest is a stock of %(cards)s, only the next one face up.")
    else:
        text = words.gettext("The rest is a stock of %(cards)s, face down.")
    return text % {"cards": cards}


def _removals(rules: RuleSet, words: Translation) -> Iterator[str]:
    _ = words.gettext
    yield {
        Match.THIRTEEN: _(
            "Remove two exposed cards whose ranks add up to 13 (ace 1, jack 11, queen 12), or an exposed king alone."
        ),
        Match.DOZEN: _(
            "Remove two exposed cards whose ranks add up to 12 (ace 1, jack 11), or a queen with a king. "
            "No card leaves alone."
        ),
        Match.ELEVEN: _(
            "Remove two exposed cards whose ranks add up to 11 (ace 1), or two jacks, two queens or two kings. "
            "No card leaves alone."
        ),
        Match.ADJACENT: _(
            "Remove two exposed cards of equal or neighbouring rank; ace and king are not neighbours. "
            "No card leaves alone."
        ),
    }[rules.match]
    exposed = _join(list(_exposed(rules, words)), words)
    yield _("The exposed cards are %(cards)s.") % {"cards": exposed}
    if rules.overlap:
        yield _("A tableau card may also be removed together with the only card that still covers it.")


def _exposed(rules: RuleSet, words: Translation) -> Iterator[str]:
    _ = words.gettext
    yield _("the tableau cards that no other card covers")
    if rules.has_stock and rules.wastes:
        text = words.ngettext("the top of the waste", "the tops of the %(count)d waste piles", rules.wastes)
        yield text % {"count": rules.wastes}
    if rules.stock_open:
        yield _("the next card of the stock")
    if rules.reserve_size:
        yield words.ngettext("the top of the reserve", "the tops of the reserve piles", rules.reserve[0])
    if rules.cells:
        yield _("parked cards")


def _stock(rules: RuleSet, words: Translation) -> Iterator[str]:
    if not rules.has_stock:
        return
    counts = {"count": rules.draw, "wastes": rules.wastes}
    if rules.wastes == 0:
        yield words.gettext("A draw puts the next card of the stock out of play.")
    elif rules.wastes == 1:
        text = words.ngettext(
            "A draw moves the next card of the stock to the waste.",
            "A draw moves the next %(count)d cards of the stock to the waste.",
            rules.draw,
        )
        yield text % counts
    else:
        text = words.gettext("A draw moves the next %(count)d cards of the stock to %(wastes)d waste piles in turn.")
        yield text % counts
    yield from _passes(rules, words)


def _passes(rules: RuleSet, words: Translation) -> Iterator[str]:
    _ = words.gettext
    if rules.passes == 1:
        yield _("You go through the stock once.")
        return
    if rules.passes is None:
        yield _("You go through the stock as often as you like.")
    else:
        yield _("You go through the stock up to %(count)d times.") % {"count": rules.passes}
    if rules.wastes == 1:
        yield _("When it is empty, the waste becomes the stock again, never shuffled.")
    else:
        yield _("When it is empty, the waste piles, the last one first, become the stock again, never shuffled.")


def _cells(rules: RuleSet, words: Translation) -> Iterator[str]:
    if not rules.cells:
        return
    text = words.ngettext(
        "There is %(count)d cell for one card.", "There are %(count)d cells for one card each.", rules.cells
    )
    yield text % {"count": rules.cells}
    if rules.has_stock and rules.wastes:
        yield words.gettext(
            "You may park an exposed tableau card or the top of a waste pile in a free cell. "
            "It leaves the cell only by being removed."
        )
    else:
        yield words.gettext(
            "You may park an exposed tableau card in a free cell. It leaves the cell only by being removed."
        )


def _goal(rules: RuleSet, words: Translation) -> Iterator[str]:
    if rules.goal is Goal.TABLEAU:
        yield words.gettext("You win when every card of the tableau has left play.")
    else:
        yield words.gettext("You win when all %(count)d cards have left play.") % {"count": rules.deck_size}


def _join(parts: list[str], words: Translation) -> str:
    """Join parts of a sentence: a, b and c."""
    *first, last = parts
    if not first:
        return last
    return words.gettext("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last}

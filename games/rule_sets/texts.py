"""Texts about rule sets beyond their rules: worked examples, strategy and history."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Goal, Match, RuleSet


@dataclass(frozen=True, slots=True)
class Example:
    """Cards, written as in `4s9s`, with the move they allow and the reason."""

    cards: tuple[str, ...]
    text: str


def examples_of(rules: RuleSet) -> list[Example]:
    """Return a few worked examples of removals."""
    return [*_pair_examples(rules.match), *_other_examples(rules)]


def _pair_examples(match: Match) -> list[Example]:
    match match:
        case Match.THIRTEEN:
            return [
                Example(("Qs", "Ad"), _("A queen counts 12 and an ace 1: together 13, so both leave.")),
                Example(("9c", "4h"), _("Nine and four make 13. Suits and colours never matter.")),
                Example(("Kd",), _("A king counts 13 and leaves alone.")),
            ]
        case Match.DOZEN:
            return [
                Example(("Js", "Ad"), _("A jack counts 11 and an ace 1: together 12.")),
                Example(("6c", "6h"), _("Two sixes make 12.")),
                Example(("Qd", "Ks"), _("A queen leaves with a king. Nothing leaves alone.")),
            ]
        case Match.ELEVEN:
            return [
                Example(("Ts", "Ad"), _("Ten and ace make 11.")),
                Example(
                    ("Jc", "Jh"), _("Picture cards leave in pairs of equal rank: two jacks, two queens or two kings.")
                ),
            ]
    return [
        Example(("7s", "7d"), _("Two cards of equal rank leave together.")),
        Example(("7c", "8h"), _("So do neighbours. Ace and king are not neighbours.")),
    ]


def _other_examples(rules: RuleSet) -> list[Example]:
    examples = []
    if rules.overlap:
        examples.append(
            Example(("8h", "5c"), _("Covered pair: the eight lies under the five alone, so they may leave together."))
        )
    if rules.stock_open:
        examples.append(Example(("3s",), _("The next card of the stock lies open and may leave before it is drawn.")))
    if rules.cells:
        examples.append(
            Example(
                ("Tc",), _("A card in the way can be parked in the cell. It leaves the cell only by being removed.")
            )
        )
    return examples


def tips_for(rules: RuleSet) -> list[str]:
    """Return strategy tips that follow from the fields of a rule set."""
    tips = [_("Look for cards whose every partner lies beneath them: such a deal cannot be won, however you play.")]
    if rules.passes is None:
        tips.append(
            _("The stock comes round as often as you like: look through it once before you choose between two pairs.")
        )
    elif rules.passes == 1 and rules.has_stock:
        tips.append(_("You see each stock card once. Before you draw over a card, ask what it could still take away."))
    if rules.draw > 1:
        tips.append(
            _("Removing one card of the waste changes which cards come up in the next pass. Use it on purpose.")
        )
    if rules.goal is Goal.ALL:
        tips.append(_("Every card has to go, so pairs inside the stock count too."))
    else:
        tips.append(_("Only the pyramid counts. Prefer pairs inside it: each saves a card of the stock for later."))
    if rules.match is Match.THIRTEEN:
        tips.append(
            _("Take kings when they free something, and at the latest before they block a draw. They cost a move each.")
        )
    if rules.reserve_size:
        tips.append(_("The reserve is known from the start. Plan which of its cards you need, and dig for them early."))
    if rules.cells:
        tips.append(_("An occupied cell helps nobody. Park only what you know how to remove."))
    return tips


def history_of(rules: RuleSet) -> str:
    """Return the history of a rule set, in our words."""
    if rules.match is not Match.THIRTEEN:
        return _("A relative of Pyramid with another sum, known from collections such as PySolFC.")
    if rules.overlap:
        return _("A kind old variation: a card may leave with the one that covers it. Many more deals can be won.")
    if rules.slug in {"giza", "triangle", "apophis", "king-tut"}:
        return _("One of the many cousins of Pyramid that patience books and card programs have grown.")
    return _(
        "Books of patience agree on the pyramid and disagree about the stock: some go through it once, some "
        "three times, some without end. This is one of those answers, written down exactly."
    )


def in_short(rules: RuleSet) -> str:
    """Return two sentences about what sets a rule set apart, the most striking first."""
    return " ".join([text for applies, text in (*_table(rules), *_stock(rules)) if applies][:2])


def _table(rules: RuleSet) -> Iterator[tuple[bool, str]]:
    """Yield what may be said of the tableau and of the pairs, and whether it is true."""
    peaks, piles = len(rules.tableau), rules.reserve[0]
    yield rules.decks > 1, _("Two decks.")
    yield rules.match is Match.DOZEN, _("Pairs of 12.")
    yield rules.match is Match.ELEVEN, _("Pairs of 11.")
    yield rules.match is Match.ADJACENT, _("Equals and neighbours leave together.")
    yield rules.tableau[0].inverted, _("The pyramid stands on its tip.")
    yield peaks > 1, ngettext("%(count)d peak.", "%(count)d peaks.", peaks) % {"count": peaks}
    yield (
        piles > 0,
        ngettext("%(count)d open pile below the pyramid.", "%(count)d open piles below the pyramid.", piles)
        % {"count": piles},
    )
    yield rules.overlap, _("A card may leave with the one that covers it.")
    yield rules.face_down, _("Covered cards lie face down.")
    yield rules.cells > 0, _("One card can be parked.")


def _stock(rules: RuleSet) -> Iterator[tuple[bool, str]]:
    passes = rules.passes or 0
    yield not rules.has_stock, _("No stock.")
    yield rules.stock_seen, _("The whole stock is known.")
    yield rules.draw > 1, _("Three cards at a time.")
    yield not rules.wastes, _("No waste pile.")
    yield rules.goal is Goal.ALL, _("Every card has to go.")
    yield not passes, _("The stock goes round without end.")
    yield (
        rules.has_stock,
        ngettext("The stock goes round once.", "The stock goes round %(count)d times.", passes) % {"count": passes},
    )
    yield rules.stock_open, _("The next stock card lies open.")

"""Emblems of clubs: one suit in the middle, another above, and a colour; nothing is uploaded."""

from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

SUITS = {"s": _("Spades"), "h": _("Hearts"), "d": _("Diamonds"), "c": _("Clubs")}
COLOURS = {"blue": _("Blue"), "red": _("Red"), "green": _("Green"), "violet": _("Violet")}
SHADES = {
    "blue": ("#1d4a94", "#143468"),
    "red": ("#8c2a1e", "#661b12"),
    "green": ("#1f6b3a", "#154a28"),
    "violet": ("#5b3a8c", "#412766"),
}
PATTERN = rf"^[{''.join(SUITS)}]{{2}}-({'|'.join(COLOURS)})$"


class Emblem(NamedTuple):
    """The parts of an emblem, as the template draws it."""

    middle: str
    above: str
    light: str
    dark: str


def read_emblem(text: str) -> Emblem:
    """Read an emblem that fits the pattern."""
    return Emblem(text[0], text[1], *SHADES[text[3:]])

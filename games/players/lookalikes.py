"""Names that others see: what may be one, and which ones look alike (Unicode Technical Standard 39)."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from string import ascii_uppercase
from typing import NamedTuple

from confusable_homoglyphs import confusables
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

LONGEST_NAME = 40
MOST_MARKS = 2  # on one letter; Vietnamese and Thai need two
LONGEST_SKELETON = 120
# Letters and symbols, by their category, that are invisible.
BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f\u180b\u180c\u180d\u180e\u180f")
VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f]")
# Digits and signs that are read as letters.
READ_AS = str.maketrans("345780@$!\xa1", "eastboasii")
# Letters that are several times as wide as others; of most scripts beyond the basic plane every letter is.
LIGATURE = "\ufdfd"  # a whole sentence
VERY_WIDE = frozenset("\u2e3a\u2e3b\u102a\ua9c4\ua9c5\ua9fa\u0bf5\u0bf8\u0bcc\u0ddc\u1031")
# Scripts and letters up to twice as wide as a W: Canadian syllabics, Ogham, Khmer, Roman thousands, per mille.
WIDE = ((0x1400, 0x169F), (0x1780, 0x17FF), (0x18B0, 0x18FF), (0x2030, 0x2031), (0x2180, 0x2188))
CELLS_OF_LIGATURE, CELLS_OF_VERY_WIDE, CELLS_OF_WIDE, BASIC_PLANE = 16, 4, 2, 0xFFFF
DRAWN = (
    "LATIN LETTER SMALL CAPITAL",
    "NEGATIVE CIRCLED LATIN CAPITAL LETTER",
    "NEGATIVE SQUARED LATIN CAPITAL LETTER",
    "REGIONAL INDICATOR SYMBOL LETTER",
)
NOT_DRAWN = ("LATIN LETTER SMALL CAPITAL X",)
# Lists tell players of one name apart by handles in brackets, and give such handles to accounts that are gone.
HANDLES = re.compile(r"@ *[a-z0-9-]{3,32}\W*|.*\([ @]*[a-z0-9-]{3,32} *\)\W*|(?:ciosed|deieted)-[a-z0-9-]+")
# Words that name someone who speaks for the server, as part of a name; and whole names that nobody may have.
ROLES = (
    *("admin", "administration", "administrator", "administratoren", "administratorin", "administrators", "admins"),
    *("mod", "moderation", "moderator", "moderatoren", "moderatorin", "moderatorinnen", "moderators", "mods"),
    *("official", "officials", "referee", "referees", "reviewer", "reviewers", "schiedsrichter", "schiedsrichterin"),
    *("staff", "superuser", "superusers", "sysadmin", "sysadmins", "sysop", "turnierleiter", "turnierleiterin"),
    *("staffs", "turnierleitung", "spielleitung", "webmaster"),
    *("devs", "entwicklerteam", "gamemaster", "gamemasters", "kampfrichter", "kampfrichterin", "spielleiter"),
    *("spielleiterin", "schiedsgericht", "stewards", "umpire", "umpires"),
)
WHOLE = (
    *("deleted account", "deleted user", "geloeschter spieler", "gelöschter spieler", "geschlossenes konto"),
    *("support team", "player support", "customer support", "support desk", "system message", "system messages"),
    *("systemnachricht", "system notice", "server message", "server team", "the server", "game master"),
    *("anonymous", "everyone", "nobody", "pyramid", "root", "server", "support", "system"),
    *("abuse", "anticheat", "arbiter", "developer", "developers", "fair play", "help desk", "judge"),
    *("jury", "kundendienst", "operator", "operators", "owner", "owners", "security", "security team", "server owner"),
    *("betreiber", "betreiberin", "hostmaster", "postmaster", "verwalter", "verwaltung", "site owner"),
    *("closed account", "deleted player", "announcement", "authority", "customer service", "dev", "gm", "gms"),
    *("inspector", "management", "manager", "police", "service", "steward", "supervisor", "team", "warning"),
    *("aufsicht", "chef", "chefin", "entwickler", "entwicklerin", "entwicklung", "hinweis", "inhaber", "inhaberin"),
    *("kontrolleur", "kontrolleurin", "kundenservice", "leitung", "polizei", "prüfer", "prüferin", "prüferinnen"),
    *("pruefer", "prueferin", "prueferinnen", "prüfung", "pruefung", "sicherheit", "vorstand", "warnung"),
)
# Words that change nothing about what the others of a name say; articles stand before those: a modder is none.
ARTICLES = ("das", "der", "die", "of", "our", "the", "unser", "von")
FILLERS = (*ARTICLES, "bot", "game", "pyramid", "server", "site", "solitaire", "spiel", "team")


def normal(name: str) -> str:
    """Return a name in the one form in which it is kept: NFKC, single spaces, no variation selectors."""
    return " ".join(VARIATION_SELECTORS.sub("", unicodedata.normalize("NFKC", name)).split())


def mistake_in(name: str) -> str | None:
    """Return the mistake in a name that others would see, in words, or None."""
    name = normal(name)
    if sum(map(_cells, name)) > LONGEST_NAME:
        return gettext("A name has at most %(count)d characters; wide ones count twice or more.") % {
            "count": LONGEST_NAME
        }
    if mistake := mistake_in_text(name):
        return mistake
    if BLANK & set(name) or not any(unicodedata.category(char)[0] in "LNPS" for char in name):
        return gettext("A name has to be visible.")
    return None


def mistake_in_text(text: str) -> str | None:
    """Return the mistake in a text that others would see, in words, or None."""
    text = normal(text)
    if not text.isprintable():
        return gettext("Use printable characters only.")
    return gettext("Too many marks on one letter.") if _has_stacked_marks(text) else None


def skeleton(text: str) -> str:
    """Return the form that similar-looking texts share: no marks, no case, each letter as its simplest double."""
    for _ in range(2):  # some letters have a double only as capitals, others only as small ones
        plain = text if text.isascii() else _without_marks(text)
        text = plain.translate(_doubles()).casefold()
    return text.replace("rn", "m").replace("vv", "w").replace("l", "i")[:LONGEST_SKELETON]


def _without_marks(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def name_key(name: str) -> str:
    """Return a key that two names share if a person may mistake one for the other."""
    return "".join(char for char in skeleton(name) if char.isalnum()) or skeleton(name)


def looks_like_handle(name: str) -> bool:
    """Return True if a name could be taken for a handle, or for one with the handle of a player beside it."""
    return HANDLES.fullmatch(skeleton("".join(map(_plain_bracket, normal(name))))) is not None


def _plain_bracket(char: str) -> str:
    kind = unicodedata.category(char)
    return "(" if kind == "Ps" or char == "<" else ")" if kind == "Pe" or char == ">" else char


def speaks_for_server(name: str) -> bool:
    """Return True if a name, or a handle, could be taken for that of the server or its staff."""
    return any(map(_speaks_for_server, {name, name.translate(READ_AS), " ".join(_without_digits(name))}))


def _speaks_for_server(name: str) -> bool:
    known = _vocabulary()
    words = [word for word in re.split(r"[\W_]+", skeleton(name)) if word]
    others = [word for word in words if word not in known.fillers]
    if not others:
        return any(word in known.whole for word in words)
    if any(word in known.roles for word in words) or "".join(others) in known.speaking:
        return True
    joined = "".join(words)
    if not _is_made_of(joined, known.all) or _is_made_of(joined, known.mere_fillers):
        return False
    return not words[-1].endswith(known.articles)


class _Vocabulary(NamedTuple):
    """The keys of the words that make a name speak for the server, or not."""

    whole: frozenset[str]
    roles: frozenset[str]
    speaking: frozenset[str]
    fillers: frozenset[str]
    mere_fillers: frozenset[str]
    all: frozenset[str]
    articles: tuple[str, ...]


@cache
def _vocabulary() -> _Vocabulary:
    whole, roles, fillers = _keys(WHOLE), _keys(ROLES), _keys(FILLERS)
    speaking = whole | roles
    return _Vocabulary(whole, roles, speaking, fillers, fillers - whole, speaking | fillers, tuple(_keys(ARTICLES)))


def _is_made_of(text: str, words: frozenset[str]) -> bool:
    """Return True if a text is nothing but words of a set, one after the other."""
    ends = {0}
    for end in range(1, len(text) + 1):
        if any(text[begin:end] in words for begin in ends):
            ends.add(end)
    return len(text) in ends


def _without_digits(name: str) -> list[str]:
    """Return the words of a name without digits before and after them: `admin1`."""
    return [word.strip("0123456789") for word in re.split(r"[\W_]+", name)]


def _cells(char: str) -> int:
    """Return the width of a character, in that of an ordinary letter."""
    if char == LIGATURE:
        return CELLS_OF_LIGATURE
    kind = unicodedata.category(char)[0]
    if unicodedata.east_asian_width(char) in "WF" or (kind == "S" and not char.isascii()):
        return CELLS_OF_WIDE
    if char in VERY_WIDE or (kind in "LN" and ord(char) > BASIC_PLANE):
        return CELLS_OF_VERY_WIDE
    return CELLS_OF_WIDE if any(first <= ord(char) <= last for first, last in WIDE) else 1


def _has_stacked_marks(name: str) -> bool:
    marks = 0
    for char in unicodedata.normalize("NFC", name):
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        if marks > MOST_MARKS:
            return True
    return False


def _keys(words: Iterable[str]) -> frozenset[str]:
    return frozenset(name_key(word) for word in words)


@cache
def _doubles() -> dict[int, str]:
    """Return for each letter that looks like others the one that represents all of them, if possible an ASCII one."""
    table = {}
    for char, likes in confusables.confusables_data.items():
        if len(char) == 1:
            doubles = [like["c"] for like in likes if len(like["c"]) == 1]
            ascii_ones = [double for double in doubles if double.isascii()]
            if not char.isascii() and (ascii_ones or len(doubles) == 1):
                table[ord(char)] = min(ascii_ones or doubles)
    return table | _drawn_letters() | {ord("1"): "l", ord("|"): "l", ord("0"): "o", ord("I"): "i"}


def _drawn_letters() -> dict[int, str]:
    """Return the letters that Unicode draws smaller, in boxes, or as parts of flags, and takes for no doubles."""
    named = [(f"{kind} {letter}", letter) for kind in DRAWN for letter in ascii_uppercase]
    return {ord(unicodedata.lookup(name)): letter.lower() for name, letter in named if name not in NOT_DRAWN}


def require_good_text(text: str) -> None:
    """Refuse a text that would turn round others on a page, or cover them."""
    if mistake := mistake_in_text(text):
        raise ValidationError(mistake)


def require_good_name(text: str) -> None:
    """Refuse a name that others could not read, or that would overflow its place on a page."""
    if mistake := mistake_in(text):
        raise ValidationError(mistake)

"""Find phrases that a native writer would not use, with what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# Words may be on different lines: of a paragraph, of a comment, or of strings that Python joins.
_GAP = r"""(?:[\s#"'*]|//)+"""


class Mistake(NamedTuple):
    """A phrase at a place, and the advice for it."""

    place: str
    phrase: str
    advice: str

    def __str__(self) -> str:
        return f"{self.place}: {self.phrase!r}: {self.advice}"


# A phrase is a regular expression whose spaces stand for any gap between words.
PHRASES = {
    r"tells? whether": "say 'return True if ...'",
    r"the own": "say whose: 'the player's ...', 'your ...'",
    r"shall": "say 'must', 'will' or 'is to'",
    r"once more": "say 'again'",
    r"for ever": "say 'forever' or 'permanently'",
    r"(?:is|are|was|were|be|been) told": "say who gets, sees or receives what",
    r"(?:that|which) (?:is|are) none": "say 'invalid'",
    r"may be told": "say 'is public'",
    r"carr(?:y|ied|ies|ying) out again": "say 'replay'",
    r"no secret any more": "say 'no longer secret'",
    r"suits of its own": "say 'its own permutation of suits'",
    r"at the start are told": "say 'are reported at startup'",
    r"no code at all": "say 'if there is no close code'",
    r"kept for the server": "say 'reserved'",
    r"that many use": "say 'common'",
    r"like the names": "say 'resembles ...'",
    r"also where": "say 'even on ...' or 'even where'",
    r"one that is not there": "say 'not listed' or 'missing'",
    r"a wrong one": "say 'an invalid ...'",
    r"makes no other answer": "say 'answers that differ only in ... share an ETag'",
    r"what waits": "say 'what is pending' or 'the waiting ...'",
    r"handed to": "say 'passed to'",
    r"goodbye": "say 'closes the connection'",
    r"unasked": "say 'unsolicited' or 'unprompted'",
    r"by lot": "say 'at random'",
    r"the line drops": "say 'the connection drops'",
    r"sign of life": "say 'whether the connection is alive'",
    r"speaks? against": "say 'forbids' or 'contradicts'",
    r"stands? twice": "say 'duplicate'",
    r"an own": "say 'its own ...' or 'a separate ...'",
    r"whoever": "name the subject: 'the player who ...', 'anyone who ...'",
    r"bec[ao]me of": "say 'the outcome of ...'",
    r"how far (?:everyone|everybody) is": "say 'everyone's progress'",
    r"well again": "say 'has recovered'",
    r"anew": "say 'again'",
    r"for good": "say 'permanently'",
    r"whom you want": "say 'the people you want ...'",
    r"with (?:its|their) like": "say 'in pairs of equal rank', or what they have in common",
    r"holds for what": "say 'applies to ...'",
    r"the open command": "say 'the command that was not answered'",
    r"as one may": "say 'as you may', or give the maximum",
}
# A predicate, as in "it is no card"; "there is no card" is fine.
_NO = re.compile(rf"(?:is|are|was|were){_GAP}no{_GAP}(?!longer|more\b)[a-z]+\b")
_THERE = re.compile(r"\bthere\W+$")
# Lower case and without a leading \b, so that the search can skip ahead to the first letter of a phrase.
_PHRASES = {re.compile(rf"{phrase.replace(' ', _GAP)}\b"): advice for phrase, advice in PHRASES.items()}
_QUESTION = re.compile(r'(?:"""|/\*\*\s+(?:\*\s+)?)(?:What|How|Whether|Who|Whose|Where|When|Why|Which)\b')
_STATEMENT = "begin a docstring with what it is or does: 'Return ...', 'The ...'"


def mistakes_in(path: Path, name: str) -> Iterator[Mistake]:
    """Yield the mistakes in a text file, in the order of the list of phrases."""
    text = path.read_text()
    lower = text.lower()
    for phrase, advice in _PHRASES.items():
        for found in phrase.finditer(lower):
            if found.start() == 0 or not lower[found.start() - 1].isalnum():
                yield _mistake(text, name, found, advice)
    for found in _NO.finditer(lower):
        before = lower[max(0, found.start() - 20) : found.start()]
        if not before[-1:].isalnum() and not _THERE.search(before):
            yield _mistake(text, name, found, "say 'is not a ...'")
    for found in _QUESTION.finditer(text):
        yield _mistake(text, name, found, _STATEMENT)


def _mistake(text: str, name: str, found: re.Match[str], advice: str) -> Mistake:
    line = text.count("\n", 0, found.start()) + 1
    return Mistake(f"{name}:{line}", text[found.start() : found.end()], advice)

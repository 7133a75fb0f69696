"""Other spellings of a text, all of which a reader has to take for the same."""

from __future__ import annotations

from hypothesis import strategies as st

WHITE_SPACE = st.sampled_from(["", "", "", " ", "\n", "\t ", "  \r\n"])


@st.composite
def respelled(draw: st.DrawFn, tokens: list[str], decks: int) -> str:
    """The tokens with white space around them, 10 for T, and letters of either case where that says nothing.

    In a two-deck game the case of a suit names the deck, so that it stays.
    """
    words = []
    for token in tokens:
        word = token.replace("T", "10") if draw(st.booleans()) else token
        keep = decks == 2 and token[-1:].isalpha() and len(token) == 2
        head, tail = (word[:-1], word[-1:]) if keep else (word, "")
        words += [draw(WHITE_SPACE), (head.swapcase() if draw(st.booleans()) else head) + tail]
    return "".join([*words, draw(WHITE_SPACE)])

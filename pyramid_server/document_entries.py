"""Addresses and messages as entries that open: a phone shows one in each line instead of a screen of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

# The columns of such a table: the address, who may ask it, what it does, and the codes of its errors.
COLUMNS = ["address", "for", "", "errors"]


def with_entries(tokens: Sequence[Token]) -> list[Token]:
    """Return parsed text in which each table of addresses is a list of entries with anchors."""
    return list(_replaced(tokens))


def with_entries_for(tag: str, tokens: Sequence[Token]) -> list[Token]:
    """Return parsed text in which what is under each heading of a kind, such as `h3`, is an entry with its anchor."""
    return list(_folded(tag, tokens))


def _folded(tag: str, tokens: Sequence[Token]) -> Iterator[Token]:
    closing: list[Token] = []
    link: list[Token] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            yield from closing
            closing, link = [], []
        if token.type == "heading_open" and token.tag == tag:
            anchor = str(token.attrGet("id"))
            yield from _opening(anchor)
            closing, link = [Token("entry_close", "details", -1, block=True)], list(_link(anchor))
            name, *remark = tokens[at + 1].children or []
            tokens[at + 1].children = [name, *(part for words in remark for part in _around("span", words))]
        elif token.tag == tag:
            yield Token("entry_title_close", "summary", -1)
        else:
            if token.type == "inline" and link and tokens[at - 1].type == "paragraph_open":
                token.children, link = [*(token.children or ()), *link], []
            yield token
    yield from closing


def _opening(anchor: str) -> Iterator[Token]:
    yield Token("entry_open", "details", 1, attrs={"class": "entry"}, block=True)
    yield Token("entry_title_open", "summary", 1, attrs={"id": anchor})


def _replaced(tokens: Sequence[Token]) -> Iterator[Token]:
    at = 0
    while at < len(tokens):
        end = at + 1
        if tokens[at].type == "table_open":
            end = next(place for place in range(at, len(tokens)) if tokens[place].type == "table_close") + 1
        cells = [token for token in tokens[at:end] if token.type == "inline"]
        if [cell.content for cell in cells[: len(COLUMNS)]] == COLUMNS:
            for first in range(len(COLUMNS), len(cells), len(COLUMNS)):
                yield from _entry(*cells[first : first + len(COLUMNS)])
        else:
            yield from tokens[at:end]
        at = end


def _entry(address: Token, readers: Token, text: Token, errors: Token) -> Iterator[Token]:
    anchor = re.sub(r"[^a-z0-9_]+", "-", address.content.lower()).strip("-")
    yield from _opening(anchor)
    yield address
    yield from _around("span", readers)
    yield Token("entry_title_close", "summary", -1)
    text.children = [*(text.children or []), *_link(anchor)]
    yield from _around("p", text)
    if errors.content:
        errors.children = [_text("Errors: "), *(errors.children or [])]
        yield from _around("p", errors)
    yield Token("entry_close", "details", -1, block=True)


def _around(tag: str, inside: Token) -> Iterator[Token]:
    yield Token("entry_part_open", tag, 1)
    yield inside
    yield Token("entry_part_close", tag, -1)


def _link(anchor: str) -> Iterator[Token]:
    """Yield the link to an entry, as headings have one."""
    attributes: dict[str, str | int | float] = {"class": "anchor", "href": f"#{anchor}"}
    yield Token("link_open", "a", 1, attrs=attributes | {"aria-label": "Link to this address"})
    yield _text("#")
    yield Token("link_close", "a", -1)


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)

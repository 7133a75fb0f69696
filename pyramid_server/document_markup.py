"""The Markdown of the documents as HTML: headings with anchors, coloured code, tables that scroll by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from django.utils.html import escape
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.anchors import anchors_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LEVELS_WITH_ANCHORS = {"h2", "h3", "h4"}
NAME = re.compile(r"`(\w+)`")
BREAKS = re.compile(r"(?<=\w[/_.,:=@-])(?=\w)")
_COLOURS = HtmlFormatter(nowrap=True)


@cache
def parser() -> MarkdownIt:
    """Return a parser of CommonMark with tables, which passes no HTML through."""
    made = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")
    return made.use(anchors_plugin, max_level=4)


def rendered(tokens: Sequence[Token]) -> str:
    """Return the HTML of a parsed text."""
    _name_cells(tokens)
    _name_rows(tokens)
    _mark_code_of_cells(tokens)
    html: str = parser().renderer.render(tokens, parser().options, {})
    return html


def text_of(tokens: Sequence[Token]) -> str:
    """Return the words of parsed text, without its marks."""
    spoken = {"text", "code_inline"}
    return "".join(
        " " if token.type == "softbreak" else token.content for token in tokens if token.type in spoken | {"softbreak"}
    )


def _name_cells(tokens: Sequence[Token]) -> None:
    """Give each cell of a table the heading of its column, which narrow screens show in front of it."""
    heads: list[str] = []
    column = 0
    for token, inside, closing in _threes(tokens):
        if token.type == "table_open":
            heads = []
        elif token.type == "tr_open":
            column = 0
        elif token.type == "th_open":
            heads.append(text_of(inside.children or ()))
            if not inside.content:
                token.tag = closing.tag = "td"  # screen readers would announce a heading without words
        elif token.type == "td_open":
            if column and heads[column] and inside.content:
                token.attrSet("data-head", heads[column])
            column += 1


def _name_rows(tokens: Sequence[Token]) -> None:
    """Give each row that begins with a name in code an anchor, so that a link can lead to an error or a setting."""
    taken = {str(token.attrGet("id")) for token in tokens if token.attrGet("id")}
    for row, cell, inside in _threes(tokens):
        name = NAME.fullmatch(inside.content) if (row.type, cell.type) == ("tr_open", "td_open") else None
        if name and name[1] not in taken:
            row.attrSet("id", name[1])
            taken.add(name[1])


def _mark_code_of_cells(tokens: Sequence[Token]) -> None:
    for opening, inside in pairwise(tokens):
        if opening.type == "td_open":
            for child in inside.children or ():
                child.meta["is_in_cell"] = True


def _threes(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token, Token]]:
    return zip(tokens, tokens[1:], tokens[2:], strict=False)


class Renderer(RendererHTML):
    """Code, tables and diagrams scroll sideways by themselves, by keyboard too, so that a page never does."""

    def heading_close(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        anchor = ""
        if tokens[at].tag in LEVELS_WITH_ANCHORS:
            target = tokens[at - 2].attrGet("id")
            anchor = f' <a class="anchor" href="#{target}" aria-label="Link to this section">#</a>'
        return f"{anchor}</{tokens[at].tag}>\n"

    def fence(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        return _scrolling(f"<pre><code>{_coloured(tokens[at].content, tokens[at].info.strip())}</code></pre>")

    def code_block(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        return _scrolling(super().code_block(tokens, at, options, env).rstrip())

    def code_inline(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        code = escape(tokens[at].content)
        # A name or address that is wider than its cell breaks where a reader would break it.
        return f"<code>{BREAKS.sub('<wbr>', code) if tokens[at].meta else code}</code>"

    def image(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        shown = super().image(tokens, at, options, env)
        if not str(tokens[at].attrGet("src")).endswith(".svg"):
            return shown
        return f'<span class="scroll" tabindex="0" role="group" aria-label="Diagram">{shown}</span>'

    def table_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        return '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n'

    def table_close(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"


def _coloured(code: str, language: str) -> str:
    """Return code as HTML, in colours if its language is a known one."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return escape(code)
    return str(highlight(code, lexer, _COLOURS))


def _scrolling(code: str) -> str:
    return f'<div class="listing"><div class="scroll" tabindex="0" role="group" aria-label="Code">{code}</div></div>\n'

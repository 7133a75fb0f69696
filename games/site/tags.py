"""Template tags of the pages: modules with their imports, the player's options, texts for scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation

from games.doors.options import chosen_options
from games.doors.pages import clock_text
from games.doors.release import release
from games.notifications.notifications import unread
from games.play.words import moves_text, percent_text, result_text, when_committed, word
from games.players.models import Player

register = template.Library()
_SCRIPTS = "scripts"
_LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
_IMPORT = re.compile(r'^(?:import|export) [^"]*?from "(\.[^"]+)";', re.MULTILINE | re.DOTALL)


@register.simple_tag(takes_context=True)
def module(context: Context, name: str) -> SafeString:
    """Load a script as a module, and preload everything it imports."""
    _loaded_by(context).append(name)
    preloads = format_html_join(
        "\n", '<link rel="modulepreload" href="{}">', ((static(imported),) for imported in imports_of(name))
    )
    return format_html('{}\n<script type="module" src="{}"></script>', preloads, static(name))


@cache
def imports_of(name: str) -> tuple[str, ...]:
    """Return the scripts that a script imports, directly or indirectly, in the order of first import."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        for imported in _direct_imports(waiting.pop(0)):
            if imported not in found and imported != name:
                found[imported] = None
                waiting.append(imported)
    return tuple(found)


def _direct_imports(name: str) -> Iterator[str]:
    for target in _IMPORT.findall(_source(name)):
        yield normpath(join(dirname(name), target))


def _source(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise ValueError(f"there is no script {name}")
    return Path(path).read_text(encoding="utf-8")


@register.simple_tag(takes_context=True)
def root_attributes(context: dict[str, Any]) -> SafeString:
    """Return the attributes of the root element: the display options, and the release of the files."""
    request: HttpRequest | None = context.get("request")
    chosen = chosen_options(request) if request is not None else ()
    motion = "off" if "still" in chosen else ""
    shown = (" ".join(chosen), motion, release())
    return format_html('data-options="{}" data-motion="{}" data-release="{}"', *shown)


@register.simple_tag
def unread_of(reader: Player) -> int:
    """Return how many notifications a reader has not read."""
    return unread(reader)


@register.filter
def listed(name: str, handle: str) -> SafeString:
    """Return a name as tables show it; a phone has no room for the handle that tells shared names apart."""
    own, shared, rest = name.rpartition(f" ({handle})")
    is_shared = bool(shared) and not rest
    return format_html(
        "<bdi>{}</bdi>{}",
        own if is_shared else name,
        format_html('<span class="word"> ({})</span>', handle) if is_shared else "",
    )


register.filter("word", word)
register.filter("moves_text", moves_text)
register.filter("percent", percent_text)
register.filter("result_text", result_text)
register.filter("clock", clock_text)
register.filter("when_committed", when_committed)


@register.simple_tag(takes_context=True)
def script_texts(context: Context) -> SafeString:
    """Return the texts of the modules loaded so far in the page's language; none in English, their own."""
    return _texts_of(tuple(_loaded_by(context)), get_language() or "en")


def _loaded_by(context: Any) -> list[str]:
    scripts: list[str] = context.render_context.setdefault(_SCRIPTS, [])
    return scripts


@cache
def _texts_of(scripts: tuple[str, ...], language: str) -> SafeString:
    if language == "en":
        return SafeString("")
    sources = [_source(name) for script in scripts for name in (script, *imports_of(script))]
    said = {text for source in sources for text in _LITERAL.findall(source)}
    texts: dict[str, Any] = {}
    for key, value in DjangoTranslation(language, domain="djangojs")._catalog.items():  # type: ignore[attr-defined]
        text, form = key if isinstance(key, tuple) else (key, None)
        if text in said:
            texts[text] = value if form is None else [*texts.get(text, []), value]
    return json_script(texts, "texts")

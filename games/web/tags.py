"""Template tags of the pages: modules with what they import, the player's options, texts for scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from posixpath import dirname, join, normpath
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation

from games.web.options import chosen_options
from games.web.release import release
from games.web.words import clock_text, moves_text, result_text, word

register = template.Library()
_IMPORT = re.compile(r'^(?:import|export) [^"]*?from "(\.[^"]+)";', re.MULTILINE | re.DOTALL)


@register.simple_tag
def module(name: str) -> SafeString:
    """Load a script as a module, and preload everything it imports."""
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
    path = finders.find(name)
    if path is None:
        raise ValueError(f"there is no script {name}")
    with open(path, encoding="utf-8") as script:  # noqa: PTH123  finders return plain paths
        for target in _IMPORT.findall(script.read()):
            yield normpath(join(dirname(name), target))


@register.simple_tag(takes_context=True)
def root_attributes(context: dict[str, Any]) -> SafeString:
    """Return the attributes of the root element: the display options, and the release of the files."""
    request: HttpRequest | None = context.get("request")
    chosen = chosen_options(request) if request is not None else ()
    motion = "off" if "still" in chosen else ""
    shown = (" ".join(chosen), motion, release())
    return format_html('data-options="{}" data-motion="{}" data-release="{}"', *shown)


register.filter("word", word)
register.filter("moves_text", moves_text)
register.filter("result_text", result_text)
register.filter("clock", clock_text)


@register.simple_tag
def script_texts() -> SafeString:
    """Return the scripts' texts in the page's language; none for English, in which they are written."""
    language = get_language() or "en"
    if language.startswith("en"):
        return SafeString("")
    catalogue = DjangoTranslation(language, domain="djangojs")._catalog  # type: ignore[attr-defined]
    texts: dict[str, Any] = {}
    for key, value in catalogue.items():
        if isinstance(key, tuple):
            texts.setdefault(key[0], []).append(value)
        elif key:
            texts[key] = value
    return json_script(texts, "texts")

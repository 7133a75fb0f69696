"""Template tags of the pages: modules with their imports, the player's options, texts for scripts."""

import re
from functools import cache
from typing import Any

from django import template
from django.http import HttpRequest
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation

from games.doors.options import THEMES, chosen_options
from games.doors.pages import clock_text
from games.doors.release import release
from games.doors.scripts import PAGES, are_bundled, imports_of, source_of
from games.identities.passkeys import host_of_passkeys
from games.notifications.notifications import unread
from games.play.words import moves_text, percent_text, result_text, when_committed, word
from games.players.models import Player

register = template.Library()
_SCRIPTS = "scripts"
_LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')


@register.simple_tag(takes_context=True)
def module(context: Context, name: str) -> SafeString:
    """Load a script as a module, with everything it imports: in one file, or else preloaded beside it."""
    _loaded_by(context).append(name)
    beside = () if are_bundled() and name.startswith(PAGES) else imports_of(name)
    preloads = format_html_join("\n", '<link rel="modulepreload" href="{}">', ((static(one),) for one in beside))
    return format_html('{}\n<script type="module" src="{}"></script>', preloads, static(name))


@register.simple_tag(takes_context=True)
def root_attributes(context: dict[str, Any]) -> SafeString:
    """Return the attributes of the root element: the display options, and the release of the files."""
    request: HttpRequest | None = context.get("request")
    chosen = chosen_options(request) if request is not None else ()
    motion = "off" if "still" in chosen else ""
    theme = next((theme for theme in THEMES if theme in chosen), "")
    shown = (" ".join(chosen), theme, motion, release())
    return format_html('data-options="{}" data-theme="{}" data-motion="{}" data-release="{}"', *shown)


@register.simple_tag
def unread_of(reader: Player) -> int:
    """Return how many notifications a reader has not read."""
    return unread(reader)


@register.simple_tag(takes_context=True, name="host_of_passkeys")
def passkeys_here(context: dict[str, Any]) -> str:
    """Return the name for which browsers keep passkeys at the address of the page, or nothing."""
    return host_of_passkeys(context["request"])


@register.filter
def listed(name: str, handle: str) -> SafeString:
    """Return a name as tables show it, isolated from the handle that tells shared names apart."""
    own = name.removesuffix(f" ({handle})")
    return format_html("<bdi>{}</bdi>{}", own, name[len(own) :])


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
    sources = [source_of(name) for script in scripts for name in (script, *imports_of(script))]
    said = {text for source in sources for text in _LITERAL.findall(source)}
    texts: dict[str, Any] = {}
    for key, value in DjangoTranslation(language, domain="djangojs")._catalog.items():  # type: ignore[attr-defined]
        text, form = key if isinstance(key, tuple) else (key, None)
        if text in said:
            texts[text] = value if form is None else [*texts.get(text, []), value]
    return json_script(texts, "texts-of-scripts")

"""The scripts of the pages: what each imports, and the one file in which it is sent with all of it."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

PAGES = "games/pages/"
# Every page loads it. What it imports is in its file alone, so that a page has one copy of it, with one state.
SHARED = f"{PAGES}site.js"

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$', re.MULTILINE)
_DECLARATION = r"(?:async )?(?:function|class|const) (\w+)"
_EXPORT = re.compile(rf"^export (?={_DECLARATION})", re.MULTILINE)
_UNKNOWN = re.compile(rf"^import\b.*|^export (?!{_DECLARATION}).*", re.MULTILINE)
_TYPE = re.compile(r"/\*\* @[^*\n]*\*/ ?")
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def are_bundled() -> bool:
    """Return True if pages load the files that `collectstatic` made, False if they load the sources."""
    return not settings.DEBUG and bool(getattr(staticfiles_storage, "hashed_files", None))


def source_of(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise ValueError(f"there is no script {name}")
    return Path(path).read_text(encoding="utf-8")


@cache
def imports_of(name: str) -> tuple[str, ...]:
    """Return the scripts that a script imports, directly or indirectly, each after those that it imports itself."""
    found: dict[str, None] = {}
    for imported in _direct_imports(name):
        found |= dict.fromkeys((*imports_of(imported), imported))
    return tuple(found)


def _direct_imports(name: str) -> Iterator[str]:
    for _, target in _IMPORT.findall(source_of(name)):
        yield _named_by(name, target)


def _named_by(name: str, target: str) -> str:
    return normpath(join(dirname(name), target))


def bundle_of(page: str) -> str:
    """Return the script of a page with all that it imports, in which each module is a function that is called once."""
    shared, imported = imports_of(SHARED), imports_of(page)
    if page == SHARED:
        return "".join(f"export {_called_once(one)}" for one in shared) + _body_of(page)
    modules = [one for one in imported if one not in shared]
    from_shared = [_variable(one) for one in imported if one in shared]
    first = f'import {{ {", ".join(from_shared)} }} from "./{SHARED.removeprefix(PAGES)}";\n' if from_shared else ""
    return first + "".join(map(_called_once, modules)) + f"{{\n{_body_of(page)}}}\n"


def _called_once(name: str) -> str:
    body = _body_of(name)
    returned = ", ".join(_EXPORT.findall(body))
    return f"const {_variable(name)} = (() => {{\n{_EXPORT.sub('', body)}return {{ {returned} }};\n}})();\n"


def _body_of(name: str) -> str:
    """Return a condensed script that takes what it imports from variables."""
    body = condensed(source_of(name))
    body = _IMPORT.sub(lambda found: _taken_from(_named_by(name, found[2]), found[1]), body)
    if unknown := _UNKNOWN.search(body):
        raise ValueError(f"{name}: only named imports and exported declarations can be bundled, not {unknown[0]}")
    return body


def _taken_from(module: str, names: str) -> str:
    return f"const {{{names.replace(' as ', ': ')}}} = {_variable(module)};" if names else ""


def _variable(name: str) -> str:
    """Return a name that no script uses itself."""
    return "$" + re.sub(r"\W", "_", name.removeprefix("games/").removesuffix(".js"))


def condensed(script: str) -> str:
    """Return a script without types, comments that have lines of their own, and indentation, half of its text."""
    return _INDENTATION.sub("", _TYPE.sub("", _COMMENT.sub("", script)))

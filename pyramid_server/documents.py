"""`/docs/`: the documents of the project as pages, and the pictures and examples that belong to them.

They are rendered from the Markdown that a repository's site shows.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from urllib.parse import unquote

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from markdown_it.token import Token

from games.doors.pages import reading_page
from games.players.readers import page
from pyramid_server import __version__
from pyramid_server.asyncapi_page import as_markdown
from pyramid_server.document_entries import with_entries, with_entries_for
from pyramid_server.document_markup import parser, rendered, text_of

FOLDER = Path(settings.PROJECT_DIR) / "docs"
CLIENTS = FOLDER.parent / "clients"
CONTENTS = FOLDER / "README.md"
SOCKETS = FOLDER / "asyncapi.json"
MEDIA_TYPES = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".py": "text/plain; charset=utf-8",
}


# The address in examples; readers get that of the server they are on, except where they learn to run another.
EXAMPLE = "http://127.0.0.1:8000"
OF_OPERATORS = {"Guides for operators", "Guides for reviewers and contributors", "Reference: operation"}

# To read all pages takes a second, and readers of a new server who all do it would hold up everyone else.
ONE_AT_A_TIME = Lock()

CHANGELOG = "changelog"
# The styles of a picture are inside it.
POLICY_OF_FILES = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


class Link(NamedTuple):
    """A page in the contents, or a heading of a page."""

    title: str
    address: str


class Chapter(NamedTuple):
    """The pages for one kind of reader."""

    title: str
    pages: tuple[Link, ...]


class Section(NamedTuple):
    """A part of a page that a search can find."""

    page: str
    title: str
    address: str
    text: str


class Document(NamedTuple):
    """A page: its HTML, its headings, and the pages around it."""

    title: str
    html: str
    headings: tuple[Link, ...]
    previous: Link | None
    following: Link | None


@reading_page
def show_document(request: HttpRequest, title: str = "") -> HttpResponse:
    try:
        shown = document(title)
    except KeyError as error:
        raise Http404(f"there is no document {title!r}") from error
    if (chapter := chapter_of(title)) not in OF_OPERATORS:
        shown = shown._replace(html=shown.html.replace(EXAMPLE, escape(f"{request.scheme}://{request.get_host()}")))
    context = {"document": shown, "chapter": chapter, "chapters": chapters(), "version": __version__}
    return page(request, "pyramid_server/document.html", context)


@require_safe
@gzip_page
@cache_control(public=True, max_age=300)
def send_index(request: HttpRequest) -> HttpResponse:
    """Send the sections of all documents, in which the script of the pages searches."""
    with ONE_AT_A_TIME:
        found = sections()
    return JsonResponse({"sections": [section._asdict() for section in found]})


@require_safe
@cache_control(public=True, max_age=300)
def send_file(request: HttpRequest, path: str) -> HttpResponse:
    """Send a picture or an example of a document, one of those that existed at startup."""
    try:
        source = files()[path]
    except KeyError as error:
        raise Http404(f"there is no file {path!r}") from error
    response = HttpResponse(source.read_bytes(), content_type=MEDIA_TYPES[source.suffix])
    response.headers["Content-Security-Policy"] = POLICY_OF_FILES
    return response


@cache
def sources() -> dict[str, Path]:
    """Return the source of each page by its slug; that of the contents is empty."""
    beside = [FOLDER.parent / "CONTRIBUTING.md", FOLDER.parent / "CHANGELOG.md"]
    pages = {path.stem.lower(): path for path in [*sorted(FOLDER.glob("*.md")), *beside, SOCKETS]}
    clients = {f"{language}-client": CLIENTS / language / "README.md" for language in ("python", "javascript")}
    return pages | {"": pages.pop("readme"), **clients}


@cache
def files() -> dict[str, Path]:
    """Return the files that pages show or link to, by their addresses below `/docs/`."""
    below = {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.rglob("*"))}
    below |= {f"python-client/{path.name}": path for path in sorted(CLIENTS.glob("python/examples/*.py"))}
    return {address: path for address, path in below.items() if path.suffix in MEDIA_TYPES}


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return the contents: the headings of docs/README.md, with the pages that are linked below each."""
    found: list[tuple[str, list[Link]]] = []
    tokens = parser().parse(CONTENTS.read_text(encoding="utf-8"))
    for before, token in pairwise(tokens):
        if before.tag == "h2" and token.children is not None:
            found.append((text_of(token.children), []))
        for at, child in enumerate(token.children or ()):
            if child.type == "link_open" and token.children and found:
                address = _address(str(child.attrGet("href")), CONTENTS)
                found[-1][1].append(Link(token.children[at + 1].content, address))
    return tuple(Chapter(title, tuple(pages)) for title, pages in found)


@cache
def sections() -> tuple[Section, ...]:
    """Return the text below each heading of each page, in the order of the contents.

    The changelog is left out: it has a line about everything, which would stand before the page that explains it.
    """
    return tuple(section for slug in sources() if slug not in {"", CHANGELOG} for section in _sections_of(slug))


def _sections_of(slug: str) -> Iterator[Section]:
    tokens = _tokens_of(slug)
    page, address, title, texts = _title_in(tokens), address_of(sources()[slug]) or "", "", list[str]()
    for before, token in pairwise(tokens):
        if before.type in {"heading_open", "entry_title_open"} and before.tag != "h1":
            yield Section(page, title, address, " ".join(texts))
            title, texts = text_of(token.children or ()), []
            address = f"{address.partition('#')[0]}#{before.attrGet('id')}"
        elif token.type in {"inline", "fence", "code_block"} and before.type != "heading_open":
            texts.append(text_of(token.children) if token.children else token.content)
    yield Section(page, title, address, " ".join(texts))


def chapter_of(slug: str) -> str:
    """Return the title of the chapter that has a page; empty for the contents themselves."""
    address = address_of(sources()[slug]) if slug else None
    return next((one.title for one in chapters() if address in [page.address for page in one.pages]), "")


def _tokens_of(slug: str) -> list[Token]:
    source = sources()[slug]
    text = source.read_text(encoding="utf-8")
    if source == SOCKETS:
        tokens = with_entries_for("h3", parser().parse(as_markdown(json.loads(text))))
    else:
        tokens = with_entries(parser().parse(text))
    _lead_to_pages(tokens, source)
    return tokens


@cache
def document(slug: str) -> Document:
    """Return a page. Raises `KeyError` if there is none of that slug."""
    tokens = _tokens_of(slug)
    return Document(
        title=_title_in(tokens),
        html=rendered(tokens),
        headings=tuple(Link(title, f"#{token.attrGet('id')}") for token, title in _headings_in(tokens, "h2")),
        previous=_beside(slug, -1),
        following=_beside(slug, 1),
    )


def _title_in(tokens: Sequence[Token]) -> str:
    return next(title for _, title in _headings_in(tokens, "h1"))


def _headings_in(tokens: Sequence[Token], tag: str) -> Iterator[tuple[Token, str]]:
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.tag == tag:
            yield token, text_of(inline.children or ())


def address_of(path: Path) -> str | None:
    """Return the address of a page or a file under `/docs/`, or None if it has none."""
    for slug, source in sources().items():
        if source == path:
            return reverse("document", args=[slug]) if slug else reverse("documents")
    return next((reverse("document-file", args=[below]) for below, file in files().items() if file == path), None)


def _beside(slug: str, step: int) -> Link | None:
    """Return the page a number of steps after another one, in the order of the contents."""
    order = [Link("Documents", reverse("documents")), *(page for chapter in chapters() for page in chapter.pages)]
    here = [page.address for page in order].index(address_of(sources()[slug]) or "") + step
    return order[here] if 0 <= here < len(order) else None


def _lead_to_pages(tokens: Sequence[Token], source: Path) -> None:
    """Replace files by addresses in the targets of links and pictures, and by titles in the text of links."""
    for token in tokens:
        for child, following in pairwise([*(token.children or ()), token]):
            for name in ("href", "src"):
                if (target := child.attrGet(name)) is not None:
                    child.attrSet(name, _address(str(target), source))
            if child.type == "link_open" and following.content.endswith(".md"):
                following.content = _title(source.parent / following.content)


def _address(target: str, source: Path) -> str:
    path, mark, anchor = target.partition("#")
    found = address_of((source.parent / unquote(path)).resolve()) if path and ":" not in path else None
    return f"{found}{mark}{anchor}" if found else target


def _title(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")

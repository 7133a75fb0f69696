"""`/docs/`: the documents of the project, and the pictures and examples that belong to them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.doors.pages import reading_page
from games.players.readers import page
from pyramid_server import __version__, documents

# The styles of a picture are inside it.
POLICY_OF_FILES = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@reading_page
def document(request: HttpRequest, title: str = "") -> HttpResponse:
    try:
        shown = documents.document(title)
    except KeyError as error:
        raise Http404(f"there is no document {title!r}") from error
    context = {"document": shown, "chapters": documents.chapters(), "version": __version__}
    return page(request, "pyramid_server/document.html", context)


@require_safe
@cache_control(public=True, max_age=300)
def document_file(request: HttpRequest, path: str) -> HttpResponse:
    """Send a picture or an example of a document, one of those that existed at startup."""
    try:
        source = documents.files()[path]
    except KeyError as error:
        raise Http404(f"there is no file {path!r}") from error
    response = HttpResponse(source.read_bytes(), content_type=documents.MEDIA_TYPES[source.suffix])
    response.headers["Content-Security-Policy"] = POLICY_OF_FILES
    return response

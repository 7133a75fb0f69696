"""The OpenAPI document, which is the same for everyone and is made once."""

from __future__ import annotations

from functools import cache

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request


class Schema(SpectacularAPIView):
    """Answers with the document in the format that is asked for; nothing else in a request makes a difference."""

    authentication_classes = []

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        renderer = type(request.accepted_renderer)
        return HttpResponse(_document(renderer.format), content_type=f"{renderer.media_type}; charset=utf-8")


@cache
def _document(format_: str) -> str | bytes:
    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    renderer = next(kind for kind in Schema.renderer_classes if kind.format == format_)
    return renderer().render(document, renderer_context={})

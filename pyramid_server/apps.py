from django.apps import AppConfig
from django.conf import settings

from pyramid_server.traces import start_traces


class PyramidServerConfig(AppConfig):
    name = "pyramid_server"

    def ready(self) -> None:
        from pyramid_server import checks  # noqa: F401, PLC0415  importing it registers them

        start_traces(settings.PYRAMID_TRACES_URL)

from django.apps import AppConfig


class PyramidServerConfig(AppConfig):
    name = "pyramid_server"

    def ready(self) -> None:
        from pyramid_server import checks  # noqa: F401, PLC0415  importing it registers them

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin import apps as admin

from pyramid_server.traces import start_traces


class PyramidServerConfig(AppConfig):
    name = "pyramid_server"
    default = True

    def ready(self) -> None:
        from pyramid_server import checks  # noqa: F401, PLC0415  importing it registers them

        start_traces(settings.PYRAMID_TRACES_URL)


class ProjectAdminConfig(admin.AdminConfig):
    """The admin with our site."""

    default_site = "pyramid_server.admin_site.ProjectAdmin"
    default = False

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin import apps as admin

from games.runtime import tracing
from pyramid_server import __version__


class PyramidServerConfig(AppConfig):
    name = "pyramid_server"
    default = True

    def ready(self) -> None:
        from pyramid_server import checks  # noqa: F401, PLC0415  importing it registers them

        tracing.start(settings.PYRAMID_TRACES_URL, __version__)


class ProjectAdminConfig(admin.AdminConfig):
    """The admin with our site."""

    default_site = "pyramid_server.admin_site.ProjectAdmin"
    default = False

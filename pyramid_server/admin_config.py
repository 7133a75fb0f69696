"""The app configuration with our admin site."""

from django.contrib.admin.apps import AdminConfig


class ProjectAdminConfig(AdminConfig):
    default_site = "pyramid_server.admin_site.ProjectAdmin"
    default = False

"""Where Django finds the site of the admin."""

from django.contrib.admin.apps import AdminConfig


class ProjectAdminConfig(AdminConfig):
    default_site = "pyramid_server.admin_site.ProjectAdmin"
    default = False

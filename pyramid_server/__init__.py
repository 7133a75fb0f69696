"""The Django project: settings, URLs, health checks and starting the server. No game logic lives here."""

__version__ = "1.0.0"

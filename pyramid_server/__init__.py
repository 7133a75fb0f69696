"""The Django project: settings, URLs, health checks and starting the server. No game logic lives here."""

import os

__version__ = "1.0.0"

# Here, because each worker of uvicorn loads our protocols before the application.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")

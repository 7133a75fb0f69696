"""Dates and times as the site writes them: 20 Nov 2026 21:47."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y H:i"

"""Wires the project: settings, addresses, health and the start of the server. No game logic lives here."""

__version__ = "0.1.0"

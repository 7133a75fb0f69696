"""Hints and lost games, computed from nothing but what the player may know. Plain Python."""

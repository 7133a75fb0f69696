"""Leagues: weekly groups of players of like strength."""

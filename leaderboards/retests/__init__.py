"""Retests: new deals under supervision, offered to a player whose score is in question; evidence in a case."""

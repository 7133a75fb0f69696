"""Cups: qualification on one deal, then knockout in matches of four, three times a day."""

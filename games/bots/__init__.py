"""Bots that people own."""

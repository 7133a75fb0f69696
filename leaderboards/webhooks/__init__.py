"""Webhooks of operators."""

"""Achievements and who has them."""

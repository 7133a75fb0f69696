"""Notifications of players, and the kinds that other subjects register."""

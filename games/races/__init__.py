"""Races: rooms, their course, ratings and invitations."""

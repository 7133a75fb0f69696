"""Races: rooms, their course from the countdown to the end, and what everyone may know of them."""

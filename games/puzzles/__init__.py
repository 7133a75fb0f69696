"""Puzzles: positions in which exactly one removal keeps the win."""

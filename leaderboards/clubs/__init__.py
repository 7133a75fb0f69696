"""Clubs: players who compare their scores, on tables that are narrowed to them."""

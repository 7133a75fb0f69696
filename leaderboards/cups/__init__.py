"""Cups as a competition of persons: their points, the places and medals of players."""

"""Seasons: months whose tables are frozen, with their honours."""

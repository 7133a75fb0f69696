"""Score tables: how games enter them, how they are ranked, read and followed."""

"""Make, commit to and choose deals, in plain Python: seeds and dates in, decks and hashes out."""

"""Making, committing to and choosing deals, in plain Python: seeds and dates in, decks and hashes out."""

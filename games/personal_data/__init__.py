"""Everything stored about people: copies of it, its deletion, and the privacy notice."""

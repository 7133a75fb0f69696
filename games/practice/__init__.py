"""Practice: on random, certified and shared deals."""

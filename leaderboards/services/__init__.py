"""The use cases of players and operators with score tables, one function each."""

"""The use cases of players and operators, one function each. Every function takes the time from its caller."""

"""What players and operators can do, one function each. Every function takes the time from its caller."""

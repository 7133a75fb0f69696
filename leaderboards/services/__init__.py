"""What players and operators can do with score tables, one function each."""

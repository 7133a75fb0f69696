"""The bots that have played lately."""

"""The analysis of finished games: the effect of each action on the shortest way to the win."""

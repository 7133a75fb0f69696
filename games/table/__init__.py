"""The page on which a game is played, watched and replayed."""

"""Players: who they are, what they are called, and where they come from."""

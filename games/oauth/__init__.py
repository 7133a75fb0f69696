"""Apps of third parties: what players allow them, and the tokens that they get for it (OAuth 2.1)."""

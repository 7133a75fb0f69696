"""Web Push: notifications that reach a browser of a player which is not open here."""

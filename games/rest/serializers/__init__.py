"""The shapes of what the API takes and gives."""

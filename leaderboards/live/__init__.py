"""The WebSocket door of the score tables."""

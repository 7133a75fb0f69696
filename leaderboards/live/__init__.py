"""The WebSocket interface of the score tables."""

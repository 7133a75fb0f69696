"""The WebSocket door."""

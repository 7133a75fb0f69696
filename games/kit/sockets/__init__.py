"""A WebSocket and the limits that hold for every client, whatever the socket is about."""

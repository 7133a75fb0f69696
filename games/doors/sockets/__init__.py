"""WebSockets, with the limits that apply to every client whatever the socket is for."""

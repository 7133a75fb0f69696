"""Building blocks of the REST and WebSocket interfaces: endpoints, sockets, authentication, limits, publish/subscribe.

The kit knows players, but neither games nor boards; both are built on it.
"""

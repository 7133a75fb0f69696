"""What doors are built from: sockets, endpoints, authentication, limits and messages between processes.

It knows players, but neither games nor boards; both stand on it.
"""

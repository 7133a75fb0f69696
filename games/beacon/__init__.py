"""Public randomness beacons: their rounds, asked of relays and checked against the beacon's key."""

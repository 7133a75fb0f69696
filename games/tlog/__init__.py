"""The transparency log: commitments, days of results and decisions as leaves of one Merkle tree with signed heads."""

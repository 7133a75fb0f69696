"""Sealed days, proofs, and the verification of scores."""

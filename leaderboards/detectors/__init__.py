"""Signals of suspicious play: plain values in, findings out. A finding is evidence for a person, never a decision."""

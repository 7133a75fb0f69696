"""Games being played in this process, one object each, behind every door."""

"""Games: starting, playing, watching, and their durable log."""

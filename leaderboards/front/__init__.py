"""The front page: today's deals, their first places, and the way to the cards."""

"""Daily deals as players see them: today, past days, their commitments and feeds."""

"""The moderation of suspicious scores: evidence, cases, decisions by people, and their log."""

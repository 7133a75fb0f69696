"""Names that players give to clubs and tournaments: reports of them, and what reviewers decide."""

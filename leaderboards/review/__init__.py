"""Review of suspicious scores: evidence, cases, decisions of people, and the log of them."""

"""The rule sets as people and programs read them: pages with pictures and advice, and REST."""

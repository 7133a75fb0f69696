"""The pairs of ranks that a rule set removes together."""

from games.rules import RuleSet

RANKS = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def rank_pairs(rules: RuleSet) -> list[tuple[str, str]]:
    """Return the pairs of ranks that can be removed together; a rank that is removed alone is paired with ""."""
    pairs = []
    for rank in range(1, 14):
        pairs += [(RANKS[rank], RANKS[other]) for other in range(rank, 14) if rules.match.accepts(rank, other)]
        if rules.match.accepts_alone(rank):
            pairs.append((RANKS[rank], ""))
    return [("±1", ""), ("=", "")] if rules.match.value == "adjacent" else pairs


def goal_cards(rules: RuleSet) -> int:
    """Return the number of cards that must be removed to win."""
    return rules.tableau_size if rules.goal.value == "tableau" else rules.deck_size

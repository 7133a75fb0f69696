from __future__ import annotations

import pytest

from leaderboards.detectors import near_par
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.naming import WATCHED_SHARE, Naming
from leaderboards.detectors.thresholds import STANDARD, THRESHOLDS
from tests.leaderboards.detectors.games import choices, deal, drawing, game, game_of

LOST = 6


class Apart(RankedGame):
    """A game so many moves above par."""

    above: int | None = 0

    @property
    def gap(self) -> int | None:
        return self.above


def above_par(moves: int | None) -> RankedGame:
    own = Apart(**vars(game(choices("perfect"))))
    object.__setattr__(own, "above", moves)
    return own


@pytest.mark.parametrize(
    ("gap", "place"),
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (7, 4), (8, 5), (12, 5), (13, LOST), (99, LOST), (None, LOST)],
)
def test_moves_above_par_fall_into_bins(gap: int | None, place: int) -> None:
    assert near_par.gap_bin(above_par(gap)) == place


def test_a_perfect_game_is_at_par_and_one_given_up_is_lost() -> None:
    assert game(choices("perfect")).gap == 0
    assert near_par.gap_bin(game_of(drawing(24))) == LOST


def test_no_honest_share_of_games_within_the_floors_grows_on_average() -> None:
    for alternative in STANDARD.alternatives:
        assert sum(alternative) <= 1 + 1e-9
    champion = (0.34, 0.14, 0.14, 0.12, 0.12, 0.07, 0.07)
    factors = [near_par.factors(above_par(gap)) or () for gap in (0, 1, 2, 3, 5, 8, None)]
    for stake in zip(*factors, strict=True):
        assert sum(share * factor for share, factor in zip(champion, stake, strict=True)) < 1


def test_a_perfect_account_is_watched_within_a_dozen_games_and_no_case_alone() -> None:
    fortune = Fortune.of(3)
    for _ in range(12):
        fortune = fortune.after(near_par.factors(above_par(0)) or ())
    listed = Naming(500, 1, WATCHED_SHARE)
    found = near_par.finding(fortune, (12, 0, 0, 0, 0, 0, 0), listed)
    assert (found.strength, found.threshold) == ("watch", 5_000)
    assert found.score >= listed.bar
    assert "Of 12 games 12 took exactly the fewest" in found.explanation


def test_rules_that_are_not_calibrated_and_deals_without_par_say_nothing() -> None:
    own = game(choices("perfect"))
    assert near_par.factors(RankedGame("g", "alice", "d", 0, own.play, par=None)) is None
    assert "covered-pairs" not in THRESHOLDS.near_par
    assert deal().rules.slug in THRESHOLDS.near_par

"""Lost games: detected from what the player knows, and judged no more often than needed."""

from __future__ import annotations

import random

import pytest

from games.hints import losses
from games.hints.hints import Knowledge, cannot_be_won
from games.hints.losses import Loss, LossWatch
from games.rules import DRAW, HINT, REDO, RULE_SETS, UNDO, Action, Move, Play, Position
from tests.games.hints.test_hints import KNOWN, UNWINNABLE, play_of
from tests.games.rules.strategies import do_something


def test_a_lost_deal_is_known_as_lost_before_a_card_is_drawn() -> None:
    """With unlimited passes the order of the stock does not matter."""
    assert cannot_be_won(Knowledge.of(play_of(UNWINNABLE)))
    assert LossWatch(play_of(UNWINNABLE)).judge() == Loss(None)


@pytest.mark.parametrize(
    "slug", ["standard", "covered-pairs", "relaxed", "classic", "king-tut", "three-piles", "no-waste"]
)
def test_no_game_is_called_lost_that_some_order_wins(slug: str) -> None:
    for row in KNOWN[:60]:
        if row[slug] == "1":
            play = play_of(row["deck"], slug)
            assert not cannot_be_won(Knowledge.of(play))
            assert LossWatch(play).judge() is None


def test_a_won_game_is_not_lost() -> None:
    text = "--/----/------/--------/----------/------------/-------------- |3c *"
    won = Position.from_text(text, RULE_SETS["standard"])
    assert not cannot_be_won(Knowledge(won, ()))


def test_a_loss_names_the_last_version_that_could_be_won_and_undo_takes_it_back() -> None:
    """The jack of hearts is the one for the apex: spent on the other two, it leaves the apex without a partner."""
    start = "2c/2dJd/------/--------/----------/------------/-------------- |Jh2h *"
    play = Play(Position.from_text(start, RULE_SETS["standard"]))
    play.do(DRAW, 0)
    assert LossWatch(play).judge() is None
    play.do(Move.from_text("2dJh"), 1)
    assert LossWatch(play).judge() == Loss(since=1)
    play.do(DRAW, 2)
    assert LossWatch(play).judge() == Loss(since=1)
    play.do(UNDO, 3)
    play.do(UNDO, 4)
    assert LossWatch(play).judge() is None


def loss_by_looking_back(play: Play) -> Loss | None:
    """The definition: every version judged again from what is known now."""
    known = Knowledge.of(play)
    if not cannot_be_won(known):
        return None
    for version in range(play.version, -1, -1):
        earlier = play.up_to(version).position
        if not cannot_be_won(Knowledge(earlier.seen_by(play.seen), known.unseen)):
            return Loss(since=version)
    return Loss(None)


@pytest.mark.parametrize("slug", ["standard", "covered-pairs", "relaxed", "king-tut", "pyramid-thirteen"])
def test_a_watch_kept_beside_a_play_knows_what_looking_back_finds(slug: str) -> None:
    """Through moves, undo by any depth, redo, hints, new lines, and questions that came too late."""
    chance = random.Random(slug)
    for row in KNOWN[:2]:
        play = play_of(row["deck"], slug)
        watch = LossWatch(play)
        for _ in range(25):
            do_something(chance, play)
            if chance.random() < 0.2:
                for _ in range(chance.randint(1, 6)):
                    do_something(chance, play)
            loss = watch.judge()
            if chance.random() < 0.4 or loss:
                assert loss == loss_by_looking_back(play) == LossWatch(play).judge()


def known(watch: LossWatch) -> Loss | None:
    return watch.loss


def test_after_a_loss_no_further_move_is_judged_until_an_undo_goes_back_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = "2c/2dJd/------/--------/----------/------------/-------------- |Jh2h3c4c *"
    play = Play(Position.from_text(start, RULE_SETS["standard"]))
    watch = LossWatch(play)
    asked: list[Knowledge] = []

    def counted(knowledge: Knowledge) -> bool:
        asked.append(knowledge)
        return cannot_be_won(knowledge)

    monkeypatch.setattr(losses, "cannot_be_won", counted)

    def judged(*actions: Action) -> list[bool]:
        return [judges(action) for action in actions]

    def judges(action: Action) -> bool:
        play.do(action, play.version)
        before = len(asked)
        watch.judge()
        return len(asked) > before

    assert judged(DRAW, Move.from_text("2dJh")) == [True, True]
    assert known(watch) == Loss(since=1)
    assert not any(judged(DRAW, DRAW, HINT, UNDO, DRAW, UNDO))
    assert known(watch) == Loss(since=1)
    assert not any(judged(UNDO, UNDO))
    assert known(watch) is None
    assert not any(judged(REDO, UNDO))
    assert judged(DRAW) == [True]
    assert known(watch) is None

"""Records: the text of a whole game, read back, replayed, and refused where it does not hold together."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given

from games.rules import (
    CARDS,
    HINT,
    RULE_SETS,
    UNSEEN,
    Deck,
    FalseResult,
    GameOver,
    IllegalMove,
    NotationError,
    Outcome,
    Record,
    TimedAction,
    UnknownRuleSet,
)
from tests.games.rules.strategies import records, seeds
from tests.games.rules.test_best_games import deck_with_tableau, matched_pairs, play_from_the_bottom

TEXT = """\
[Game "7f3k"]
[Rules "relaxed"]
[Deck "Td2hJhQd5d6c5cAs5hAcAd4h2sQhKc8c3dTh9sJs9d4dTs3h9c6sTc7s3c5s4c8d9h8h2c6dKs7cKhQcJdKd4s7h8sAh2d3sJc6hQs7d"]
[Player "alice"]
[Started "2026-03-01T10:00:00Z"]

4d9c@1955 6s7s@4274 D@5994 3hTs@9281 3dTh@10084 5s8c@13735 3cTc@17075 D@20451
4c9s@22318 2sJs@24006 AdQh@26790 U@28188 4h9d@31052 Kc@32417 AdQh@34960 *
"""


@given(records())
def test_a_record_is_read_back_from_its_text(record: Record) -> None:
    again = Record.from_text(record.text)
    assert again == record
    assert again.text == record.text
    assert again.rules.slug == record.rules.slug


@given(records())
def test_a_record_is_ascii_in_lines_of_at_most_80_below_its_tags(record: Record) -> None:
    tags, body = record.text.split("\n\n", maxsplit=1)
    assert record.text.isascii()
    assert all(line.startswith("[") for line in tags.splitlines())
    assert all(len(line) <= 80 for line in body.splitlines())
    assert body.endswith("\n")


@given(records())
def test_replaying_a_record_gives_the_play(record: Record) -> None:
    play = record.replay()
    assert tuple(play.actions) == record.actions
    assert play.result == record.result
    again = Record.from_text(record.text).replay()
    assert (again.position, again.seen, again.moves) == (play.position, play.seen, play.moves)


@given(records())
def test_a_record_without_the_cards_that_were_never_seen_replays_to_the_same_view(record: Record) -> None:
    play = record.replay()
    public = replace(record, deck=record.deck.seen_by(play.seen))
    again = Record.from_text(public.text).replay()
    assert again.view.text == play.view.text
    assert (again.result, again.moves, again.seen) == (play.result, play.moves, play.seen)


@given(records(), seeds)
def test_a_record_is_read_leniently(record: Record, seed: int) -> None:
    chance = random.Random(seed)
    tags, body = record.text.split("\n\n", maxsplit=1)
    tokens = re.split(r"(@|\s+)", re.sub("T(?=[cdhs])", "10", body))
    spaced = "".join(chance.choice(["", " ", "\n\t"]) + token for token in tokens)
    if record.rules.decks == 1 and chance.random() < 0.5:
        spaced = spaced.swapcase()
    assert Record.from_text(tags.replace("\n", " \n\n") + spaced).text == record.text


def test_the_example_is_read_and_written_byte_for_byte() -> None:
    record = Record.from_text(TEXT)
    assert record.text == TEXT
    assert (record.game, record.player, record.started) == ("7f3k", "alice", "2026-03-01T10:00:00Z")
    assert record.rules is RULE_SETS["relaxed"]
    assert (len(record.actions), record.actions[0].at_ms, record.result) == (15, 1955, None)
    play = record.replay()
    assert (play.version, play.moves, play.elapsed_ms, play.position.cards_left) == (15, 15, 34960, 10)


def test_an_alias_in_a_record_is_written_as_the_slug() -> None:
    assert Record.from_text(TEXT.replace('"relaxed"', '"MSC"')).text == TEXT


def test_more_tags_follow_the_required_ones_and_are_kept() -> None:
    text = TEXT.replace('Z"]\n', 'Z"]\n[Event "a \\"quoted\\" \\\\ name"]\n')
    record = Record.from_text(text)
    assert record.more_tags == (("Event", 'a "quoted" \\ name'),)
    assert record.text == text


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('[Game "7f3k"]\n', "", "starts with the tags Game, Rules, Deck, Player, Started"),
        ('[Game "7f3k"]\n[Rules "relaxed"]', '[Rules "relaxed"]\n[Game "7f3k"]', "starts with the tags"),
        ('"7f3k"', "'7f3k'", "starts with the tags"),
        ('"7f3k"', '"7f3k', "starts with the tags"),
        ('"alice"', '"al\\ice"', "starts with the tags"),
        ('"alice"', '"al\nice"', "outside printable ASCII"),
        ('"alice"', '"\u00e4lice"', "outside printable ASCII"),
        ("Td2h", "Td", "a deck has 52 or 104 cards"),
        ("Td2h", "Td--", "no empty places"),
        ("2026-03-01T10:00:00Z", "2026-03-01", "Started is a UTC time"),
        ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00+01:00", "Started is a UTC time"),
        (" *\n", "\n", "neither an action with its time nor a result"),
        (" *\n", " lost\n", r"nor a result \(won, stuck, resigned, expired or \*\): 'lost'"),
        (" *\n", " * *\n", "nor a result"),
        ("D@5994", "D", "no card at"),
        ("D@5994", "D@", "nor a result"),
        ("D@5994", "D@-1", "nor a result"),
        ("D@5994", "D@1e3", "nor a result"),
        ("D@5994", "D@" + "9" * 5000, "nor a result"),
        ("D@5994", "X@5994", "no card at 'X'"),
        ("D@5994", "D@4000", "the clock runs backwards"),
    ],
)
def test_a_malformed_record_is_refused(old: str, new: str, reason: str) -> None:
    assert old in TEXT
    with pytest.raises(NotationError, match=reason):
        Record.from_text(TEXT.replace(old, new, 1))


def test_a_record_of_an_unknown_rule_set_is_refused() -> None:
    with pytest.raises(UnknownRuleSet, match="no rule set is called 'klondike'"):
        Record.from_text(TEXT.replace("relaxed", "klondike"))


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("D@5994", "R@5994", IllegalMove),
        ("4d9c@1955", "4d9d@1955", IllegalMove),
        ("4d9c@1955", "Y@1955", IllegalMove),
        (" *\n", " won\n", FalseResult),
        (" *\n", " stuck\n", FalseResult),
        ("relaxed", "two-pyramids", NotationError),
    ],
)
def test_a_record_that_does_not_follow_the_rules_is_found_out_by_replay(
    old: str, new: str, error: type[Exception]
) -> None:
    record = Record.from_text(TEXT.replace(old, new, 1))
    with pytest.raises(error):
        record.replay()


@pytest.mark.parametrize("result", [Outcome.RESIGNED, Outcome.EXPIRED, None])
def test_an_open_game_may_end_in_these_ways(result: Outcome | None) -> None:
    assert replace(Record.from_text(TEXT), result=result).replay().result is result


def won_game() -> Record:
    deck = deck_with_tableau(matched_pairs(14))
    actions = tuple(play_from_the_bottom(deck, "covered-pairs").actions)
    return Record("g", RULE_SETS["covered-pairs"], deck, "bob", "2026-03-01T10:00:00Z", actions, Outcome.WON)


def test_a_won_game_has_no_other_result() -> None:
    assert won_game().replay().result is Outcome.WON
    for result in (None, Outcome.STUCK, Outcome.RESIGNED, Outcome.EXPIRED):
        with pytest.raises(FalseResult):
            replace(won_game(), result=result).replay()


def test_nothing_follows_the_winning_move() -> None:
    with pytest.raises(GameOver):
        replace(won_game(), actions=(*won_game().actions, TimedAction(HINT, 0))).replay()


def stuck_deal() -> Record:
    """A closed stock without fives, sixes and kings above a lowest row of sevens and eights: nothing ever matches."""
    ranks = {rank: [card for card in CARDS[:52] if card.rank == rank] for rank in range(1, 14)}
    lowest_row = [*ranks[7], *ranks[8][:3]]
    above = [*ranks[5], *ranks[6], *ranks[13]]
    others = [card for card in CARDS[:52] if card not in (*lowest_row, *above)]
    deck = Deck((*above, *others[:9], *lowest_row, *others[9:]))
    return Record("g", RULE_SETS["single-pass"], deck, "bob", "2026-03-01T10:00:00Z")


@pytest.mark.parametrize("result", [Outcome.STUCK, Outcome.EXPIRED, None])
def test_a_stuck_game_may_end_stuck_or_expired_or_still_be_open(result: Outcome | None) -> None:
    assert replace(stuck_deal(), result=result).replay().result is result


@pytest.mark.parametrize("result", [Outcome.RESIGNED, Outcome.WON])
def test_a_stuck_game_was_neither_resigned_nor_won(result: Outcome) -> None:
    with pytest.raises(FalseResult, match=f"the record says {result}"):
        replace(stuck_deal(), result=result).replay()


def test_that_a_game_was_stuck_is_believed_where_unseen_cards_leave_it_open() -> None:
    record = replace(stuck_deal(), result=Outcome.STUCK)
    public = replace(record, deck=record.deck.seen_by(record.replay().seen))
    assert UNSEEN in public.deck.cards
    assert public.replay().position.outcome is None
    assert public.replay().result is Outcome.STUCK

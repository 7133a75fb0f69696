"""Questions to one thread: askers take turns."""

from __future__ import annotations

import threading

from games.hints.search_pool import MOST_OF_ONE, MOST_WAITING, SearchPool

ALICE, MALLORY = 1, 2


def test_a_player_with_many_questions_waits_for_those_of_others_after_each() -> None:
    pool, gate = SearchPool("test"), threading.Event()
    answered: list[object] = []
    assert pool.begin(lambda _: gate.wait(), None, MALLORY)
    hers = [pool.begin(answered.append, f"mallory {number}", MALLORY) for number in range(3)]
    last = [pool.begin(answered.append, f"alice {number}", ALICE) for number in range(2)]
    gate.set()
    for future in [*hers, *last]:
        assert future
        future.result(60)
    assert answered == ["mallory 0", "alice 0", "mallory 1", "alice 1", "mallory 2"]


def test_a_player_cannot_fill_the_queue_and_neither_can_all_of_them_beyond_its_length() -> None:
    pool, gate = SearchPool("test"), threading.Event()
    running = pool.begin(lambda _: gate.wait(), None, 0)
    assert running
    waiting = [pool.begin(str, 1, MALLORY) for _ in range(2 * MOST_OF_ONE)]
    assert sum(future is not None for future in waiting) == MOST_OF_ONE
    assert all(pool.begin(str, 1, 10 + number) for number in range(MOST_WAITING - MOST_OF_ONE - 1))
    assert pool.begin(str, 1, ALICE)
    assert pool.begin(str, 1, 3) is None
    gate.set()


def test_a_question_that_nobody_waits_for_any_more_makes_room_and_is_not_answered() -> None:
    pool, gate = SearchPool("test"), threading.Event()
    answered: list[object] = []
    assert pool.begin(lambda _: gate.wait(), None, 0)
    for number in range(2 * MOST_OF_ONE):
        future = pool.begin(answered.append, number, MALLORY)
        assert future
        assert future.cancel()
    last = pool.begin(answered.append, "last", MALLORY)
    gate.set()
    assert last
    last.result(60)
    assert answered == ["last"]


def test_a_search_that_fails_does_not_end_the_thread() -> None:
    pool = SearchPool("test")
    failing = pool.begin(int, "x", ALICE)
    assert failing
    assert isinstance(failing.exception(60), ValueError)
    works = pool.begin(int, "7", ALICE)
    assert works
    assert works.result(60) == 7

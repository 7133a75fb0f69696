"""Compare a history with what was kept: a register for each game, whose version grows, and a set for each board."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from tests.chaos.history import Operation

Kept = dict[str, Any]


def anomalies(history: Sequence[Operation], kept: Kept, least_faults: int) -> list[str]:
    """Return everything that must not be; an empty list means that nothing was lost, doubled or out of order.

    `kept["games"]` has the log and the end of each game, as stored and as replayed, and the boards to which it belongs;
    `kept["boards"]` the entries of each board, each with its game, its key and
    whether it is listed, and the games that have a rank, in the order in which they are read.
    """
    by_game: defaultdict[str, list[Operation]] = defaultdict(list)
    for operation in history:
        if operation.f != "fault":
            by_game[operation.key].append(operation)
    return [
        *_emptiness(history, least_faults),
        *(wrong for game, own in by_game.items() for wrong in _of_game(game, own, kept["games"].get(game))),
        *_of_boards(history, kept),
    ]


def _emptiness(history: Sequence[Operation], least_faults: int) -> Iterator[str]:
    """Require that something was at stake: a storm that nobody felt proves nothing."""
    faults = [operation.number for operation in history if operation.f == "fault" and operation.type == "ok"]
    acknowledged = [operation.number for operation in history if operation.f == "act" and operation.type == "ok"]
    if len(faults) < least_faults:
        yield f"only {len(faults)} of {least_faults} faults happened"
    if not acknowledged:
        yield "nothing was acknowledged"
    elif faults and acknowledged[-1] < faults[-1]:
        yield "nothing was acknowledged after the last fault"


def _of_game(game: str, history: Sequence[Operation], kept: Kept | None) -> Iterator[str]:
    if kept is None:
        if any(operation.type == "ok" for operation in history):
            yield f"{game}: the game is lost"
        return
    log = dict(kept["log"])
    if list(log) != list(range(1, len(kept["log"]) + 1)):
        yield f"{game}: the log has versions {[version for version, _ in kept['log']]}"
    if (kept["replayed"], kept["result"]) != (len(kept["log"]), kept["status"]):
        yield f"{game}: replayed it has {kept['replayed']} actions and ends {kept['result']}, not {kept['status']}"
    yield from _of_actions(game, history, log)
    yield from _of_reads(game, history, log)
    for end in sorted({operation.value for operation in history if operation.f == "end" and operation.type == "ok"}):
        if end != kept["status"]:
            yield f"{game}: ended {end} for someone, and is kept as {kept['status']}"


def _of_actions(game: str, history: Sequence[Operation], log: dict[int, str]) -> Iterator[str]:
    """Require that each acknowledged action is kept once, and that nobody did the others."""
    actions: dict[str, list[tuple[int, str]]] = {"invoke": [], "ok": [], "fail": [], "info": []}
    for operation in history:
        if operation.f == "act":
            version, action = operation.value
            actions[operation.type].append((version, action))
    yield from _of_acknowledged(game, actions["ok"], log)
    possible = set(actions["invoke"]) - (set(actions["fail"]) - set(actions["ok"]))
    for version, action in log.items():
        if (version, action) not in possible:
            yield f"{game}: kept {action} as version {version}, which nobody did"


def _of_acknowledged(game: str, acknowledged: Sequence[tuple[int, str]], log: dict[int, str]) -> Iterator[str]:
    known: dict[int, str] = {}
    for version, action in acknowledged:
        if version in known:
            yield f"{game}: version {version} was acknowledged as {known[version]} and again as {action}"
        elif version < max(known, default=0):
            yield f"{game}: version {version} was acknowledged after {max(known)}"
        known[version] = action
        if log.get(version) != action:
            yield f"{game}: acknowledged {action} as version {version}, kept {log.get(version)}"


def _of_reads(game: str, history: Sequence[Operation], log: dict[int, str]) -> Iterator[str]:
    """Require that a read has at least what was acknowledged before it began, and that no reader goes back."""
    known, seen, begun = 0, Counter[str](), dict[str, int]()
    for operation in history:
        if operation.f == "act" and operation.type == "ok":
            known = max(known, operation.value[0])
        elif operation.f == "read" and operation.type == "invoke":
            begun[operation.process] = known
        elif operation.f == "read" and operation.type == "ok":
            version, least = operation.value, max(begun.get(operation.process, 0), seen[operation.process])
            if not least <= version <= len(log):
                yield f"{game}: {operation.process} read version {version}, not {least} to {len(log)}"
            seen[operation.process] = max(version, seen[operation.process])
        elif operation.f == "show" and log.get(operation.value[0]) != operation.value[1]:
            version, action = operation.value
            yield f"{game}: {operation.process} was shown {action} as version {version}, kept {log.get(version)}"


def _of_boards(history: Sequence[Operation], kept: Kept) -> Iterator[str]:
    ended = {operation.key for operation in history if operation.f == "end" and operation.type != "fail"}
    over = {operation.key for operation in history if operation.f == "end" and operation.type == "ok"}
    earned = {(board, game) for game in over & kept["games"].keys() for board in kept["games"][game]["boards"]}
    entered = Counter((board, game) for board, stored in kept["boards"].items() for game, _, _ in stored["entries"])
    for board, game in sorted(earned - entered.keys()):
        yield f"{board}: the acknowledged entry of {game} is lost"
    for (board, game), times in entered.items():
        if times > 1:
            yield f"{board}: {game} has {times} entries"
        if game not in ended:
            yield f"{board}: {game} has an entry that nobody earned"
    for board, stored in kept["boards"].items():
        keys = {game: key for game, key, is_listed in stored["entries"] if is_listed}
        if sorted(keys) != sorted(stored["ranked"]):
            yield f"{board}: other games have a rank than those that are listed"
        elif any(keys[above] > keys[below] for above, below in pairwise(stored["ranked"])):
            yield f"{board}: the entries are out of order"

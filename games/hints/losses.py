"""Detect that a game can no longer be won, and since which version, from what its player may know."""

from dataclasses import dataclass

from games.hints.hints import Knowledge, cannot_be_won
from games.rules import HINT, Move, Play, Position
from games.solver.verdict import has_exact_verdict

LOOK_BACK = 200
NO_DEPTH = -1


@dataclass(frozen=True, slots=True)
class Loss:
    """A game that can no longer be won. `since` is the last version from which it could, None if there was none."""

    since: int | None


class LossWatch:
    """Follows one play and keeps track of whether it can still be won, judging each position only once.

    Every position after a lost one is lost, and no position before a winnable one is lost. So two depths in the line of
    moves in effect are enough to remember every judgement, however far an undo goes back: positions from `_lost_depth`
    on are lost, positions up to `_winnable_depth` are not, and only those between them are open.
    """

    __slots__ = ("_lost_depth", "_may_know_more", "_play", "_version", "_winnable_at", "_winnable_depth", "loss")

    loss: Loss | None
    _winnable_at: int | None
    _lost_depth: int | None

    def __init__(self, play: Play) -> None:
        self._play = play
        self._may_know_more = play.start.rules.face_down or not has_exact_verdict(play.start.rules)
        self._forget()

    def judge(self) -> Loss | None:
        """Judge the open positions and return the loss; None unless it is proved that the play cannot be won.

        Call it after each action, or after several; it may search.
        """
        play = self._play
        if self._may_know_more and not play.unseen:
            self._may_know_more = False
            self._forget()  # once all cards are known, more positions can be proved lost
        gap = play.version - self._version
        if gap == 1 and (is_lost := self._known_from_depth()) is not None:
            self._note(int(is_lost), gap)
        elif gap:
            lost_versions = self._lost_versions(min(gap, LOOK_BACK))
            if gap > 1:
                self._lost_depth, self._winnable_depth = None, NO_DEPTH
            self._note(lost_versions, gap)
        return self.loss

    def _lost_versions(self, most: int) -> int:
        """Return how many of the newest versions are lost, counted back up to one that is not."""
        knowledge = Knowledge.of(self._play)
        if not cannot_be_won(knowledge):
            return 0
        earlier = reversed(self._earlier(most)) if most > 1 else ()
        for lost, position in enumerate(earlier, 1):
            if not cannot_be_won(Knowledge(position.seen_by(self._play.seen), knowledge.unseen)):
                return lost
        return most

    def _earlier(self, most: int) -> list[Position]:
        again = Play(self._play.start)
        positions = [again.start]
        for timed in self._play.actions:
            again.do(*timed)
            positions.append(again.position)
        return positions[-most:-1]

    def _forget(self) -> None:
        self._version = -1
        self._winnable_at = None
        self._lost_depth = None
        self._winnable_depth = NO_DEPTH
        self.loss = None

    def _known_from_depth(self) -> bool | None:
        """Return True if the last action led to a lost position, False if not, None if it has to be judged."""
        play = self._play
        if play.version == 0:
            return None
        action, depth = play.actions[-1].action, play.depth
        if action is HINT:
            return self.loss is not None
        if isinstance(action, Move) and self.loss is None:
            # A new line: judgements of the old one beyond this point are void.
            self._lost_depth, self._winnable_depth = None, min(self._winnable_depth, depth - 1)
        if self._lost_depth is not None and depth >= self._lost_depth:
            return True
        return False if depth <= self._winnable_depth else None

    def _note(self, lost_versions: int, gap: int) -> None:
        version, depth = self._play.version, self._play.depth
        self._version = version
        if lost_versions < min(gap, LOOK_BACK):
            self._winnable_at = version - lost_versions
        if not lost_versions:
            self._winnable_depth = max(self._winnable_depth, depth)
            self.loss = None
            return
        self._lost_depth = depth if self._lost_depth is None else min(self._lost_depth, depth)
        since = self._winnable_at
        self.loss = Loss(since if since is not None and version - since < LOOK_BACK else None)

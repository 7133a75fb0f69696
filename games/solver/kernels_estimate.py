"""Lower bounds of the actions still needed, and proofs that the goal is out of reach."""

from games.solver.bits import below, lowest, popcount
from games.solver.compiling import inlined
from games.solver.counts import ANY, HALF, LOW, covers_all, larger, less, partners, smaller, total
from games.solver.kernels_tableau import achievable
from games.solver.kernels_talon import UNREACHABLE, count, dig, draws_for, unblocked, until_key


@inlined
def estimate(tableau, talon, shape, live, cursor, turned):
    """Return a lower bound of the actions still needed, UNREACHABLE if the goal cannot be reached.

    The talon is walked through until the cards met are enough: until the pairs that must then leave inside the
    tableau, counted per rank class, are among the achievable ones.
    """
    waste = live & below(cursor)
    ahead = live ^ waste
    ahead_counts = count(talon, ahead)
    can_turn = talon.turns < 0 or turned < talon.turns
    dug, buried = dig(tableau, talon, shape, live, waste, ahead_counts)
    # All cards have to leave, and those buried in the waste never come up again.
    if buried and talon.whole and not can_turn:
        return UNREACHABLE
    usable, usable_again = ahead, buried if can_turn else 0
    # Where several cards are drawn at once, some may never lie on top. That is known only for passes that have not
    # begun: for the next one, and for this one as long as nothing has been drawn.
    if talon.draw > 1 and talon.pile.size == 1:
        coming = unblocked(tableau, talon, shape, live)
        usable_again &= coming
        if not waste:
            usable &= coming
            ahead_counts = count(talon, usable)
    waiting = partners(tableau.counts[shape])
    at, is_turned = _until_enough(tableau, talon, shape, cursor, usable, ahead_counts, dug, usable_again)
    if at < 0:
        return UNREACHABLE
    if talon.whole:
        return _for_all_cards(tableau, talon, shape, live, waste, buried)
    # With a closed stock, the talon card that takes the last tableau card is on top at the very end.
    if not talon.open and tableau.key:
        at, is_turned = until_key(tableau, talon, shape, live, at, is_turned, can_turn)
        if at < 0:
            return UNREACHABLE
    draws = draws_for(talon, popcount(ahead if is_turned else ahead & below(at)))
    if is_turned:
        draws += 1 + _draws_again(talon, live, waiting, buried, at)
    if not talon.open:
        return draws + popcount(tableau.present[shape]) - tableau.pairs[shape]
    met = ahead | buried & below(at) if is_turned else ahead & below(at)
    left = less(waiting, count(talon, met))
    singles = total(larger(left))
    doubles = total(left) - singles
    kings = popcount(tableau.present[shape] & tableau.kings)
    return kings + draws + singles + max(0, doubles - tableau.pairs[shape])


@inlined
def _until_enough(tableau, talon, shape, cursor, ahead, ahead_counts, dug, buried):
    """Return when the cards met are enough to clear the tableau, as (place, whether turned), -1 for never."""
    waiting = partners(tableau.counts[shape])
    least = smaller(waiting)
    lack = less(waiting, dug)
    need = larger(lack)
    if covers_all(least, need) and achievable(tableau, shape, need):
        return cursor, False
    later = less(lack, ahead_counts)
    need_later = larger(later)
    cards = ahead
    is_turned = False
    if not covers_all(least, need_later) or not achievable(tableau, shape, need_later):
        need_later = larger(less(later, count(talon, buried)))
        if not buried or not covers_all(least, need_later) or not achievable(tableau, shape, need_later):
            return -1, False
        cards = buried
        lack = later
        is_turned = True
    need = larger(lack)
    while True:
        card = lowest(cards)
        cards &= cards - 1
        if lack & ANY * talon.unit[card]:
            lack -= talon.unit[card]
            fewer = larger(lack)
            if fewer != need and covers_all(least, fewer) and achievable(tableau, shape, fewer):
                return card + 1, is_turned
            need = fewer


@inlined
def _draws_again(talon, live, waiting, buried, at):
    """Return how many draws it takes to come to a place after the turn; fewer where cards may have left before."""
    cards = popcount(buried & below(at))
    if not talon.open:
        others = live & ~buried & below(at)
        cards += total(less(count(talon, others), waiting)) + popcount(others & talon.kings)
    return draws_for(talon, cards)


@inlined
def _for_all_cards(tableau, talon, shape, live, waste, buried):
    """Return the removals, plus a draw for each pair that has to leave inside the talon, where all cards must leave."""
    kings = popcount(tableau.present[shape] & tableau.kings) + popcount(live & talon.kings)
    cards = popcount(tableau.present[shape]) + popcount(live)
    drawn = count(talon, waste)
    inside = larger(less(count(talon, live), partners(tableau.counts[shape])))
    draws = total(less(inside, (drawn & LOW) + (drawn >> HALF)))
    if not talon.open:
        draws = max(draws, draws_for(talon, popcount(live ^ waste)))
    return kings + (cards - kings + 1) // 2 + draws + (buried != 0)

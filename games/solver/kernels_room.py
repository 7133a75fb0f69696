"""The room that the nodes of a search take."""

import numpy as np

from games.solver.compiling import kernel


@kernel
def more_room(nodes, count, room, limit):
    """Return the nodes in an array about twice as large, or as large as the limit allows, with room for some more."""
    # What is not copied is not touched either, and so takes no memory before it is used.
    grown = np.empty(max(count, min(2 * nodes.size, limit)) + room, nodes.dtype)
    grown[:count] = nodes[:count]
    return grown

"""A Monte Carlo tree search for Dots and Boxes positions that are too early to solve.

A playout first draws random lines that offer no box, until none are left. The number of these lines
decides who must open the first long chain, which decides most games. The playout then always opens
the shortest chain. At the end, when the results of both choices are known, it computes for each
chain whether to take or leave the last boxes.

If an exact search of the root ran out of nodes, the tree uses its results: every new node is looked
up in its table, and a node with few undrawn lines is solved if it is visited often. Proofs are
passed up the tree (Winands, Björnsson and Saito, Monte-Carlo Tree Search Solver, 2008), so a line
that is proved to win is chosen, and a refuted line is not chosen unless all lines are refuted.
"""

import math

import numpy as np
import numpy.typing as npt

from games.bots.dots_lines import (
    OPENINGS,
    Words,
    compiled,
    count,
    degrees,
    listed,
    openings,
    quiet_lines,
    settle,
    without,
)
from games.bots.dots_search import KEPT, PREVENTED, UNKNOWN, look_up

Values = npt.NDArray[np.float64]

# The columns of a node. `LEAD`: the lead, in boxes, of the role in control at the root. `SIDE`: the
# role that acts (0: the role in control at the root, 1: its opponent). `CHOICE`: the number of
# boxes that can be taken or left. `VISITS`: the number of playouts through the node. `PROOF`: `WON`
# or `LOST` if the role in control at the root is known to win or lose here, otherwise 0. `TRIED`:
# whether `explore` has asked its caller to solve the node.
ACROSS, DOWNWARD, LEAD, SIDE, CHOICE, MOVE, CHILD, CHILDREN, VISITS, PARENT, PROOF, TRIED = range(
    12
)
COLUMNS = 12
WON, LOST = 1, 2
RANDOM, USED = 0, 1  # indices of the state: the random generator, and the number of tree nodes
_MOST_MOVES = 64
_CURIOSITY = 0.7  # the weight of exploration: a higher value tries neglected moves more often
_RIPE = 4  # playouts of a node before it gets children; most nodes never have so many
_SOLVABLE = 29  # undrawn lines; a ripe node with at most this many is worth solving
_WIN = 0.9  # the share of winning in a playout's value; the rest depends on the margin


@compiled
def draw(state: Words) -> int:
    """Return the next random number below 2 ** 31 (xorshift)."""
    x = state[RANDOM]
    x ^= x << 13
    x ^= x >> 7 & (1 << 57) - 1
    x ^= x << 17
    state[RANDOM] = x
    return int(x >> 32 & 0x7FFFFFFF)


@compiled
def one_of(across: int, down: int, state: Words) -> tuple[int, int]:
    """Return a random line of the set, as a bit across or down."""
    first = count(across)
    skip = draw(state) % (first + count(down))
    if skip < first:
        for _ in range(skip):
            across &= across - 1
        return across & -across, 0
    for _ in range(skip - first):
        down &= down - 1
    return 0, down & -down


@compiled
def play_out(across: int, down: int, state: Words, moves: Words, ends: Words) -> int:
    """Play a random game from a quiet set, and return the margin of the role in control."""
    sign = 1
    _, two, _ = degrees(across, down)
    while True:
        safe_across, safe_down = quiet_lines(across, down, two)
        if not safe_across and not safe_down:
            break
        a, d = one_of(safe_across, safe_down, state)
        across ^= a
        down ^= d
        _, two, _ = degrees(across, down)
        sign = -sign
    size = 0
    while two:
        openings(across, down, two, moves)
        across, down = without(moves[0], across, down)
        across, down, taken, choice = settle(across, down)
        ends[size] = taken << 3 | choice
        size += 1
        _, two, _ = degrees(across, down)
    margin = 0
    for i in range(size - 1, -1, -1):
        choice = ends[i] & 7
        margin = -(ends[i] >> 3) - (abs(choice + margin) if choice else margin)
    return sign * margin


@compiled
def add_child(
    nodes: Words, at: int, parent: int, across: int, down: int, lead: int, side: int
) -> None:
    nodes[at, ACROSS], nodes[at, DOWNWARD] = across, down
    nodes[at, LEAD], nodes[at, SIDE], nodes[at, PARENT] = lead, side, parent
    nodes[at, CHOICE], nodes[at, CHILD], nodes[at, CHILDREN], nodes[at, VISITS] = 0, 0, 0, 0
    nodes[at, PROOF] = nodes[at, TRIED] = 0


@compiled
def expand(nodes: Words, node: int, used: int, moves: Words) -> int:
    """Add the children of a node, and return the new number of nodes."""
    across, down = nodes[node, ACROSS], nodes[node, DOWNWARD]
    lead, side, choice = nodes[node, LEAD], nodes[node, SIDE], nodes[node, CHOICE]
    _, two, _ = degrees(across, down)
    nodes[node, CHILD] = used
    gain = -1 if side else 1
    if choice:
        add_child(nodes, used, node, across, down, lead + gain * choice, side)
        add_child(nodes, used + 1, node, across, down, lead - gain * choice, 1 - side)
        nodes[node, CHILDREN] = 2
        return used + 2
    opened = openings(across, down, two, moves[OPENINGS:])[0]
    _, size = listed(across, down, two, opened, moves)
    for i in range(size):
        a, d = without(moves[i], across, down)
        a, d, taken, choice = settle(a, d)
        add_child(nodes, used + i, node, a, d, lead - gain * taken, 1 - side)
        nodes[used + i, CHOICE] = choice
        nodes[used + i, MOVE] = moves[i]
    nodes[node, CHILDREN] = size
    return used + size


@compiled
def prove(nodes: Words, node: int, keys: Words, data: Words, moves: Words) -> None:
    """Set the node's proof if it follows from the table or the lead. `moves` is overwritten."""
    across, down = nodes[node, ACROSS], nodes[node, DOWNWARD]
    side, choice = nodes[node, SIDE], nodes[node, CHOICE]
    # The margin that the role in control at this node needs in order to win.
    goal = nodes[node, LEAD] if side else 1 - nodes[node, LEAD]
    found, _ = look_up(across, down, goal - choice, keys, data, moves)
    if choice and goal <= 0:
        found = KEPT
    elif choice and found != KEPT:
        other, _ = look_up(across, down, 1 - goal - choice, keys, data, moves)
        if other == PREVENTED:
            found = KEPT
        elif other == UNKNOWN:
            found = UNKNOWN
    if found != UNKNOWN:
        nodes[node, PROOF] = WON if (found == KEPT) != (side == 1) else LOST


@compiled
def pass_up(nodes: Words, node: int) -> None:
    """Set the proofs of a node and its ancestors that follow from the proofs of their children."""
    while node >= 0 and not nodes[node, PROOF]:
        good, bad = (LOST, WON) if nodes[node, SIDE] else (WON, LOST)
        proof = bad if nodes[node, CHILDREN] else 0
        begin = nodes[node, CHILD]
        for child in range(begin, begin + nodes[node, CHILDREN]):
            if nodes[child, PROOF] == good:
                proof = good
                break
            if not nodes[child, PROOF]:
                proof = 0
        if not proof:
            return
        nodes[node, PROOF] = proof
        node = nodes[node, PARENT]


@compiled
def grow(
    nodes: Words,
    node: int,
    used: int,
    worth: Values,
    keys: Words,
    data: Words,
    moves: Words,
    is_exact: bool,
) -> int:
    """Add the children of a node, with their known proofs, and return the new number of nodes."""
    after = expand(nodes, node, used, moves)
    worth[used:after] = 0.0
    if is_exact:
        for child in range(used, after):
            prove(nodes, child, keys, data, moves)
        pass_up(nodes, node)
    return after


@compiled
def explore(  # noqa: PLR0912, PLR0915  # a call between kernels costs time
    across: int,
    down: int,
    lead: int,
    playouts: int,
    state: Words,
    nodes: Words,
    worth: Values,
    keys: Words,
    data: Words,
    is_exact: bool,
) -> int:
    """Grow the tree of a quiet set until its root has had `playouts` playouts.

    The root is node 0, and its children follow. `lead` is the lead, in boxes, of the role in
    control at the root. `worth` has, for each node, the sum of the values of its playouts to that
    role, each 0 to 1. `state` holds the state of the random generator and the number of used nodes.
    For a new tree, it is all 0 except for the seed.

    If `is_exact` is true, the table is searched for proofs, and the exploration stops at a node
    that is worth solving and returns its number. When the playouts are done or the root is proved,
    it returns -1.
    """
    moves = np.zeros(128, dtype=np.int64)
    ends = np.zeros(64, dtype=np.int64)
    used = state[USED]
    if not used:
        add_child(nodes, 0, -1, across, down, lead, 0)
        worth[0] = 0.0
        used = grow(nodes, 0, 1, worth, keys, data, moves, is_exact)
    while nodes[0, VISITS] < playouts and not nodes[0, PROOF]:
        node = 0
        while nodes[node, CHILDREN]:
            side = nodes[node, SIDE]
            begin = nodes[node, CHILD]
            log = math.log(nodes[node, VISITS] + 1.0)
            best, best_bound = begin, -1.0
            for child in range(begin, begin + nodes[node, CHILDREN]):
                if nodes[child, PROOF]:
                    # The role that acts loses here; a win would also have proved this node.
                    continue
                visits = nodes[child, VISITS]
                if visits:
                    mean = worth[child] / visits
                    bound = (1.0 - mean if side else mean) + _CURIOSITY * math.sqrt(log / visits)
                else:
                    bound = 1000.0 + draw(state)
                if bound > best_bound:
                    best, best_bound = child, bound
            node = best
        if nodes[node, VISITS] >= _RIPE and used + _MOST_MOVES < len(nodes):
            lines = count(nodes[node, ACROSS]) + count(nodes[node, DOWNWARD])
            if is_exact and lines <= _SOLVABLE and not nodes[node, TRIED]:
                nodes[node, TRIED] = 1
                state[USED] = used
                return node
            before = used
            used = grow(nodes, node, used, worth, keys, data, moves, is_exact)
            if used > before and not nodes[node, PROOF]:
                node = before + draw(state) % (used - before)
                while nodes[node, PROOF]:
                    node = before + (node - before + 1) % (used - before)
        side, lead_now, choice = nodes[node, SIDE], nodes[node, LEAD], nodes[node, CHOICE]
        if choice:
            # Taking the boxes keeps control, and leaving them passes it. Choose one at random.
            gain = -choice if side else choice
            if draw(state) & 1:
                lead_now += gain
            else:
                lead_now -= gain
                side = 1 - side
        margin = play_out(nodes[node, ACROSS], nodes[node, DOWNWARD], state, moves, ends)
        final = lead_now + (-margin if side else margin)
        value = (_WIN if final > 0 else 0.0) + (1.0 - _WIN) * (final + 25) / 50.0
        if nodes[node, PROOF]:
            value = 1.0 if nodes[node, PROOF] == WON else 0.0
        while node >= 0:
            nodes[node, VISITS] += 1
            worth[node] += value
            node = nodes[node, PARENT]
    state[USED] = used
    return -1

"""A Monte Carlo tree search on the networks of rule sheets.

One compiled search serves all sheets, because a network is data: arrays of gates. Every node of the
network has a word of 64 bits, one for each of 64 states that are computed side by side, its lanes.
One pass over the gates thus plays one step of 64 games.

A tree node is expanded at once: its successors are computed in the lanes of one pass, and the first
playouts are spread over them. Results that are known exactly are passed up the tree (Winands,
Björnsson and Saito, Monte-Carlo Tree Search Solver, 2008). Playouts prefer the actions that did
well in earlier ones, wherever they were played (Finnsson and Björnsson, Simulation-Based Approach
to General Game Playing, 2008), and so does the tree until it knows better.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.dots_lines import compiled, count
from games.gdl.network import Network

Words = NDArray[np.int64]
Points = NDArray[np.float64]

LANES = 64
_CURIOSITY = 0.6  # the weight of exploration: a higher value tries neglected moves more often
_TRUST = 8.0  # how many playouts the general value of an action is worth at a new node
_HEAT = 12.0  # points; an action that is better by that many is e times as likely in playouts
_MOST_GRANDCHILDREN = 80_000  # successors of successors that are looked at before all else
_EVEN = 50.0  # the points of both roles in a playout that is given up
_LONGEST = 2000  # steps of a playout; admitted sheets end earlier
_MOST_NODES = 400_000  # of a tree; with more successors than that, it only plays out
_DEEPEST = 512  # nodes on a path down the tree

# The columns of a tree node. `CHILD`, `CHILDREN`: the index of its first child, and their number.
# `ACTION`: the action that leads to it, as an index of the role that acts. `ROLE`: the role in
# control. `VISITS`: the number of playouts through it. `IS_EXACT`: whether its points are known.
# `IS_TRIED`: whether playouts were spread over its children.
CHILD, CHILDREN, ACTION, ROLE, VISITS, IS_EXACT, IS_TRIED = range(7)
COLUMNS = 7
# The rows of an action's history, for each role: the sum of the points, and the number of playouts.
SUM, TIMES = range(2)


class NetworkArrays(NamedTuple):
    """The arrays of a network, as the compiled functions need them."""

    is_and: NDArray[np.bool_]
    start: NDArray[np.uint32]
    inputs: NDArray[np.uint32]
    loops: NDArray[np.int32]
    parts: Words
    """Where the three parts end: the legal actions, the goals, the next state."""
    legal_first: NDArray[np.uint32]
    legal_second: NDArray[np.uint32]
    next: NDArray[np.uint32]
    goals: Words
    """Rows of a role, points, and the literal that gives them."""
    numbers: Words
    """The node of the first action of each role and of the first gate, the literal of the end, the
    waiting action of each role (-1: none), and the fluent by which the second role has the turn."""


class SearchTree(NamedTuple):
    """The nodes of a tree: their columns, the sums of both roles' points, and their states."""

    nodes: Words
    sums: Points
    states: Words


class PlayoutTable(NamedTuple):
    """What playouts have learnt, and the memory that they use."""

    history: Points
    weights: Words
    played: NDArray[np.int32]
    buffers: Words


FIRST, SECOND, GATE, TERMINAL, NOOP_FIRST, NOOP_SECOND, CONTROL = range(7)


def read_network(network: Network) -> NetworkArrays:
    """Return the arrays of a network."""
    legal, goals = network.legal_gates, network.goal_gates
    first, second = network.first_action
    rows = [(role, *pair) for role in (0, 1) for pair in network.goals[role]]
    return NetworkArrays(
        is_and=network.is_and,
        start=network.start.astype(np.uint32),  # Numba need not check whether they are negative
        inputs=network.inputs.astype(np.uint32),
        loops=network.loops.reshape(-1, 2).astype(np.int32),
        parts=np.array([legal, legal + goals, network.gates], np.int64),
        legal_first=network.legal[0].astype(np.uint32),
        legal_second=network.legal[1].astype(np.uint32),
        next=network.next.astype(np.uint32),
        goals=np.array(rows, np.int64).reshape(-1, 3),
        numbers=np.array(
            [
                *(first, second, network.first_gate, network.terminal),
                *(*network.noops, network.control[1]),
            ],
            np.int64,
        ),
    )


@compiled
def draw(chance: Words) -> int:
    """Return the next random number below 2 ** 31 (xorshift)."""
    x = chance[0]
    x ^= x << 13
    x ^= x >> 7 & (1 << 57) - 1
    x ^= x << 17
    chance[0] = x
    return int(x >> 32 & 0x7FFFFFFF)


@compiled
def find_lane(word: int) -> int:
    """Return the index of the lowest bit that is set."""
    return count((word & -word) - 1)


@compiled
def compute_gates(
    is_and: NDArray[np.bool_],
    start: NDArray[np.uint32],
    inputs: NDArray[np.uint32],
    values: Words,
    base: int,
    begin: int,
    end: int,
) -> bool:
    """Compute gates one after the other. Return whether the value of any has changed.

    `base` is the node of the first gate. The arrays are parameters of their own, because taking
    them out of a tuple for each gate would cost more than the gate.
    """
    has_changed = False
    at = start[begin]
    for gate in range(begin, end):
        last = start[gate + 1]
        word = values[inputs[at]]
        if is_and[gate]:
            for i in range(at + 1, last):
                word &= values[inputs[i]]
        else:
            for i in range(at + 1, last):
                word |= values[inputs[i]]
        at = last
        if values[2 * (base + gate)] != word:
            values[2 * (base + gate)] = word
            has_changed = True
        values[2 * (base + gate) + 1] = ~word
    return has_changed


@compiled
def compute_part(net: NetworkArrays, values: Words, part: int) -> int:
    """Compute the gates of one part. Return how many inputs were read."""
    is_and, start, inputs, base = net.is_and, net.start, net.inputs, net.numbers[GATE]
    gate = net.parts[part - 1] if part else 0
    end = net.parts[part]
    work = int(start[end]) - int(start[gate])
    for loop in range(len(net.loops)):
        first, last = net.loops[loop, 0], net.loops[loop, 1]
        if first < gate or first >= end:
            continue
        compute_gates(is_and, start, inputs, values, base, gate, first)
        for each in range(first, last):
            values[2 * (base + each)] = 0
            values[2 * (base + each) + 1] = -1
        while compute_gates(is_and, start, inputs, values, base, first, last):
            work += int(start[last]) - int(start[first])
        gate = last
    compute_gates(is_and, start, inputs, values, base, gate, end)
    return work


@compiled
def clear_actions(net: NetworkArrays, values: Words) -> None:
    for node in range(net.numbers[FIRST], net.numbers[GATE]):
        values[2 * node] = 0
        values[2 * node + 1] = -1


@compiled
def add_action(values: Words, node: int, lane: int) -> None:
    values[2 * node] |= 1 << lane
    values[2 * node + 1] &= ~(1 << lane)


@compiled
def step(net: NetworkArrays, values: Words, buffer: Words) -> int:
    """Replace the states by those after the actions, and compute what these allow."""
    work = compute_part(net, values, 2)
    fluents = len(net.next)
    for i in range(fluents):
        buffer[i] = values[net.next[i]]
    for i in range(fluents):
        values[2 * (1 + i)] = buffer[i]
        values[2 * (1 + i) + 1] = ~buffer[i]
    return work + fluents + compute_part(net, values, 0)


@compiled
def set_state(net: NetworkArrays, values: Words, state: Words) -> None:
    """Give all lanes the state, of which each word has 64 fluents."""
    values[0] = 0
    values[1] = -1
    for i in range(len(net.next)):
        word = -(state[i >> 6] >> (i & 63) & 1)
        values[2 * (1 + i)] = word
        values[2 * (1 + i) + 1] = ~word


@compiled
def get_state(net: NetworkArrays, values: Words, lane: int, state: Words) -> None:
    state[:] = 0
    for i in range(len(net.next)):
        state[i >> 6] |= (values[2 * (1 + i)] >> lane & 1) << (i & 63)


@compiled
def get_points(net: NetworkArrays, values: Words, lane: int, points: Points) -> None:
    """Write the points of both roles in a lane. The goals must be computed."""
    points[0] = points[1] = _EVEN
    for row in range(len(net.goals)):
        if values[net.goals[row, 2]] >> lane & 1:
            points[net.goals[row, 0]] = net.goals[row, 1]


@compiled
def find_movers(net: NetworkArrays, values: Words) -> int:
    """Return the lanes in which the second role is in control, as `LoadedSheet.find_mover` does."""
    some_first = some_second = more_first = more_second = 0
    for literal in net.legal_first:
        more_first |= some_first & values[literal]
        some_first |= values[literal]
    for literal in net.legal_second:
        more_second |= some_second & values[literal]
        some_second |= values[literal]
    waits_first = waits_second = turn = 0
    if net.numbers[NOOP_FIRST] >= 0:
        waits_first = values[net.legal_first[net.numbers[NOOP_FIRST]]]
    if net.numbers[NOOP_SECOND] >= 0:
        waits_second = values[net.legal_second[net.numbers[NOOP_SECOND]]]
    if net.numbers[CONTROL] >= 0:
        turn = values[2 * (1 + net.numbers[CONTROL])]
    alone = waits_first & ~waits_second | ~(waits_first ^ waits_second) & turn
    return more_second | ~more_first & alone


@compiled
def choose_at_random(
    values: Words, legal: NDArray[np.uint32], lanes: int, weights: Words, chance: Words,
    picks: Words, seen: Words,
) -> int:  # fmt: skip
    """Write a random legal action of each lane to `picks`, or -1 if there is none.

    An action is chosen in proportion to its weight. Return how many actions are legal in all lanes.
    """
    seen[:] = 0
    picks[:] = -1
    total = 0
    for action in range(len(legal)):
        word = values[legal[action]] & lanes
        while word:
            lane = find_lane(word)
            word &= word - 1
            total += 1
            seen[lane] += weights[action]
            if draw(chance) * seen[lane] >> 31 < weights[action]:
                picks[lane] = action
    return total


@compiled
def weigh(history: Points, weights: Words) -> None:
    """Set the weight of each action of each role: 1 to 4096."""
    for role in range(2):
        total = times = 0.0
        for action in range(history.shape[2]):
            total += history[SUM, role, action]
            times += history[TIMES, role, action]
        mean = total / times if times else _EVEN
        for action in range(history.shape[2]):
            seen = history[TIMES, role, action] + 1.0
            better = (history[SUM, role, action] + mean) / seen - mean
            weights[role, action] = int(64.0 * np.exp(max(-40.0, min(40.0, better)) / _HEAT)) + 1


@compiled
def play_out(
    net: NetworkArrays,
    values: Words,
    lanes: int,
    table: PlayoutTable,
    chance: Words,
    results: Points,
) -> int:
    """Play random games in these lanes, whose states are computed, and write their points."""
    picks, seen, buffer = table.buffers[0, :LANES], table.buffers[1, :LANES], table.buffers[2]
    alive, steps, work = lanes, 0, 0
    points = np.empty(2)
    while True:
        over = alive & values[net.numbers[TERMINAL]]
        if over:
            work += compute_part(net, values, 1)
            alive &= ~over
            while over:
                lane = find_lane(over)
                over &= over - 1
                get_points(net, values, lane, points)
                results[lane, 0], results[lane, 1] = points[0], points[1]
        if not alive or steps == _LONGEST:
            break
        clear_actions(net, values)
        for role in range(2):
            legal = net.legal_second if role else net.legal_first
            first = net.numbers[SECOND] if role else net.numbers[FIRST]
            weights = table.weights[role]
            work += len(legal) + 4 * choose_at_random(
                values, legal, alive, weights, chance, picks, seen
            )
            for lane in range(LANES):
                table.played[steps, role, lane] = picks[lane]
                if picks[lane] >= 0:
                    add_action(values, first + picks[lane], lane)
        work += step(net, values, buffer)
        steps += 1
    while alive:
        lane = find_lane(alive)
        alive &= alive - 1
        results[lane, 0] = results[lane, 1] = _EVEN
    for i in range(steps):
        for role in range(2):
            for lane in range(LANES):
                action = table.played[i, role, lane]
                if action >= 0:
                    table.history[SUM, role, action] += results[lane, role]
                    table.history[TIMES, role, action] += 1.0
    weigh(table.history, table.weights)
    return work + 2 * LANES * steps


@compiled
def select_child(nodes: Words, sums: Points, history: Points, node: int) -> int:
    """Return the child to visit next: one whose points are not known exactly."""
    role, first = nodes[node, ROLE], nodes[node, CHILD]
    log = np.log(max(nodes[node, VISITS], 1) / LANES + 1.0)
    best, best_score = int(first), -1.0
    for child in range(first, first + nodes[node, CHILDREN]):
        if nodes[child, IS_EXACT]:
            continue
        action, visits = nodes[child, ACTION], nodes[child, VISITS]
        usual = (history[SUM, role, action] + _EVEN) / (history[TIMES, role, action] + 1.0)
        mean = (sums[child, role] + _TRUST * usual) / (visits + _TRUST)
        score = mean / 100.0 + _CURIOSITY * np.sqrt(log / (visits / LANES + 1.0))
        if score > best_score:
            best, best_score = int(child), score
    return best


@compiled
def settle(nodes: Words, sums: Points, node: int) -> bool:
    """Pass exact points of the children up to the node, if they decide it."""
    role, first = nodes[node, ROLE], nodes[node, CHILD]
    best, own, other, is_whole = -1, -1.0, 0.0, True
    for child in range(first, first + nodes[node, CHILDREN]):
        if not nodes[child, IS_EXACT]:
            is_whole = False
            continue
        mine = sums[child, role] / nodes[child, VISITS]
        theirs = sums[child, 1 - role] / nodes[child, VISITS]
        if mine > own or (mine == own and theirs < other):
            best, own, other = child, mine, theirs
    if best < 0 or (own < 100.0 and not is_whole):
        return False
    visits = max(nodes[node, VISITS], 1)
    nodes[node, IS_EXACT], nodes[node, VISITS] = 1, visits
    sums[node, role], sums[node, 1 - role] = own * visits, other * visits
    return True


@compiled
def set_actions(
    net: NetworkArrays, values: Words, role: int, actions: Words, begin: int, size: int
) -> None:
    """Set one of these `size` actions in each lane, by turns, and the other role's only action.

    All lanes must have the same state, and what it allows must be computed.
    """
    other_legal = net.legal_first if role else net.legal_second
    first = net.numbers[SECOND] if role else net.numbers[FIRST]
    other_first = net.numbers[FIRST] if role else net.numbers[SECOND]
    waits = -1
    for action in range(len(other_legal)):
        if values[other_legal[action]] & 1:
            waits = action
    clear_actions(net, values)
    for lane in range(LANES):
        add_action(values, first + actions[begin + lane % size], lane)
        if waits >= 0:
            add_action(values, other_first + waits, lane)


@compiled
def add_children(
    net: NetworkArrays, values: Words, tree: SearchTree, node: int, used: int, buffers: Words
) -> tuple[int, int]:
    """Add the children of a node. Return the new number of nodes, and the work."""
    nodes, sums, states = tree.nodes, tree.sums, tree.states
    role = nodes[node, ROLE]
    legal = net.legal_second if role else net.legal_first
    set_state(net, values, states[node])
    work = compute_part(net, values, 0)
    actions, size = buffers[3], 0
    for action in range(len(legal)):
        if values[legal[action]] & 1:
            actions[size] = action
            size += 1
    points = np.empty(2)
    nodes[node, CHILD], nodes[node, CHILDREN] = used, size
    for begin in range(0, size, LANES):
        here = min(LANES, size - begin)
        if begin:
            set_state(net, values, states[node])
            work += compute_part(net, values, 0)
        set_actions(net, values, role, actions, begin, here)
        work += step(net, values, buffers[2])
        over = values[net.numbers[TERMINAL]]
        if over:
            work += compute_part(net, values, 1)
        seconds = find_movers(net, values)
        for lane in range(here):
            child = used + begin + lane
            nodes[child] = 0
            nodes[child, ACTION] = actions[begin + lane]
            nodes[child, ROLE] = seconds >> lane & 1
            sums[child] = 0.0
            get_state(net, values, lane, states[child])
            if over >> lane & 1:
                get_points(net, values, lane, points)
                nodes[child, IS_EXACT] = nodes[child, VISITS] = 1
                sums[child, 0], sums[child, 1] = points[0], points[1]
        work += 2 * here * len(net.next)
    return used + size, work


@compiled
def spread_playouts(
    net: NetworkArrays,
    values: Words,
    tree: SearchTree,
    node: int,
    table: PlayoutTable,
    chance: Words,
    results: Points,
) -> int:
    """Play out from the children whose points are not known, by turns. Return the work."""
    nodes, sums = tree.nodes, tree.sums
    role, first = nodes[node, ROLE], nodes[node, CHILD]
    actions, size = table.buffers[3], 0
    for child in range(first, first + nodes[node, CHILDREN]):
        if not nodes[child, IS_EXACT]:
            actions[size] = nodes[child, ACTION]
            table.buffers[4, size] = child
            size += 1
    nodes[node, IS_TRIED] = 1
    work = 0
    for begin in range(0, size, LANES):
        here = min(LANES, size - begin)
        set_state(net, values, tree.states[node])
        work += compute_part(net, values, 0)
        set_actions(net, values, role, actions, begin, here)
        work += step(net, values, table.buffers[2])
        work += play_out(net, values, -1, table, chance, results)
        for lane in range(LANES):
            child = table.buffers[4, begin + lane % here]
            nodes[child, VISITS] += 1
            sums[child, 0] += results[lane, 0]
            sums[child, 1] += results[lane, 1]
            # `play_out` does not know the action that led here.
            table.history[SUM, role, nodes[child, ACTION]] += results[lane, role]
            table.history[TIMES, role, nodes[child, ACTION]] += 1.0
    return work


@compiled
def sum_open_children(nodes: Words, sums: Points, node: int, total: Points) -> None:
    """Add up the visits and points of the children whose points are not known."""
    total[:] = 0.0
    for child in range(nodes[node, CHILD], nodes[node, CHILD] + nodes[node, CHILDREN]):
        if not nodes[child, IS_EXACT]:
            total[0] += nodes[child, VISITS]
            total[1] += sums[child, 0]
            total[2] += sums[child, 1]


@compiled
def visit(
    net: NetworkArrays, values: Words, tree: SearchTree, node: int, table: PlayoutTable,
    chance: Words, results: Points, found: Points,
) -> int:  # fmt: skip
    """Play out from a leaf, and write the visits and the points of both roles to `found`.

    Return the work.
    """
    nodes, sums = tree.nodes, tree.sums
    if nodes[node, IS_EXACT]:
        found[0] = LANES
        found[1] = sums[node, 0] / nodes[node, VISITS] * LANES
        found[2] = sums[node, 1] / nodes[node, VISITS] * LANES
        return 0
    if nodes[node, CHILDREN] and not nodes[node, IS_TRIED]:
        before = np.empty(3)
        sum_open_children(nodes, sums, node, before)
        work = spread_playouts(net, values, tree, node, table, chance, results)
        sum_open_children(nodes, sums, node, found)
        found -= before
        return work
    # There is no room for more nodes.
    set_state(net, values, tree.states[node])
    work = compute_part(net, values, 0)
    work += play_out(net, values, -1, table, chance, results)
    found[0], found[1], found[2] = LANES, 0.0, 0.0
    for lane in range(LANES):
        found[1] += results[lane, 0]
        found[2] += results[lane, 1]
    return work


@compiled
def begin_tree(
    net: NetworkArrays, values: Words, tree: SearchTree, buffers: Words, budget: int
) -> int:
    """Add the children of node 0, and theirs if there are not too many. Return how many there are.

    Actions and replies that end the game are thus known before anything else.
    """
    nodes, sums = tree.nodes, tree.sums
    widest = max(len(net.legal_first), len(net.legal_second))
    used, work = add_children(net, values, tree, 0, 1, buffers)
    settle(nodes, sums, 0)
    size = nodes[0, CHILDREN]
    for child in range(1, 1 + size):
        is_small = size * size < _MOST_GRANDCHILDREN and used + widest < len(nodes)
        if is_small and not nodes[child, IS_EXACT] and not nodes[0, IS_EXACT] and work < budget:
            used, more = add_children(net, values, tree, child, used, buffers)
            work += more
            settle(nodes, sums, child)
    settle(nodes, sums, 0)
    return used


@compiled
def grow(
    net: NetworkArrays,
    values: Words,
    tree: SearchTree,
    table: PlayoutTable,
    chance: Words,
    results: Points,
    budget: int,
) -> int:
    """Search from node 0 until the budget of work is spent or its points are known.

    Return the number of nodes.
    """
    nodes, sums = tree.nodes, tree.sums
    path, found = np.empty(_DEEPEST, np.int64), np.zeros(3)
    widest = max(len(net.legal_first), len(net.legal_second))
    used = begin_tree(net, values, tree, table.buffers, budget)
    work = 0
    while work < budget and not nodes[0, IS_EXACT]:
        node, depth = 0, 0
        path[0] = 0
        while nodes[node, IS_TRIED] and depth < _DEEPEST - 1:
            node = select_child(nodes, sums, table.history, node)
            depth += 1
            path[depth] = node
        if not nodes[node, CHILDREN] and used + widest < len(nodes):
            used, more = add_children(net, values, tree, node, used, table.buffers)
            work += more
            settle(nodes, sums, node)
        last = depth - nodes[node, IS_EXACT]  # an exact node has its points already
        work += 1 + visit(net, values, tree, node, table, chance, results, found)
        for i in range(last, -1, -1):
            nodes[path[i], VISITS] += int(found[0])
            sums[path[i], 0] += found[1]
            sums[path[i], 1] += found[2]
        for i in range(last, -1, -1):
            if not settle(nodes, sums, path[i]):
                break
    return used


@dataclass(frozen=True)
class Choice:
    """An action as the search values it."""

    action: int
    """The index of the action of the role in control."""
    points: tuple[float, float]
    """The expected points of both roles, 0 to 100."""
    is_exact: bool
    visits: int


@dataclass(frozen=True)
class Searched:
    """The result of a search."""

    choices: tuple[Choice, ...]
    is_exact: bool
    """Whether the best action and its points are known."""
    nodes: int

    def best(self, role: int) -> Choice:
        """Return the action with the most points for the role in control.

        Actions whose points are not known are compared by their visits, because the points of those
        that were rarely visited are vague.
        """
        open_choices = [each for each in self.choices if not each.is_exact]
        exact = [each for each in self.choices if each.is_exact]
        found = max(
            exact, key=lambda each: (each.points[role], -each.points[1 - role]), default=None
        )
        if open_choices and not (found and found.points[role] >= 100):
            favourite = max(open_choices, key=lambda each: (each.visits, each.points[role]))
            if found is None or favourite.points[role] > found.points[role]:
                return favourite
        assert found is not None
        return found


def search(net: NetworkArrays, state: bytes, role: int, budget: int, seed: int) -> Searched:
    """Search a state in which `role` is in control, until about `budget` inputs of gates are read.

    `state` has a bit for each fluent, as in `games.gdl.machine`.
    """
    fluents = len(net.next)
    bits = np.unpackbits(np.frombuffer(state, np.uint8), count=fluents)
    words, passes = -(-fluents // 64), max(1, int(net.start[-1]))
    padded = np.zeros(64 * words, np.uint8)
    padded[:fluents] = bits
    packed = np.packbits(padded, bitorder="little").view(np.int64)
    actions = max(len(net.legal_first), len(net.legal_second))
    # A node costs at least the part of a pass over the gates that is its own.
    most = 2 * actions + min(_MOST_GRANDCHILDREN, actions * actions) + LANES * budget // passes
    most = min(_MOST_NODES, most)
    tree = SearchTree(
        np.zeros((most, COLUMNS), np.int64), np.zeros((most, 2)), np.zeros((most, words), np.int64)
    )
    tree.nodes[0, ROLE] = role
    tree.states[0] = packed
    table = PlayoutTable(
        np.zeros((2, 2, actions)),
        np.full((2, actions), 65, np.int64),
        np.zeros((_LONGEST, 2, LANES), np.int32),
        np.zeros((5, max(fluents, actions, LANES)), np.int64),
    )
    used = grow(
        net,
        np.zeros(2 * (net.numbers[GATE] + len(net.is_and)), np.int64),
        tree,
        table,
        np.array([seed * 2654435761 % 2**62 + 88172645463325252], np.int64),
        np.zeros((LANES, 2)),
        budget,
    )
    nodes, sums = tree.nodes, tree.sums
    first = int(nodes[0, CHILD])
    choices = []
    for child in range(first, first + int(nodes[0, CHILDREN])):
        visits = max(int(nodes[child, VISITS]), 1)
        points = (float(sums[child, 0]) / visits, float(sums[child, 1]) / visits)
        choices.append(
            Choice(int(nodes[child, ACTION]), points, bool(nodes[child, IS_EXACT]), visits)
        )
    return Searched(tuple(choices), bool(nodes[0, IS_EXACT]), used)

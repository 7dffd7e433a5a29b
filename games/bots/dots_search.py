"""The exact search of Dots and Boxes, which finds the value of a set of undrawn lines.

The value of a set is the margin, in boxes, by which the role in control wins the rest of the game.
It does not depend on the owners of the complete boxes. Each search determines whether a margin can
be reached. A table stores a lower and an upper bound of the value of each set. Of the free chains
and loops, only the lengths are part of the key, so that sets of the same shape share an entry.

Before a set is searched, each line is looked up in the table. A line that is known to reach the
goal ends the search of the set, and a line that is known to miss the goal is skipped. The other
lines are ordered by mobility: after the best line of an earlier search, if there is one, the line
that leaves the opponent the fewest replies is first. On positions with 37 undrawn lines, this
ordering reduces the search to about 40 % of the nodes.
"""

from games.bots.dots_lines import (
    MIXER,
    OPENINGS,
    Words,
    boxes_left,
    compiled,
    count,
    degrees,
    listed,
    openings,
    quiet_lines,
    settle,
    without,
)

NO_LINE = 127
CHECK = 26  # the lowest bit of an entry's check
NODES, LIMIT = 0, 1  # indices of the counters: searched nodes, and their limit
KEPT, PREVENTED, UNKNOWN = 1, -1, 0  # whether a margin can be reached, according to the table
CHILD, REPLIES = 128, 192  # columns of the stack where a child's openings and the mobilities begin
COLUMNS = 256  # columns in a row of the stack


@compiled
def rank(moves: Words, safe: int, size: int, history: Words, first: int) -> None:
    """Sort the first `safe` moves by their history in other sets, then put `first` at the front."""
    for i in range(1, safe):
        line = moves[i]
        j = i
        while j and history[moves[j - 1]] < history[line]:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = line
    for i in range(1, size):
        if moves[i] == first:
            for j in range(i, 0, -1):
                moves[j] = moves[j - 1]
            moves[0] = first


@compiled
def mixed(number: int) -> int:
    """Return a 64-bit hash in which each bit depends on all bits of the number."""
    number = (number ^ number >> 32) * MIXER
    number = (number ^ number >> 29) * MIXER
    return number ^ number >> 32


@compiled
def place_of(across: int, down: int, stamp: int, keys: Words) -> tuple[int, int, int]:
    """Return the key of a set (64 bits), its check (38 bits), and the index of its first slot.

    The key and the check together identify a set with 102 bits, which makes collisions in a table
    negligible. Each part is mixed before the next part is added, because otherwise sets that differ
    in a few lines across and a few lines down would share a key: in some games, thousands of sets.
    """
    key = mixed(mixed(across) + down)
    check = mixed(key + stamp)
    key = mixed(key ^ stamp * MIXER)
    return key, check >> CHECK, key & len(keys) - 1 & ~1


@compiled
def look_up(
    across: int, down: int, goal: int, keys: Words, data: Words, moves: Words
) -> tuple[int, int]:
    """Look up whether a margin can be reached from a quiet set. Return the answer and a number.

    The number is how many lines are worth drawing if the answer is `UNKNOWN`, otherwise 0. `moves`
    is overwritten.
    """
    left = boxes_left(across, down)
    goal += (goal ^ left) & 1
    if abs(goal) > left or goal == -left:
        return (KEPT if goal <= 0 else PREVENTED), 0
    _, two, _ = degrees(across, down)
    opened, rest_across, rest_down, stamp = openings(across, down, two, moves)
    key, check, place = place_of(rest_across, rest_down, stamp, keys)
    for slot in range(place, place + 2):
        if keys[slot] == key and data[slot] >> CHECK == check:
            entry = data[slot]
            if goal <= (entry & 63) - 32:
                return KEPT, 0
            if goal > (entry >> 6 & 63) - 32:
                return PREVENTED, 0
    safe_across, safe_down = quiet_lines(across, down, two)
    return UNKNOWN, count(safe_across) + count(safe_down) + opened


@compiled
def look_up_line(
    line: int, across: int, down: int, goal: int, keys: Words, data: Words, moves: Words
) -> tuple[int, int]:
    """Look up whether a margin can be reached by drawing a line. Return the answer and a number.

    The number is how many replies the line leaves, or 0 if they were not counted. `moves` is
    overwritten.
    """
    a, d = without(line, across, down)
    a, d, taken, choice = settle(a, d)
    need = 1 - goal - taken  # the margin that the opponent needs to prevent the goal
    if choice and need <= 0:
        return PREVENTED, 0
    found, replies = look_up(a, d, need - choice, keys, data, moves)
    if not choice or found == KEPT:
        return -found, replies
    other, _ = look_up(a, d, 1 - need - choice, keys, data, moves)
    if other == PREVENTED:
        return PREVENTED, 0
    if other == KEPT and found == PREVENTED:
        return KEPT, 0
    return UNKNOWN, replies


@compiled
def by_mobility(
    across: int, down: int, goal: int, size: int, first: int, keys: Words, data: Words, moves: Words
) -> tuple[int, int]:
    """Sort the moves by the number of replies they leave, and drop those that miss the goal.

    The line `first`, if it is among them, is placed before all others. Return the number of
    remaining moves and the number of moves looked up. If a move is known to reach the goal, store
    it in `moves[0]` and return -1 as the first number.
    """
    live = 0
    for i in range(size):
        line = moves[i]
        found, replies = look_up_line(line, across, down, goal, keys, data, moves[CHILD:])
        if found == KEPT:
            moves[0] = line
            return -1, i + 1
        if found == PREVENTED:
            continue
        weight = -1 if line == first else replies
        j = live
        while j and moves[REPLIES + j - 1] > weight:
            moves[j] = moves[j - 1]
            moves[REPLIES + j] = moves[REPLIES + j - 1]
            j -= 1
        moves[j] = line
        moves[REPLIES + j] = weight
        live += 1
    return live, size


@compiled
def reaches(  # noqa: PLR0912  # a call between kernels costs time
    across: int,
    down: int,
    goal: int,
    ply: int,
    keys: Words,
    data: Words,
    history: Words,
    stack: Words,
    counters: Words,
) -> bool:
    """Return whether the role in control can reach a margin of at least `goal` from a quiet set.

    The result is invalid if the counter of nodes exceeds its limit. `stack` has a row for each ply.
    An entry of the table is one integer with the lower and upper bounds of the margin, the best
    line, the boxes left, and the check.
    """
    left = boxes_left(across, down)
    goal += (goal ^ left) & 1  # the margin has the parity of the boxes left
    if abs(goal) > left or goal == -left:
        return goal <= 0
    counters[NODES] += 1
    if counters[NODES] > counters[LIMIT]:
        return False
    moves = stack[ply]
    _, two, _ = degrees(across, down)
    opened, rest_across, rest_down, stamp = openings(across, down, two, moves[OPENINGS:])
    key, check, place = place_of(rest_across, rest_down, stamp, keys)
    slot = place
    if keys[place] != key and (keys[place + 1] == key or data[place] >> 20 & 31 > left):
        slot = place + 1  # the first slot keeps the set with more boxes left
    least, most, best = -left, left, NO_LINE
    if keys[slot] == key and data[slot] >> CHECK == check:
        entry = data[slot]
        least, most, best = (entry & 63) - 32, (entry >> 6 & 63) - 32, entry >> 12 & 127
        if goal <= least or goal > most:
            return bool(goal <= least)
    safe, size = listed(across, down, two, opened, moves)
    rank(moves, safe, size, history, best)
    live, looked_up = by_mobility(across, down, goal, size, best, keys, data, moves)
    counters[NODES] += looked_up  # a look-up costs about as much as a node that the table has
    reached = live < 0
    if reached:
        best = moves[0]
        history[best] += left * left
    for i in range(live):
        a, d = without(moves[i], across, down)
        a, d, taken, choice = settle(a, d)
        need = 1 - goal - taken  # the margin that the opponent needs to prevent the goal
        if choice and need <= 0:
            continue
        prevented = reaches(a, d, need - choice, ply + 1, keys, data, history, stack, counters)
        if choice and not prevented:
            prevented = not reaches(
                a, d, 1 - need - choice, ply + 1, keys, data, history, stack, counters
            )
        if counters[NODES] > counters[LIMIT]:
            return False
        if not prevented:
            reached = True
            best = moves[i]
            history[best] += left * left
            break
    if reached:
        least = goal
    else:
        most = goal - 2
    keys[slot] = key
    data[slot] = least + 32 | most + 32 << 6 | best << 12 | left << 20 | check << CHECK
    return reached


@compiled
def best_line(across: int, down: int, keys: Words, data: Words, moves: Words) -> int:
    """Return the best line for a set according to the table, or `NO_LINE`."""
    _, two, _ = degrees(across, down)
    _, rest_across, rest_down, stamp = openings(across, down, two, moves)
    key, check, place = place_of(rest_across, rest_down, stamp, keys)
    for slot in range(place, place + 2):
        if keys[slot] == key and data[slot] >> CHECK == check:
            return int(data[slot] >> 12 & 127)
    return NO_LINE

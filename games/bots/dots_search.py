"""Dots and Boxes solved exactly, by what each set of undrawn lines is still worth.

The value of a set is the margin, in boxes, by which the role in control wins the rest of the game.
Who owns the boxes so far does not matter. Each search asks whether a margin can be reached, yes or
no. A table keeps, for each set, the bounds between which its value must lie. Free chains and loops
enter the key by their lengths alone, so that sets of the same shape share an entry.

Before a set is searched, each line is looked up in the table. A line that is known to reach the
goal ends the search of the set, and a line that is known to miss it is left out. The others are
searched by mobility: first the line that leaves the opponent the fewest replies. On positions with
37 undrawn lines this needs about 40 % of the nodes of a search without it.
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
CHECK = 26  # the bit of an entry where the check begins
NODES, LIMIT = 0, 1  # the counters: nodes searched, and how many may be
KEPT, PREVENTED, UNKNOWN = 1, -1, 0  # what the table says about a margin
CHILD, REPLIES = 128, 192  # where a row of the stack has a child's openings, and its mobility
COLUMNS = 256  # of a row of the stack


@compiled
def rank(moves: Words, safe: int, size: int, history: Words, first: int) -> None:
    """Sort the moves: first the line of the table, then those that were good in other sets."""
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
    """A number of 64 bits, each of which depends on all bits of the given one."""
    number = (number ^ number >> 32) * MIXER
    number = (number ^ number >> 29) * MIXER
    return number ^ number >> 32


@compiled
def place_of(across: int, down: int, stamp: int, keys: Words) -> tuple[int, int, int]:
    """The key of a set (64 bits), its check (38 bits), and the place of its two slots.

    A set is told from others by key and check: 102 bits, so that no two of a table are taken for
    the same. Each part is mixed before the next one is added: else sets that differ in a few lines
    across and in a few down meet in one key, in some games thousands of them.
    """
    key = mixed(mixed(across) + down)
    check = mixed(key + stamp)
    key = mixed(key ^ stamp * MIXER)
    return key, check >> CHECK, key & len(keys) - 1 & ~1


@compiled
def look_up(
    across: int, down: int, goal: int, keys: Words, data: Words, moves: Words
) -> tuple[int, int]:
    """What the table says about a margin from a quiet set, and how many lines are worth drawing.

    The number is 0 if the answer is not `UNKNOWN`. `moves` is overwritten.
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
    """What the table says about a margin from a quiet set if that line is drawn, and how many
    replies it leaves. `moves` is overwritten."""
    a, d = without(line, across, down)
    a, d, taken, choice = settle(a, d)
    need = 1 - goal - taken  # the margin with which the opponent prevents it
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
    """Sort the moves by the replies they leave, without those that miss the goal.

    The line `first`, if it is among them, goes before all others. Gives how many are left, and how
    many were looked up. If a move is known to reach the goal, gives -1 and has it as `moves[0]`.
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
    """Whether the role in control can reach a margin of `goal` or more from a quiet set.

    Once the counter of nodes is past its limit, the answer means nothing. `stack` has a row for
    each ply. The table packs an entry into one integer: the lower and the upper bound of the
    margin, the best line, the boxes left, and the check.
    """
    left = boxes_left(across, down)
    goal += (goal ^ left) & 1  # the margin is odd if the number of boxes left is, else even
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
        slot = place + 1  # both slots are taken: the set with more boxes left stays
    least, most, best = -left, left, NO_LINE
    if keys[slot] == key and data[slot] >> CHECK == check:
        entry = data[slot]
        least, most, best = (entry & 63) - 32, (entry >> 6 & 63) - 32, entry >> 12 & 127
        if goal <= least or goal > most:
            return bool(goal <= least)
    safe, size = listed(across, down, two, opened, moves)
    rank(moves, safe, size, history, best)
    live, looked_up = by_mobility(across, down, goal, size, best, keys, data, moves)
    counters[NODES] += looked_up  # each costs about as much as a node that the table ends
    reached = live < 0
    if reached:
        best = moves[0]
        history[best] += left * left
    for i in range(live):
        a, d = without(moves[i], across, down)
        a, d, taken, choice = settle(a, d)
        need = 1 - goal - taken  # the margin with which the other role prevents it
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
    """The line that the table has for a set, or NO_LINE."""
    _, two, _ = degrees(across, down)
    _, rest_across, rest_down, stamp = openings(across, down, two, moves)
    key, check, place = place_of(rest_across, rest_down, stamp, keys)
    for slot in range(place, place + 2):
        if keys[slot] == key and data[slot] >> CHECK == check:
            return int(data[slot] >> 12 & 127)
    return NO_LINE

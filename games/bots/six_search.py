"""The searches of Six in a Row: for wins by threats alone, and alpha-beta over promising moves."""

from games.bots.six_board import (
    CELLS,
    DEEPEST,
    INSIDE,
    KINDS,
    SLOTS,
    Board,
    Ints,
    answers,
    gap,
    kernel,
    place,
    remove,
)
from games.bots.six_weights import PROMISE
from games.rules.six_in_a_row import LENGTH

WON = 1 << 30  # the score of a win, from which the number of plies before it is subtracted
SURE = WON - 1_000  # the lowest score of a forced win
_FOUR = 7  # a cell of this kind or a higher one makes a threat
# The value of a win in the table of attacks. Other values are depths searched without a win.
_PROVEN = 100
_STONES_ASIDE = 60  # the maximum number of stones that an attack within alpha-beta places
_OPEN = 1 << 40  # stands for a score that is not known yet
_EXACT, _LEAST, _MOST = 0, 1, 2  # kinds of a stored score: exact, or a lower or upper bound


@kernel
def _insert(board: Board, row: int, count: int, cell: int, score: int, most: int) -> int:
    """Insert a move into a row of at most `most` moves, best first. Return the new number."""
    if count == most:
        if score <= board.scores[row, count - 1]:
            return count
        count -= 1
    at = count
    while at > 0 and board.scores[row, at - 1] < score:
        board.moves[row, at] = board.moves[row, at - 1]
        board.scores[row, at] = board.scores[row, at - 1]
        at -= 1
    board.moves[row, at] = cell
    board.scores[row, at] = score
    return count + 1


@kernel
def sort_answers(board: Board, colour: int, row: int) -> int:
    """Sort the cells that meet the colour's threats into `moves[row]`, and return their number."""
    count = answers(board, colour, row + 1)
    sorted_ = 0
    for i in range(count):
        cell = int(board.moves[row + 1, i])
        worth = PROMISE[board.pair[1 - colour, cell]] * 2 + PROMISE[board.pair[colour, cell]]
        sorted_ = _insert(board, row, sorted_, cell, worth, CELLS)
    return sorted_


@kernel
def _sort_threats(board: Board, colour: int, row: int) -> int:
    """Sort the moves that make a threat, and meet any rival threat, into `moves[row]`.

    Return their number.
    """
    count = 0
    if board.alive[1 - colour, 5] > 0:
        for i in range(answers(board, 1 - colour, row + 1)):
            cell = int(board.moves[row + 1, i])
            pair = board.pair[colour, cell]
            if pair >= _FOUR * KINDS:
                count = _insert(board, row, count, cell, PROMISE[pair], CELLS)
        return count
    for i in range(board.alive[colour, 4]):
        window = board.near[colour, 0, i]
        for j in range(LENGTH):
            cell = INSIDE[window, j]
            if board.stone[cell] >= 0:
                continue
            known = False
            for k in range(count):
                known = known or board.moves[row, k] == cell
            if not known:
                pair = board.pair[colour, cell]
                count = _insert(board, row, count, cell, PROMISE[pair], CELLS)
    return count


@kernel
def _attack_slot(board: Board, colour: int) -> tuple[int, int]:
    key = board.key ^ (0x5DEECE66D * (colour + 1))
    return key, key & (SLOTS - 1)


@kernel
def _attack_begins(board: Board, colour: int, depth: int, row: int, is_first: bool) -> int:
    """Return 1 if the attack wins now, 0 if it fails now, or -1 after listing moves to try."""
    if board.alive[colour, 5] > 0:
        board.best[row] = gap(board, int(board.near[colour, 1, 0]))
        return 1
    if depth <= 0 or board.alive[colour, 4] < 2:
        return 0
    key, slot = _attack_slot(board, colour)
    if board.attack_keys[slot] == key:
        fact = board.attack_facts[slot]
        # At the root, the caller also needs the move, which the table does not have.
        if fact >= depth and not (fact == _PROVEN and is_first):
            return 1 if fact == _PROVEN else 0
    board.count[row] = _sort_threats(board, colour, row)
    board.at[row] = 0
    return -1


@kernel
def _threaten(board: Board, colour: int, depth: int, row: int) -> int:
    """Make the next threat.

    Return 1 if no reply meets it, 0 if no threat is left or the limit of stones is reached, and -1
    if there are replies to search, which are then listed in `moves[row + 1]`.
    """
    key, slot = _attack_slot(board, colour)
    while board.at[row] < board.count[row]:
        if board.placed >= board.attack_limit:
            return 0
        cell = int(board.moves[row, board.at[row]])
        place(board, cell, colour)
        if board.alive[1 - colour, 5] == 0:
            board.count[row + 1] = sort_answers(board, colour, row + 1)
            board.at[row + 1] = 0
            if board.count[row + 1] > 0:
                return -1
            remove(board, cell)
            board.best[row] = cell
            board.attack_keys[slot] = key
            board.attack_facts[slot] = _PROVEN
            return 1
        remove(board, cell)
        board.at[row] += 1
    board.attack_keys[slot] = key
    board.attack_facts[slot] = depth
    return 0


@kernel
def _attack(board: Board, colour: int, depth: int, base: int) -> int:
    """Return 1 if the colour to move wins with at most `depth` threats, 0 if no win is found.

    The search tries every answer of the defender, so a win is certain. `best[base]` is its first
    move. The search is a loop because Numba cannot load recursive functions from its cache.
    """
    row = base
    won = _attack_begins(board, colour, depth, row, True)
    while won < 0 or row > base:
        left = depth - (row - base) // 2
        if won < 0:
            won = _threaten(board, colour, left, row)
            if won >= 0:
                continue
        else:
            # The search of an answer is complete, so undo the answer.
            row -= 2
            left += 1
            remove(board, int(board.moves[row + 1, board.at[row + 1]]))
            board.at[row + 1] += 1
            cell = int(board.moves[row, board.at[row]])
            if won == 0:
                remove(board, cell)
                board.at[row] += 1
                won = -1
                continue
            if board.at[row + 1] == board.count[row + 1]:
                remove(board, cell)
                board.best[row] = cell
                key, slot = _attack_slot(board, colour)
                board.attack_keys[slot] = key
                board.attack_facts[slot] = _PROVEN
                continue
        place(board, int(board.moves[row + 1, board.at[row + 1]]), 1 - colour)
        row += 2
        won = _attack_begins(board, colour, left - 1, row, False)
    return won


@kernel
def attack(board: Board, colour: int, depth: int, row: int, stones: int) -> int:
    """Return the same as `_attack`, but place at most `stones` stones."""
    board.attack_limit = min(board.placed + stones, board.limit)
    return _attack(board, colour, depth, row)


@kernel
def evaluate(board: Board, colour: int) -> int:
    """Return the value of all cells to the colour to move, minus their value to the opponent."""
    return int(board.total[colour] - board.total[1 - colour])


@kernel
def sort_moves(board: Board, colour: int, row: int, most: int) -> int:
    """Sort the most promising moves for both colours into `moves[row]`. Return their number.

    If no move is promising, the row gets the first empty cell.
    """
    count = 0
    for cell in range(CELLS):
        if board.stone[cell] < 0:
            own, others = board.pair[colour, cell], board.pair[1 - colour, cell]
            if own + others > 0:
                worth = 5 * PROMISE[own] + 4 * PROMISE[others]
                count = _insert(board, row, count, cell, worth, most)
    for cell in range(CELLS):
        if count == 0 and board.stone[cell] < 0:
            count = _insert(board, row, count, cell, 0, most)
    return count


@kernel
def _first(board: Board, row: int, count: int, move: int) -> None:
    """Put the move first in the row, if the row has it."""
    for i in range(1, count):
        if board.moves[row, i] == move:
            for j in range(i, 0, -1):
                board.moves[row, j] = board.moves[row, j - 1]
            board.moves[row, 0] = move
            return


@kernel
def _score_slot(board: Board, colour: int) -> tuple[int, int]:
    key = board.key ^ (0x9E3779B97F4A7C1 * (colour + 1))
    return key, key & (SLOTS - 1)


@kernel
def _settled(board: Board, colour: int, ply: int, forced: bool) -> int:
    """Return the score of the colour to move if no move has to be searched, else `_OPEN`."""
    if board.alive[colour, 5] > 0:
        return WON - ply
    if not forced:
        if board.alive.sum() == 0:
            return 0
        depth = board.attack_depth
        if depth > 0 and attack(board, colour, depth, ply, _STONES_ASIDE) == 1:
            return WON - ply - 10
    # A forced answer uses up no depth.
    if ply >= DEEPEST - 4 or (board.depth[ply] <= 0 and not forced):
        return evaluate(board, colour)
    return _OPEN


@kernel
def _enter(board: Board, colour: int, ply: int) -> int:
    """Return the score of the colour to move if it is known, or `_OPEN` after listing moves.

    Return 0 if the limit of placements is reached.
    """
    rival = 1 - colour
    if board.placed >= board.limit:
        return 0
    forced = board.alive[rival, 5] > 0
    score = _settled(board, colour, ply, forced)
    if score != _OPEN:
        return int(score)
    key, slot = _score_slot(board, colour)
    known = -1
    if board.keys[slot] == key:
        fact = board.facts[slot]
        known = fact & 255
        bound = fact >> 8 & 3
        score = (fact >> 20) - WON
        if fact >> 10 & 1023 >= board.depth[ply] and (
            bound == _EXACT
            or (bound == _LEAST and score >= board.beta[ply])
            or (bound == _MOST and score <= board.alpha[ply])
        ):
            return int(score)
    if forced:
        count = sort_answers(board, rival, ply)
        board.depth[ply] += 1
    else:
        count = sort_moves(board, colour, ply, board.width)
    _first(board, ply, count, known)
    board.count[ply] = count
    board.at[ply] = 0
    board.floor[ply] = board.alpha[ply]
    board.score[ply] = -(WON - ply - 1)
    board.best[ply] = 255
    return _OPEN


@kernel
def _leave(board: Board, colour: int, ply: int) -> int:
    """Return the score of a node after its moves have been tried.

    Also store it, unless the limit of placements is reached.
    """
    best = board.score[ply]
    if board.placed < board.limit:
        bound = _EXACT if best > board.floor[ply] else _MOST
        if best >= board.beta[ply]:
            bound = _LEAST
        key, slot = _score_slot(board, colour)
        depth = max(board.depth[ply] - (board.alive[1 - colour, 5] > 0), 0)
        board.keys[slot] = key
        board.facts[slot] = (best + WON) << 20 | depth << 10 | bound << 8 | board.best[ply]
    return int(best)


@kernel
def alpha_beta(board: Board, colour: int, depth: int, alpha: int, beta: int) -> int:
    """Return the score of the colour to move. It is invalid if the limit of stones was reached."""
    ply = 1
    board.depth[ply], board.alpha[ply], board.beta[ply] = depth, alpha, beta
    score = _enter(board, colour, ply)
    while score == _OPEN or ply > 1:
        if score != _OPEN:
            # The search of a move is complete, so undo the move.
            ply -= 1
            colour = 1 - colour
            cell = int(board.moves[ply, board.at[ply]])
            remove(board, cell)
            board.at[ply] += 1
            if -score > board.score[ply]:
                board.score[ply], board.best[ply] = -score, cell
                board.alpha[ply] = max(board.alpha[ply], -score)
        done = board.at[ply] == board.count[ply] or board.alpha[ply] >= board.beta[ply]
        if done or board.placed >= board.limit:
            score = _leave(board, colour, ply)
            continue
        place(board, int(board.moves[ply, board.at[ply]]), colour)
        board.depth[ply + 1] = board.depth[ply] - 1
        board.alpha[ply + 1], board.beta[ply + 1] = -board.beta[ply], -board.alpha[ply]
        ply += 1
        colour = 1 - colour
        score = _enter(board, colour, ply)
    return int(score)


@kernel
def deepen(board: Board, colour: int, moves: Ints, whims: Ints, deepest: int, scores: Ints) -> int:
    """Search the moves at increasing depths, best first, and return the depth reached.

    `whims` are random values that are added to the scores of the moves. The scores are written to
    `scores`: the first one is the score of the best move, and the others can be bounds. Both are
    sorted along with `moves`.
    """
    reached = 0
    for depth in range(1, deepest + 1):
        alpha = -WON
        for i in range(len(moves)):
            cell, whim = moves[i], whims[i]
            place(board, cell, colour)
            score = whim - alpha_beta(board, 1 - colour, depth - 1, whim - WON, whim - alpha)
            remove(board, cell)
            if board.placed >= board.limit:
                return reached
            if score > alpha or i == 0:
                alpha = score
                # The move beats all moves before it, so place it first.
                for j in range(i, 0, -1):
                    moves[j], whims[j], scores[j] = moves[j - 1], whims[j - 1], scores[j - 1]
                moves[0], whims[0], scores[0] = cell, whim, score
            else:
                scores[i] = score
        reached = depth
        if alpha >= SURE or alpha <= -SURE:
            break
    return reached

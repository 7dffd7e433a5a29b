"""The searches of one Six in a Row position, which choose a move or evaluate the position."""

from dataclasses import dataclass, replace
from math import exp
from random import Random

import numpy as np

from games.bots.six_board import CELLS, INSIDE, empty_board, place, remove
from games.bots.six_human_play import empty_cells
from games.bots.six_search import (
    SURE,
    WON,
    attack,
    deepen,
    sort_answers,
    sort_moves,
)
from games.bots.six_weights import PROMISE
from games.rules.six_in_a_row import SixInARow

_FIVE = 9  # a cell of this kind or a higher one completes a line
RATE = 400_000  # stones placed per second on a slow core; most cores are three times as fast
# The share of the remaining placements for the search. The rest is for refuting its move.
_SEARCHING = 0.6
SCALE = 1600.0  # the difference in score that multiplies the odds of winning by e


@dataclass(frozen=True)
class SearchLimits:
    """The limits of a search. Depths are in moves of both sides, and attacks are in threats."""

    deepest: int
    width: int  # moves tried at each node; up to twice as many at the root
    attack: int  # the longest attack at the root; 0: none
    guard: int  # the opponent's longest attack after a move
    inner_attack: int  # the longest attack at any other node
    whim: int  # the largest random addition to a score
    caution: float  # the weight of the opponent's cells, relative to the player's own


def points(score: float) -> float:
    """Return the expected points, 0 to 100, for a score."""
    if abs(score) >= SURE:
        return 100.0 if score > 0 else 0.0
    return 100 / (1 + exp(-score / SCALE))


class Study:
    """A study of one position, with searches that may place `placements` stones in total."""

    def __init__(self, position: SixInARow, skill: SearchLimits, placements: int) -> None:
        self.skill = skill
        self.colour = "bw".index(position.stone or "w")
        weights = [1.0 if side == self.colour else skill.caution for side in range(2)]
        self.board = empty_board(np.array([(weight * PROMISE).astype(int) for weight in weights]))
        self.board.width = skill.width
        self.board.attack_depth = skill.inner_attack
        for cell, mark in enumerate(position.diagram):
            if mark != ".":
                place(self.board, cell, "bw".index(mark))
        self.board.placed = 0
        self.board.limit = placements
        self.empty = empty_cells(position)
        self.reached = 0

    def win(self, colour: int, share: float) -> int | None:
        """Search for a win by threats, as if the colour were to move.

        Return the first move, or None if no win is found. The search may use this share of the
        limit of placements.
        """
        board = self.board
        stones = int(board.limit * share)
        longest = self.skill.attack if colour == self.colour else self.skill.guard
        for depth in [*range(3, longest, 3), longest]:
            before = board.placed
            if attack(board, colour, depth, 0, stones):
                return int(board.best[0])
            stones -= board.placed - before
        return None

    def is_won_after(self, cell: int, share: float) -> bool:
        """Return whether the move wins immediately, or wins by threats against every answer."""
        board = self.board
        if board.kind[self.colour, cell].max() >= _FIVE:
            return True
        place(board, cell, self.colour)
        won = self._loses(1 - self.colour, share)
        remove(board, cell)
        return won

    def is_lost(self) -> bool:
        """Return whether every possible move is known to lose to threats."""
        return self._loses(self.colour, 0.3)

    def _loses(self, colour: int, share: float) -> bool:
        """Return whether every move of the colour to move loses to threats.

        The search tries all moves, so True is certain. False can also mean that the search found no
        win.
        """
        board, rival = self.board, 1 - colour
        until = board.placed + int(board.limit * share)
        if board.alive[colour, 5]:
            return False
        if board.alive[rival, 5]:
            count = sort_answers(board, rival, 0)
        elif self.win(rival, share / 4) is None:
            return False  # the opponent has no threat
        else:
            count = sort_moves(board, colour, 0, CELLS)
        cells = [int(cell) for cell in board.moves[0, :count]]
        if not board.alive[rival, 5]:
            # A stone at the end of a line blocks it, even if the cell itself has no value for
            # either colour.
            cells = list(dict.fromkeys(cells + [e for e in self.empty if board.stone[e] < 0]))
        for tried, cell in enumerate(cells):
            stones = max(until - int(board.placed), 0) // (len(cells) - tried)
            place(board, cell, colour)
            won = self.win(rival, stones / board.limit)
            remove(board, cell)
            if won is None:
                return False
        return True

    def holds(self, cell: int, share: float) -> bool:
        """Return whether the search finds no win by threats for the opponent after the move."""
        place(self.board, cell, self.colour)
        won = self.win(1 - self.colour, share)
        remove(self.board, cell)
        return won is None

    def candidates(self) -> list[int]:
        """Return the moves that are worth searching, most promising first."""
        board, rival, width = self.board, 1 - self.colour, 2 * self.skill.width
        if board.alive[rival, 5]:
            count = sort_answers(board, rival, 0)
            cells = [int(cell) for cell in board.moves[0, :count]]
            return cells or [self._gap(rival)]
        in_danger = self.win(rival, 0.05) is not None
        count = sort_moves(board, self.colour, 0, len(self.empty) if in_danger else width)
        cells = [int(cell) for cell in board.moves[0, :count]]
        if self.skill.guard == 0:
            return cells
        safe = [cell for cell in cells if self.holds(cell, 0.3 / len(cells))]
        return safe[:width] or cells[:width]

    def _gap(self, colour: int) -> int:
        """Return a cell where the colour would win immediately."""
        window = INSIDE[self.board.near[colour, 1, 0]]
        return int(next(cell for cell in window if self.board.stone[cell] < 0))

    def best(self, cells: list[int], chance: Random | None = None) -> tuple[int, int]:
        """Search the moves, and return the best one and its score."""
        order, score = self._order(cells, chance)
        return order[0], score

    def _order(self, cells: list[int], chance: Random | None) -> tuple[list[int], int]:
        """Return the moves, best first, and the score of the first."""
        moves = np.array(cells, dtype=np.int64)
        most = self.skill.whim
        whims = np.array([chance.randint(0, most) if chance else 0 for _ in cells], dtype=np.int64)
        scores = np.zeros(len(cells), dtype=np.int64)
        self.reached = deepen(self.board, self.colour, moves, whims, self.skill.deepest, scores)
        return [int(move) for move in moves], int(scores[0] - whims[0])

    def settled_score(self) -> float:
        """Return the score of the position: the mean of the last two depths, or a certain result.

        The scores of odd and even depths differ, by 1,200 in an even position, because each favours
        the side that moved last. The mean does not depend on the side.
        """
        won = self.win(self.colour, 0.3)
        if won is not None:
            return WON
        cells, scores, deepest = self.candidates(), [0], self.skill.deepest
        for depth in range(1, deepest + 1):
            self.skill = replace(self.skill, deepest=depth)
            _, score = self.best(cells)
            if self.reached == depth:
                scores.append(score)
            if abs(score) >= SURE or self.reached < depth:
                break
        self.skill = replace(self.skill, deepest=deepest)
        if abs(scores[-1]) >= SURE:
            return scores[-1]
        return sum(scores[-2:]) / len(scores[-2:])

    def choice(self, chance: Random | None = None) -> tuple[int, int]:
        """Return the move to make, and its score."""
        won = self.win(self.colour, 0.3)
        return (won, WON) if won is not None else self.searched_choice(chance)

    def searched_choice(self, chance: Random | None = None) -> tuple[int, int]:
        """Return the best move of alpha-beta that threats do not refute, and a score.

        The score is that of the best move before refutations. If there is a single candidate, or
        `guard` is 0, no refutation is searched.
        """
        cells = self.candidates()
        if len(cells) == 1 or not self.skill.guard:
            return self.best(cells, chance)
        board, limit = self.board, int(self.board.limit)
        board.limit = board.placed + int((limit - board.placed) * _SEARCHING)
        order, score = self._order(cells, chance)
        board.limit = limit
        return self._unrefuted(order), score

    def _unrefuted(self, order: list[int]) -> int:
        """Return the first move that threats cannot refute within the limit of placements.

        Try the moves in `order`, then all others. If every move is refuted, return the move whose
        refutation took the most placements.
        """
        board, hardest, most = self.board, order[0], -1
        others = []
        if not board.alive[1 - self.colour, 5]:
            count = sort_moves(board, self.colour, 0, len(self.empty))
            others = [int(cell) for cell in board.moves[0, :count]]
        for cell in dict.fromkeys(order + others):
            before = int(board.placed)
            if self.holds(cell, 1.0):
                # When no placements are left, only the result for the first move is reliable.
                return cell if board.placed < board.limit or cell == order[0] else hardest
            if board.placed - before > most:
                hardest, most = cell, int(board.placed) - before
        return hardest

    def can_win_at_once(self) -> bool:
        return bool(self.board.alive[self.colour, 5])

    def is_dead(self) -> bool:
        """Return whether neither colour can win any more."""
        return not self.board.alive.sum()

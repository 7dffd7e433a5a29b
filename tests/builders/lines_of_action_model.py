"""Lines of Action in plain Python, to compare its rule sheet with."""

Square = tuple[int, int]
_STEPS = [(1, 0), (0, 1), (1, 1), (1, -1)]
_LAST_PLY = 200


class LinesOfAction:
    """A game of Lines of Action that changes with each move."""

    def __init__(self) -> None:
        self.men: dict[Square, int] = {}
        for each in range(2, 8):
            self.men |= {(each, 1): 0, (each, 8): 0, (1, each): 1, (8, each): 1}
        self.turn = 0
        self.plies = 0
        self.goals: tuple[int, int] | None = None

    def legal(self) -> list[str]:
        if self.goals:
            return []
        return [
            f"move {start[0]} {start[1]} {end[0]} {end[1]}"
            for start, player in self.men.items()
            if player == self.turn
            for step in _STEPS
            for sign in (1, -1)
            if (end := self._find_end(start, step, sign))
        ]

    def _find_end(self, start: Square, step: Square, sign: int) -> Square | None:
        (x, y), (across, up) = start, step
        length = sum((x + k * across, y + k * up) in self.men for k in range(-7, 8))
        path = [(x + sign * k * across, y + sign * k * up) for k in range(1, length + 1)]
        rival = 1 - self.turn
        is_free = (
            1 <= path[-1][0] <= 8
            and 1 <= path[-1][1] <= 8
            and all(self.men.get(each) != rival for each in path[:-1])
            and self.men.get(path[-1]) != self.turn
        )
        return path[-1] if is_free else None

    def play(self, action: str) -> None:
        x, y, u, v = map(int, action.split()[1:])
        del self.men[x, y]
        self.men[u, v] = self.turn
        self.plies += 1
        self.turn = 1 - self.turn
        united = self._is_united(0), self._is_united(1)
        if united[0] != united[1]:
            self.goals = (100, 0) if united[0] else (0, 100)
        elif not united[0] and not self.legal():
            self.goals = (100, 0) if self.turn == 1 else (0, 100)
        elif united[0] or self.plies == _LAST_PLY:
            self.goals = (50, 50)

    def _is_united(self, player: int) -> bool:
        left = {square for square, owner in self.men.items() if owner == player}
        waiting = [left.pop()]
        while waiting:
            x, y = waiting.pop()
            near = {each for each in left if max(abs(each[0] - x), abs(each[1] - y)) == 1}
            left -= near
            waiting.extend(near)
        return not left

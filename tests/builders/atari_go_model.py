"""Atari Go in plain Python, to compare its rule sheet with."""

from collections.abc import Iterator

SIZE = 7
Point = tuple[int, int]


class AtariGo:
    """A game of Atari Go that changes with each stone."""

    def __init__(self) -> None:
        self.stones: dict[Point, int] = {}
        self.turn = 0
        self.goals: tuple[int, int] | None = None

    def legal(self) -> list[str]:
        return [f"place {x} {y}" for x, y in _points() if (x, y) not in self.stones]

    def play(self, action: str) -> None:
        x, y = map(int, action.split()[1:])
        self.stones[x, y] = self.turn
        rival = 1 - self.turn
        captured = any(
            self._has_no_liberty(each) for each in _beside((x, y)) if self._is(each, rival)
        )
        if captured or self._has_no_liberty((x, y)):
            winner = self.turn if captured else rival
            self.goals = (100, 0) if winner == 0 else (0, 100)
        self.turn = rival

    def _is(self, point: Point, player: int) -> bool:
        return self.stones.get(point) == player

    def _has_no_liberty(self, point: Point) -> bool:
        chain, waiting = {point}, [point]
        while waiting:
            for each in _beside(waiting.pop()):
                if each not in self.stones:
                    return False
                if self.stones[each] == self.stones[point] and each not in chain:
                    chain.add(each)
                    waiting.append(each)
        return True


def _points() -> Iterator[Point]:
    return ((x, y) for x in range(1, SIZE + 1) for y in range(1, SIZE + 1))


def _beside(point: Point) -> list[Point]:
    x, y = point
    steps = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
    return [(x, y) for x, y in steps if 1 <= x <= SIZE and 1 <= y <= SIZE]

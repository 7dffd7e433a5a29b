"""Nine Men's Morris in plain Python, to compare its rule sheet with. It shares no code with it.

The board is three rings of eight points. A point is `8 * ring + place`. Ring 0 is the outer one.
Places are counted around the ring from a corner, so odd ones are the middles of sides.
"""

from dataclasses import dataclass, replace

_AROUND = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
_SIDES = [
    frozenset(8 * ring + (corner + i) % 8 for i in range(3))
    for ring in range(3)
    for corner in (0, 2, 4, 6)
]
_SPOKES = [frozenset((place, place + 8, place + 16)) for place in (1, 3, 5, 7)]
MILLS = (*_SIDES, *_SPOKES)
MOST_QUIET = 50


def name_point(point: int) -> str:
    ring, place = divmod(point, 8)
    x, y = (4 + (3 - ring) * step for step in _AROUND[place])
    return f"{'abcdefg'[x - 1]} {y}"


POINTS = {name_point(point): point for point in range(24)}


def are_neighbours(one: int, other: int) -> bool:
    (ring, place), (ring2, place2) = divmod(one, 8), divmod(other, 8)
    if ring == ring2:
        return (place - place2) % 8 in (1, 7)
    return place == place2 and place % 2 == 1 and abs(ring - ring2) == 1


@dataclass(frozen=True)
class MorrisModel:
    """A position: the points of the men, the men that are not placed yet, and whose turn it is."""

    men: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    hand: tuple[int, int] = (9, 9)
    player: int = 0
    is_taking: bool = False
    quiet: int = 0

    @property
    def roles(self) -> tuple[str, str]:
        return "white", "black"

    @property
    def turn(self) -> str | None:
        return None if self.goals else self.roles[self.player]

    @property
    def is_flying(self) -> bool:
        return not self.hand[self.player] and len(self.men[self.player]) == 3

    def legal(self) -> list[str]:
        own, rival = self.men[self.player], self.men[1 - self.player]
        if self.is_taking:
            loose = {man for man in rival if not any(man in m and m <= rival for m in MILLS)}
            return [f"take {name_point(man)}" for man in loose or rival]
        empty = set(range(24)) - own - rival
        if self.hand[self.player]:
            return [f"place {name_point(point)}" for point in empty]
        return [
            f"move {name_point(man)} {name_point(point)}"
            for man in own
            for point in empty
            if self.is_flying or are_neighbours(man, point)
        ]

    def play(self, action: str) -> "MorrisModel":
        verb, *words = action.split()
        point = POINTS[" ".join(words[-2:])]
        men, hand, quiet = list(self.men), list(self.hand), 0
        if verb == "take":
            men[1 - self.player] -= {point}
            return replace(self, men=tuple(men), player=1 - self.player, is_taking=False)
        if verb == "place":
            hand[self.player] -= 1
        else:
            men[self.player] -= {POINTS[" ".join(words[:2])]}
            quiet = self.quiet + 1
        men[self.player] |= {point}
        is_mill = any(point in mill and mill <= men[self.player] for mill in MILLS)
        return MorrisModel(
            men=(men[0], men[1]),
            hand=(hand[0], hand[1]),
            player=self.player if is_mill else 1 - self.player,
            is_taking=is_mill,
            quiet=0 if is_mill else quiet,
        )

    @property
    def goals(self) -> dict[str, int] | None:
        loser = next((i for i in (0, 1) if len(self.men[i]) + self.hand[i] < 3), None)
        if loser is None and not self.legal():
            loser = self.player
        if loser is not None:
            return {role: 100 * (i != loser) for i, role in enumerate(self.roles)}
        return dict.fromkeys(self.roles, 50) if self.quiet == MOST_QUIET else None

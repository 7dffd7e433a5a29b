"""Kalaha in plain Python, to compare its rule sheet with.

The places are numbered in the order of sowing: 0 to 5 are red's houses and 6 is red's store, 7 to
12 are blue's houses and 13 is blue's store.
"""

from dataclasses import dataclass

ROLES = ("red", "blue")
NAMES = ("a1", "b1", "c1", "d1", "e1", "f1", "k1", "f2", "e2", "d2", "c2", "b2", "a2", "k2")
_HOUSES = (range(6), range(7, 13))
_STORES = (6, 13)


@dataclass(frozen=True)
class KalahaModel:
    """A position of Kalaha. `turn` is 0 for red, 1 for blue and -1 after the end."""

    seeds: tuple[int, ...] = (4, 4, 4, 4, 4, 4, 0) * 2
    turn: int = 0

    @property
    def mover(self) -> str | None:
        return ROLES[self.turn] if self.turn >= 0 else None

    def list_actions(self) -> list[str]:
        houses = _HOUSES[self.turn] if self.turn >= 0 else ()
        return [f"sow {NAMES[house]}" for house in houses if self.seeds[house]]

    def list_facts(self) -> set[str]:
        """Return the numbers of seeds as the facts of the sheet."""
        return {f"(pit {name} {n})" for name, n in zip(NAMES, self.seeds, strict=True)}

    def play(self, action: str) -> "KalahaModel":
        seeds, place = list(self.seeds), NAMES.index(action.split()[1])
        hand, seeds[place] = seeds[place], 0
        while hand:
            place = (place + 1) % 14
            if place != _STORES[1 - self.turn]:
                seeds[place] += 1
                hand -= 1
        opposite = 12 - place
        if place in _HOUSES[self.turn] and seeds[place] == 1 and seeds[opposite]:
            seeds[_STORES[self.turn]] += 1 + seeds[opposite]
            seeds[place] = seeds[opposite] = 0
        left = [sum(seeds[house] for house in houses) for houses in _HOUSES]
        if 0 in left:
            totals = [seeds[store] + rest for store, rest in zip(_STORES, left, strict=True)]
            empty = [0] * 6
            return KalahaModel((*empty, totals[0], *empty, totals[1]), -1)
        goes_on = place == _STORES[self.turn]
        return KalahaModel(tuple(seeds), self.turn if goes_on else 1 - self.turn)

    @property
    def goals(self) -> dict[str, int] | None:
        if self.turn >= 0:
            return None
        red, blue = (self.seeds[store] for store in _STORES)
        points = 50 if red == blue else 100 * (red > blue)
        return {"red": points, "blue": 100 - points}

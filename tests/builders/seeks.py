"""Rated seekers: most accept anyone, some limit ratings, some have played each other."""

from collections.abc import Sequence
from random import Random

from lobby.seeks.pool import Apart, Pair, Seeker, compute_worth


def create_seekers(number: int, seed: int) -> tuple[list[Seeker], Apart]:
    """Create seekers, and the pairs who must not meet.

    One seeker in ten has blocked a player of similar strength.
    """
    random = Random(seed)
    seekers = [_seeker(place, number, random) for place in range(number)]
    order = sorted(seekers, key=lambda seeker: seeker.rating)
    apart = {
        frozenset((one.player_id, order[min(number - 1, place + random.randint(1, 3))].player_id))
        for place, one in enumerate(order)
        if random.random() < 0.1
    }
    return seekers, apart


def _seeker(place: int, number: int, random: Random) -> Seeker:
    rating, lowest, highest = random.gauss(1500, 300), 0, 4000
    kind = random.random()
    if kind < 0.2:  # of their own strength
        wide = random.choice((100, 200, 300))
        lowest, highest = int(rating) - wide, int(rating) + wide
    elif kind < 0.25:  # only stronger ones
        lowest, highest = int(rating) + 50, int(rating) + 400
    return Seeker(
        seek_id=f"seek{place:05}",
        player_id=place,
        rating=rating,
        waited=random.choice((0.0, 1.0, 2.0, 4.0, 7.0, 9.0)),
        lowest=lowest,
        highest=highest,
        last=(random.randrange(number),) * 2 if random.random() < 0.2 else (),
    )


def get_total_worth(pairs: Sequence[Pair]) -> float:
    """Return the total worth of the pairs."""
    return sum(compute_worth(*pair) for pair in pairs)


def get_mean_distance(pairs: Sequence[Pair]) -> float:
    """Return the mean rating difference."""
    return sum(abs(one.rating - other.rating) for one, other in pairs) / max(1, len(pairs))

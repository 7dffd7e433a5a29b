"""Compare random Swiss tournaments with py4swiss, which pairs each round again.

`python -m tests.bench.tournaments.dutch 500` compares 500 tournaments of up to 40 players, or of
the number in a second argument, and prints each difference that has no explanation.

py4swiss follows the edition of the rules that was in force until January 2026, and we follow its
successor. Three rules differ. An unplayed round used to be a downfloat; now only one that gave
points is. The bye, if its points leave a choice, now goes to the player with the most games
(C.9). Where we differ, our library pairs again with the old form of these two rules and must then
agree. The third: the bye goes to the lowest score that can have it (C.5), so ours can go to a
player with fewer points. If the rules leave no pairing, we force one and py4swiss has none. For
the remaining differences, `judge` decides from the pairings alone which one the rules prefer.
"""

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from caissify_pairings.engines import dutch
from msgspec import Struct
from msgspec.structs import replace
from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser

from lobby.tournaments.pairing import swiss
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, CannotPair, Entrant, Pair, RoundGame
from lobby.tournaments.pairing.history import Past, build_histories
from lobby.tournaments.pairing.trf import About, render_trf
from tests.bench.tournaments.judge import better


class Round(Struct):
    """A round that both have paired. None means that no pairing exists."""

    seed: int
    entrants: list[Entrant]
    games: list[RoundGame]
    number: int
    rounds: int
    absent: set[int]
    ours: frozenset[Pair] | None
    theirs: frozenset[Pair] | None


def tournament(seed: int, most: int = 40, compare: bool = True) -> Iterator[Round]:
    """Return a tournament's rounds as we paired them, with absences, byes, late entries and
    forfeits.
    """
    rng = random.Random(seed)
    count = rng.randint(4, most)
    rounds = rng.randint(2, min(9, swiss.get_max_rounds(count)))
    away = rng.choice([0.0, 0.0, 0.05, 0.15])
    order = list(range(1, count + 1))
    rng.shuffle(order)  # entry ids say nothing about strength
    entrants = [
        Entrant(entry, place, 2300.0 - 20 * place, f"P{entry}")
        for place, entry in enumerate(order, 1)
    ]
    late = {one.entry: rng.choice([1, 1, 1, 2, 3]) if away else 1 for one in entrants}
    games: list[RoundGame] = []
    for number in range(1, rounds + 1):
        absent = {
            one.entry for one in entrants if number < late[one.entry] or rng.random() < away / 2
        }
        if count - len(absent) < 2:
            return
        both = None
        ours = _ours(entrants, games, number, rounds, absent)
        if compare:
            both = theirs(entrants, games, number, rounds, absent)
        yield Round(seed, entrants, list(games), number, rounds, absent, ours, both)
        if ours is None:
            return
        for entry in absent:
            half = rng.random() < 0.5
            kind = "half-bye" if half else "zero-bye"
            games.append(RoundGame(number, entry, None, DRAW if half else LOSS, 0, kind))
        games += [_played(pair, number, entrants, rng, away) for pair in sorted(ours, key=str)]


def _ours(
    entrants: list[Entrant], games: list[RoundGame], number: int, rounds: int, absent: set[int]
) -> frozenset[Pair] | None:
    try:
        return frozenset(swiss.pair_round(entrants, games, number, rounds, absent))
    except CannotPair:
        return None


def as_before(each: Round) -> frozenset[Pair] | None:
    """Return the pairs of our library by the previous edition of the rules."""
    weight = dutch.DutchEngine._compute_bracket_edge_weight

    def without_c9(*args: Any, **kwargs: Any) -> Any:
        return weight(*args, **{**kwargs, "unplayed_game_ranks": None})

    def floated(
        entrants: Sequence[Entrant], games: Sequence[RoundGame], number: int
    ) -> dict[int, Past]:
        found = build_histories(entrants, games, number)
        played = {
            (entry, game.round)
            for game in games
            if game.is_played
            for entry in (game.first, game.second)
        }
        return {
            entry: replace(
                past,
                floats=tuple(
                    kind if (entry, place) in played else "down"
                    for place, kind in enumerate(past.floats, 1)
                ),
            )
            for entry, past in found.items()
        }

    with (
        patch.object(dutch.DutchEngine, "_compute_bracket_edge_weight", without_c9),
        patch.object(swiss, "build_histories", floated),
    ):
        return _ours(each.entrants, each.games, each.number, each.rounds, each.absent)


def reason(each: Round) -> str:
    """Return why we differ from py4swiss: `same` if we agree, "" if theirs is no worse."""
    if each.ours == each.theirs:
        return "same"
    if each.theirs is None:
        return "forced"
    points = build_histories(each.entrants, each.games, each.number)
    bye, other = (
        [points[pair.first].points for pair in pairs or () if pair.second is None]
        for pairs in (each.ours, each.theirs)
    )
    if bye < other:
        return "lower bye"
    if as_before(each) == each.theirs:
        return "edition"
    present = [points[entry] for entry in points if entry not in each.absent]
    if each.ours is None:
        return ""
    best = better(present, each.ours, each.theirs, each.number, each.rounds)
    return "theirs is worse" if best == "ours" else ""


def theirs(
    entrants: list[Entrant], games: list[RoundGame], number: int, rounds: int, absent: set[int]
) -> frozenset[Pair] | None:
    """Return the pairs of py4swiss for our report file."""
    text = render_trf(About("Test", rounds), entrants, games, absent=absent)
    entries = [one.entry for one in sorted(entrants, key=lambda one: one.seed)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tournament.trf"
        path.write_text(text, encoding="ascii")
        parsed = TrfParser.parse(path, strict=True)
    assert all(len(each.results) == number - 1 for each in parsed.player_sections)
    try:
        pairs = DutchEngine.generate_pairings(parsed)
    except PairingError:
        return None
    return frozenset(
        Pair(entries[each.white - 1], entries[each.black - 1] if each.black else None)
        for each in pairs
    )


def _played(
    pair: Pair, number: int, entrants: list[Entrant], rng: random.Random, away: float
) -> RoundGame:
    if pair.second is None:
        return RoundGame(number, pair.first, None, WIN, 0, "bye")
    seeds = {one.entry: one.seed for one in entrants}
    edge = (seeds[pair.second] - seeds[pair.first]) / len(entrants)
    if rng.random() < away / 2:
        points = rng.choice([(WIN, LOSS), (LOSS, WIN), (LOSS, LOSS)])
        return RoundGame(number, pair.first, pair.second, *points, "forfeit")
    luck = rng.random() + 0.4 * edge
    first = WIN if luck > 0.6 else DRAW if luck > 0.4 else LOSS
    return RoundGame(number, pair.first, pair.second, first, WIN - first)


def main(count: int, most: int = 40) -> None:
    reasons: Counter[str] = Counter()
    for seed in range(count):
        for each in tournament(seed, most):
            why = reason(each)
            reasons[why or "unknown"] += 1
            if not why:
                print(f"seed {seed}, round {each.number} of {each.rounds}:", flush=True)
                ours, other = each.ours or frozenset(), each.theirs or frozenset()
                print("  ours  ", sorted((one.first, one.second or 0) for one in ours - other))
                print("  theirs", sorted((one.first, one.second or 0) for one in other - ours))
    print(f"{count} tournaments, {reasons.total()} rounds:", dict(reasons))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

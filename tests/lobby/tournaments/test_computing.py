"""A Swiss round gets the same pairs when another process computes them."""

import asyncio

import pytest

from lobby.tournaments.field import PairingInput, compute_pairs
from lobby.tournaments.lifecycle_loop import compute_round
from lobby.tournaments.pairing.field import CannotPair, Entrant, RoundGame


def asked(players: int, number: int = 1, rounds: int = 3, kind: str = "swiss") -> PairingInput:
    entrants = tuple(Entrant(n + 100, n, 2000.0 - n, f"Player {n}") for n in range(1, players + 1))
    games = tuple(
        RoundGame(round_, 101 + seat, 101 + seat + round_, 100, 0)
        for round_ in range(1, number)
        for seat in range(0, players - round_, 2 * round_)
    )
    return PairingInput(kind, entrants, games[: (number - 1) * players // 2], number, rounds)


@pytest.mark.parametrize("kind", ["swiss", "knockout", "round-robin"])
def test_it_gives_the_same_pairs(kind: str) -> None:
    wanted = asked(9, kind=kind)
    found = asyncio.run(compute_round(wanted))
    assert found == compute_pairs(wanted) and len(found) >= 4


def test_what_cannot_be_paired_is_told() -> None:
    with pytest.raises(CannotPair) as caught:
        asyncio.run(compute_round(asked(4, rounds=9)))
    assert caught.value.code == "too-many-rounds"

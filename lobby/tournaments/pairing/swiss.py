"""Swiss tournaments by the Dutch system (FIDE Handbook C.04.3, as of February 2026).

Scores, sides, floats and byes of the rounds before are derived from the games, in `history`. Small
fields are paired by caissify-pairings (`dutch`), `large` ones bracket by bracket.
"""

from collections.abc import Collection, Sequence

from lobby.tournaments.pairing.dutch import Two, exact, forced, is_possible
from lobby.tournaments.pairing.field import CannotPair, Entrant, Game, Pair
from lobby.tournaments.pairing.history import Past, histories, may_meet, seated
from lobby.tournaments.pairing.large_fields import EXACT, large


def most_rounds(players: int) -> int:
    """How many rounds so many players can play without meeting twice or having two byes."""
    return players - 1 + players % 2


def pair(
    entrants: Sequence[Entrant],
    games: Sequence[Game],
    round_number: int,
    rounds: int,
    absent: Collection[int] = (),
) -> tuple[Pair, ...]:
    """The pairs of a round (from 1) of so many, in the order of their boards, a bye last.

    `entrants` are all who ever took part, `games` those of the rounds before; an entrant without a
    game in one of them was away. Who is absent is not paired: those who left, have asked for a bye
    of this round, or come later. The same input gives the same pairs, in whatever order it is.

    Nobody meets anybody twice unless no pairing is left without it; then as few as can be do.
    Nobody gets a bye twice. Raises CannotPair: `too-few-players`, `too-many-rounds` (more rounds
    than opponents), `no-pairing-left` (an odd number of players who all had a bye).
    """
    past = histories(entrants, games, round_number)
    present = [player for player in past.values() if player.entry not in absent]
    if len(present) < 2:
        raise CannotPair("too-few-players", players=len(present))
    if rounds > most_rounds(len(past)):
        raise CannotPair("too-many-rounds", rounds=rounds, most=most_rounds(len(past)))
    twos = _paired(present, round_number, rounds)
    pairs = [Pair(one.entry, None) if other is None else seated(one, other) for one, other in twos]
    return tuple(sorted(pairs, key=lambda pair: _board(pair, past)))


def _paired(present: Sequence[Past], round_number: int, rounds: int) -> list[Two]:
    if round_number > 1 and len(present) > EXACT:
        return large(present, round_number, rounds)
    if round_number == 1 or is_possible(present, round_number, rounds):
        twos = exact(present, round_number, rounds)
        if _is_lawful(twos, present, round_number, rounds):
            return twos
    return forced(present, round_number)


def _is_lawful(twos: list[Two], present: Sequence[Past], round_number: int, rounds: int) -> bool:
    """Whether all are paired once, and nobody against the rules: the library has no word for it
    where it gives up."""
    paired = [player.entry for two in twos for player in two if player is not None]
    byes = [one for one, other in twos if other is None]
    return (
        sorted(paired) == sorted(player.entry for player in present)
        and len(byes) == len(present) % 2
        and all(one.may_have_bye for one in byes)
        and all(may_meet(one, two, round_number, rounds) for one, two in twos if two is not None)
    )


def _board(pair: Pair, past: dict[int, Past]) -> tuple[int, ...]:
    """The order of the boards: the points of the higher ranked, of both, the rank (D.9)."""
    if pair.second is None:
        return (1,)
    both = [past[pair.first], past[pair.second]]
    points, number = min((-player.points, player.number) for player in both)
    return (0, points, -sum(player.points for player in both), number)

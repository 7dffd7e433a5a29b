"""Swiss tournaments by the Dutch system (FIDE Handbook C.04.3, as of February 2026).

`history` derives scores, sides, floats and byes from the earlier games. `dutch` pairs first rounds
and small fields with caissify-pairings. `large_fields` pairs later rounds of large fields bracket
by bracket, with the algorithm for assignments in `assignment`.
"""

from collections.abc import Collection, Sequence

from lobby.tournaments.pairing.dutch import Two, is_possible, pair_exactly, pair_without_rules
from lobby.tournaments.pairing.field import CannotPair, Entrant, Pair, RoundGame
from lobby.tournaments.pairing.history import Past, assign_seats, build_histories, may_meet
from lobby.tournaments.pairing.large_fields import EXACT, pair_large_field


def get_max_rounds(players: int) -> int:
    """Return the number of rounds that can be played without a rematch or a second bye."""
    return players - 1 + players % 2


def pair_round(
    entrants: Sequence[Entrant],
    games: Sequence[RoundGame],
    round_number: int,
    rounds: int,
    absent: Collection[int] = (),
) -> tuple[Pair, ...]:
    """Return the pairs of a round (from 1) in the order of boards, with a bye last.

    `entrants` are all players who ever took part, and `games` are those of the earlier rounds. An
    entrant without a game in one of them was absent. `absent` players are not paired: they have
    left, have a bye, or enter later. The result does not depend on the order of the input.

    If up to `EXACT` players are present, there are rematches only if no pairing exists without one,
    and then as few as possible. In a larger field, rematches are only possible among the last
    players. Nobody gets a second bye. Raise `CannotPair` with a code: `too-few-players` if fewer
    than two are present, `too-many-rounds` if `rounds` exceeds `get_max_rounds`, and
    `no-pairing-left` if an odd number of players have all had a bye.
    """
    past = build_histories(entrants, games, round_number)
    present = [player for player in past.values() if player.entry not in absent]
    if len(present) < 2:
        raise CannotPair("too-few-players", players=len(present))
    if rounds > get_max_rounds(len(past)):
        raise CannotPair("too-many-rounds", rounds=rounds, most=get_max_rounds(len(past)))
    twos = _find_pairs(present, round_number, rounds)
    pairs = [
        Pair(one.entry, None) if other is None else assign_seats(one, other) for one, other in twos
    ]
    return tuple(sorted(pairs, key=lambda pair: _get_board_key(pair, past)))


def _find_pairs(present: Sequence[Past], round_number: int, rounds: int) -> list[Two]:
    if round_number > 1 and len(present) > EXACT:
        return pair_large_field(present, round_number, rounds)
    if round_number == 1 or is_possible(present, round_number, rounds):
        twos = pair_exactly(present, round_number, rounds)
        if _is_lawful(twos, present, round_number, rounds):
            return twos
    return pair_without_rules(present, round_number)


def _is_lawful(twos: list[Two], present: Sequence[Past], round_number: int, rounds: int) -> bool:
    """Return whether everybody is paired once and by the absolute rules.

    The library itself does not report that it has given up.
    """
    paired = [player.entry for two in twos for player in two if player is not None]
    byes = [one for one, other in twos if other is None]
    return (
        sorted(paired) == sorted(player.entry for player in present)
        and len(byes) == len(present) % 2
        and all(one.may_have_bye for one in byes)
        and all(may_meet(one, two, round_number, rounds) for one, two in twos if two is not None)
    )


def _get_board_key(pair: Pair, past: dict[int, Past]) -> tuple[int, ...]:
    """Return a board's sort key (D.9), which puts a bye last.

    The key has the points of the higher-ranked player, the sum of both players' points, and the
    number of the higher-ranked player.
    """
    if pair.second is None:
        return (1,)
    both = [past[pair.first], past[pair.second]]
    points, number = min((-player.points, player.number) for player in both)
    return (0, points, -sum(player.points for player in both), number)

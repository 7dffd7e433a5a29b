"""The pairs of a round: from rows' values to the system of the tournament's kind. No database."""

from typing import Self

from msgspec import Struct

from lobby.models import Tournament
from lobby.tournaments.field import Field
from lobby.tournaments.pairing import berger, knockout
from lobby.tournaments.pairing.field import Entrant, Game, Pair

Kind = Tournament.Kind


class Asked(Struct, frozen=True):
    """All that the pairs of a round follow from."""

    kind: str
    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...]
    number: int
    rounds: int
    absent: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    is_double: bool = False
    best_of: int = 1
    third_place: bool = False

    @classmethod
    def of(cls, tournament: Tournament, field: Field, number: int, absent: tuple[int, ...]) -> Self:
        return cls(
            kind=tournament.kind,
            entrants=field.entrants,
            games=field.games,
            number=number,
            rounds=tournament.rounds,
            absent=absent,
            gone=field.gone,
            is_double=tournament.is_double,
            best_of=tournament.best_of,
            third_place=tournament.third_place,
        )


def pairs_of(asked: Asked) -> tuple[Pair, ...]:
    """The pairs, in the order of boards. Of a knockout, those that are played now and were paired
    before are among them. Raises CannotPair."""
    if asked.kind == Kind.SWISS:
        from lobby.tournaments.pairing import swiss  # takes a while, and few processes need it

        return swiss.pair(
            asked.entrants, asked.games, asked.number, asked.rounds, absent=asked.absent
        )
    if asked.kind == Kind.KNOCKOUT:
        return knockout.next_pairs(
            asked.entrants,
            asked.games,
            best_of=asked.best_of,
            third_place=asked.third_place,
            gone=asked.gone,
        )
    table = berger.rounds(len(asked.entrants), asked.is_double)[asked.number - 1]
    entry = {entrant.seed: entrant.entry for entrant in asked.entrants}
    return tuple(
        Pair(entry[first], None if second is None else entry[second], asked.number)
        for first, second in table
    )

"""Converting a tournament's database rows to the input for pairings and standings."""

from collections.abc import Sequence
from typing import Self

from msgspec import Struct

from games.store.aliases import name_at
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.names import get_hidden_entries
from lobby.tournaments.pairing import berger, knockout
from lobby.tournaments.pairing.field import Entrant, Pair, RoundGame

PAIRED = ("round", "board", "leg")
"""The order of pairings. The finished pairings of an arena are ordered by their end instead."""


class Field(Struct, frozen=True):
    """The players of a tournament, and the finished games in order."""

    entrants: tuple[Entrant, ...]
    games: tuple[RoundGame, ...]
    # The entries of players who do not continue: they withdrew, were removed or are eliminated.
    gone: tuple[int, ...]


def get_field(tournament: Tournament) -> Field:
    """Return the players with a seed, even if they no longer take part, and the finished games.

    This takes at most three queries if the tournament's group is loaded.
    """
    rows = Entry.objects.filter(tournament=tournament, seed__isnull=False).order_by("seed")
    named = list(
        rows.annotate(name=name_at("player")).values_list("pk", "seed", "rating", "name", "state")
    )
    hidden = get_hidden_entries(tournament)
    entrants = tuple(
        Entrant(pk, seed or 0, rating, hidden.get(pk) or name)
        for pk, seed, rating, name, _ in named
    )
    gone = tuple(pk for pk, *_, state in named if state != Entry.State.IN)
    return Field(
        entrants, tuple(get_round_game(each) for each in get_finished_pairings(tournament)), gone
    )


def get_finished_pairings(tournament: Tournament) -> Sequence[Pairing]:
    """Return the finished pairings in order (see `PAIRED`)."""
    rows = Pairing.objects.filter(tournament=tournament, ended_at__isnull=False)
    return list(rows.order_by(*(("ended_at", "pk") if tournament.is_arena else PAIRED)))


def get_live_pairings(tournament: Tournament) -> Sequence[Pairing]:
    """Return the live pairings in the order of `PAIRED`, with their matches."""
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None).order_by(*PAIRED)
    return list(rows.select_related("match"))


def get_round_game(pairing: Pairing) -> RoundGame:
    """Convert a finished pairing, which can be a bye, to a `RoundGame`."""
    return RoundGame(
        round=pairing.round,
        first=pairing.first_id,
        second=pairing.second_id,
        first_points=pairing.first_points or 0,
        second_points=pairing.second_points or 0,
        kind=pairing.kind,  # type: ignore[arg-type]  # both types have the same values
        board=pairing.board,
        first_berserk=bool(pairing.berserk & 1),
        second_berserk=bool(pairing.berserk & 2),
    )


Kind = Tournament.Kind


class PairingInput(Struct, frozen=True):
    """The complete input from which the pairs of a round are computed."""

    kind: str
    entrants: tuple[Entrant, ...]
    games: tuple[RoundGame, ...]
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


def compute_pairs(asked: PairingInput) -> tuple[Pair, ...]:
    """Return the pairs in the order of boards, without using the database.

    In a knockout, the pairs include stored ones whose game is still being played. Raise
    `CannotPair` if no valid pairing exists.
    """
    if asked.kind == Kind.SWISS:
        from lobby.tournaments.pairing import swiss  # a slow import that few processes need

        return swiss.pair_round(
            asked.entrants, asked.games, asked.number, asked.rounds, absent=asked.absent
        )
    if asked.kind == Kind.KNOCKOUT:
        return knockout.pair_next_games(
            asked.entrants,
            asked.games,
            best_of=asked.best_of,
            third_place=asked.third_place,
            gone=asked.gone,
        )
    table = berger.build_rounds(len(asked.entrants), asked.is_double)[asked.number - 1]
    entry = {entrant.seed: entrant.entry for entrant in asked.entrants}
    return tuple(
        Pair(entry[first], None if second is None else entry[second], asked.number)
        for first, second in table
    )

"""A tournament's rows as the values that pairings and tables are computed from."""

from collections.abc import Sequence

from msgspec import Struct

from games.store.aliases import name_at
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.names import hidden_entries
from lobby.tournaments.pairing.field import Entrant, Game

PAIRED = ("round", "board", "leg")
"""The order of the pairings but those of an arena, which are in the order of their ends."""


class Field(Struct, frozen=True):
    """Who takes part, and the games that are over, in order."""

    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...]
    gone: tuple[int, ...]  # entries that do not play on: withdrawn, removed, or out


def field_of(tournament: Tournament) -> Field:
    """The field: all who have a seed, withdrawn or not. Three queries."""
    rows = Entry.objects.filter(tournament=tournament, seed__isnull=False).order_by("seed")
    named = list(
        rows.annotate(name=name_at("player")).values_list("pk", "seed", "rating", "name", "state")
    )
    hidden = hidden_entries(tournament)
    entrants = tuple(
        Entrant(pk, seed or 0, rating, hidden.get(pk) or name)
        for pk, seed, rating, name, _ in named
    )
    gone = tuple(pk for pk, *_, state in named if state != Entry.State.IN)
    return Field(entrants, tuple(game_of(each) for each in over(tournament)), gone)


def over(tournament: Tournament) -> Sequence[Pairing]:
    """The pairings that are over, in their order."""
    rows = Pairing.objects.filter(tournament=tournament, ended_at__isnull=False)
    return list(rows.order_by(*(("ended_at", "pk") if tournament.is_arena else PAIRED)))


def live(tournament: Tournament) -> Sequence[Pairing]:
    """The pairings that are played now, in their order, with their matches."""
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None).order_by(*PAIRED)
    return list(rows.select_related("match"))


def game_of(pairing: Pairing) -> Game:
    """A pairing that is over, as a game."""
    return Game(
        round=pairing.round,
        first=pairing.first_id,
        second=pairing.second_id,
        first_points=pairing.first_points or 0,
        second_points=pairing.second_points or 0,
        kind=pairing.kind,  # type: ignore[arg-type]  # the same words
        board=pairing.board,
        first_berserk=bool(pairing.berserk & 1),
        second_berserk=bool(pairing.berserk & 2),
    )

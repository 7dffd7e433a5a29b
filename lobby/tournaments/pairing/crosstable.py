"""The crosstable of a tournament: for each player, the games by round and by opponent."""

from collections.abc import Sequence

from msgspec import Struct

from lobby.tournaments.pairing.field import Entrant, GameKind, RoundGame, group_games
from lobby.tournaments.pairing.standings import Row

MOST_AGAINST = 64


class Cell(Struct, frozen=True):
    """A player's side of a game.

    `rank` is the rank of the opponent, or None without an opponent. `began` is True if the player
    moved first, and None if the game was not played.
    """

    round: int
    opponent: int | None
    rank: int | None
    points: int
    began: bool | None
    kind: GameKind


class CrosstableRow(Struct, frozen=True):
    """A row of the crosstable.

    `rounds` has a tuple of cells for each round: none if the player was absent, usually one, or the
    games of a match in a knockout. It is empty in an arena. `against` has a tuple of the games
    against the player of each row. It is empty if the table has more than `MOST_AGAINST` rows.
    """

    row: Row
    name: str
    rounds: tuple[tuple[Cell, ...], ...]
    against: tuple[tuple[Cell, ...], ...]


def build_crosstable(
    entrants: Sequence[Entrant], games: Sequence[RoundGame], rows: Sequence[Row]
) -> tuple[CrosstableRow, ...]:
    """Return the crosstable in the order of `rows`, the standings of the same games."""
    names = {one.entry: one.name for one in entrants}
    ranks = {row.entry: row.rank for row in rows}
    places = {row.entry: place for place, row in enumerate(rows)}
    last = max((game.round for game in games), default=0)
    own = group_games(games)
    lines: list[CrosstableRow] = []
    for row in rows:
        rounds: list[list[Cell]] = [[] for _ in range(last)]
        against: list[list[Cell]] = [[] for _ in rows] if len(rows) <= MOST_AGAINST else []
        for game in own.get(row.entry, ()):
            cell = _build_cell(game, row.entry, ranks)
            if game.round:
                rounds[game.round - 1].append(cell)
            if against and cell.opponent is not None:
                against[places[cell.opponent]].append(cell)
        shown = tuple(map(tuple, rounds)), tuple(map(tuple, against))
        lines.append(CrosstableRow(row, names[row.entry], *shown))
    return tuple(lines)


def _build_cell(game: RoundGame, entry: int, ranks: dict[int, int]) -> Cell:
    opponent = game.opponent_of(entry)
    return Cell(
        round=game.round,
        opponent=opponent,
        rank=None if opponent is None else ranks[opponent],
        points=game.points_of(entry),
        began=game.first == entry if game.is_played else None,
        kind=game.kind,
    )

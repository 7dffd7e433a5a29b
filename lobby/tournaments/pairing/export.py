"""Exporting a tournament's table as CSV, or its table and games as JSON.

`trf` exports a Swiss as TRF16.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from lobby.tournaments.pairing.crosstable import Cell, build_crosstable
from lobby.tournaments.pairing.field import DRAW, WIN, Entrant, Kind, RoundGame
from lobby.tournaments.pairing.standings import Row

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


class Whole(Struct, frozen=True):
    """A tournament to be exported. `rows` are the standings of its games."""

    name: str
    kind: Kind
    rounds: int
    tie_breaks: tuple[str, ...]
    entrants: Sequence[Entrant]
    games: Sequence[RoundGame]
    rows: Sequence[Row]


def build_structure(whole: Whole, about: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the structure that is encoded as JSON.

    `entry` identifies a player. A won game gives 1 point; the points in the standings of an arena
    are those of arenas. `about` has further fields for the top level, such as addresses and times.
    """
    names = {one.entry: one for one in whole.entrants}
    return {
        **(about or {}),
        "name": whole.name,
        "kind": whole.kind,
        "rounds": whole.rounds,
        "tie_breaks": list(whole.tie_breaks),
        "standings": [
            {
                "rank": row.rank,
                "entry": row.entry,
                "name": names[row.entry].name,
                "seed": names[row.entry].seed,
                "rating": names[row.entry].rating,
                "points": row.points / WIN,
                "tie_breaks": dict(zip(whole.tie_breaks, row.tie_breaks, strict=True)),
                "performance": row.performance,
                "played": row.played,
            }
            for row in whole.rows
        ],
        "games": [_build_game(game) for game in whole.games],
    }


def _build_game(game: RoundGame) -> dict[str, Any]:
    built: dict[str, Any] = to_builtins(game)
    return {
        **built,
        "first_points": game.first_points / WIN,
        "second_points": None if game.second is None else game.second_points / WIN,
    }


def render_csv(whole: Whole) -> str:
    """Render the table as CSV with a header row.

    Each round has a column: `12w1` is a win against rank 12 when moving first, `12+` and `12-` are
    forfeits, and `U`, `H` and `Z` are byes. Names that a spreadsheet would interpret as a formula
    are prefixed with an apostrophe.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    lines = build_crosstable(whole.entrants, whole.games, whole.rows)
    seeds = {one.entry: one for one in whole.entrants}
    rounds = max((len(line.rounds) for line in lines), default=0)
    head = ["rank", "name", "rating", "points", *whole.tie_breaks, "performance"]
    writer.writerow([*head, *(f"round {number}" for number in range(1, rounds + 1))])
    for line in lines:
        row, rating = line.row, seeds[line.row.entry].rating
        writer.writerow(
            [
                row.rank,
                escape_formula(line.name),
                "" if rating is None else round(rating),
                row.points / WIN,
                *row.tie_breaks,
                "" if row.performance is None else round(row.performance),
                *(" ".join(_render_cell(cell) for cell in cells) for cells in line.rounds),
            ]
        )
    return out.getvalue()


def _render_cell(cell: Cell) -> str:
    if cell.opponent is None:
        return {"bye": "U", "half-bye": "H"}.get(cell.kind, "Z")
    if cell.began is None:
        return f"{cell.rank}{'+' if cell.points >= WIN else '-'}"
    result = "1" if cell.points >= WIN else "=" if cell.points >= DRAW else "0"
    return f"{cell.rank}{'w' if cell.began else 'b'}{result}"


def escape_formula(text: str) -> str:
    """Prefix text with an apostrophe if a spreadsheet would interpret it as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text

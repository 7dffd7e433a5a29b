"""Render a Swiss as a Tournament Report File (TRF16, FIDE Handbook C.04 annex 2).

The file includes the lines XXR, XXC and, if players are absent, XXZ, which are extensions by
pairing programs. The seat that moves first is "w".
"""

import unicodedata
from collections.abc import Collection, Sequence
from datetime import date

from msgspec import Struct

from lobby.tournaments.pairing.field import (
    DRAW,
    WIN,
    Entrant,
    RoundGame,
    group_games,
    rank_entrants,
)

MOST = 9999  # the maximum number of players, because their numbers have four digits

_NAME = 33
_LINE = 80
_AWAY = "0000 - Z"


class About(Struct, frozen=True):
    """The header of a TRF16 file."""

    name: str
    rounds: int
    begins: date | None = None
    ends: date | None = None
    kind: str = "Individual: Swiss-System"
    clock: str = ""


def render_trf(
    about: About,
    entrants: Sequence[Entrant],
    games: Sequence[RoundGame],
    ranks: dict[int, int] | None = None,
    absent: Collection[int] = (),
) -> str:
    """Render the file in ASCII. Players are numbered by seed from 1.

    `ranks` has the place of each entry (default: the number). `absent` contains the entries of
    players who are not paired in the next round. The file ends with the last round that has a game.
    Raise `ValueError` for more than `MOST` players.
    """
    order = rank_entrants(entrants)
    if len(order) > MOST:
        raise ValueError(f"at most {MOST} players")
    numbers = {one.entry: number for number, one in enumerate(order, 1)}
    played = group_games(games)
    last = max((game.round for game in games), default=0)
    lines = _render_head(about, order)
    for one in order:
        rank = (ranks or numbers).get(one.entry, numbers[one.entry])
        lines.append(_render_player(one, numbers, played.get(one.entry, []), rank, last))
    lines += [f"XXR {about.rounds}", "XXC white1"]
    away = sorted(numbers[entry] for entry in absent if entry in numbers)
    if away:
        lines.append("XXZ " + " ".join(str(number) for number in away))
    return "".join(f"{line}\r\n" for line in lines)


def _render_head(about: About, order: Sequence[Entrant]) -> list[str]:
    rated = sum(one.rating is not None for one in order)
    return [
        f"012 {convert_to_ascii(about.name, _LINE)}",
        f"042 {_render_date(about.begins)}",
        f"052 {_render_date(about.ends)}",
        f"062 {len(order)}",
        f"072 {rated}",
        f"092 {convert_to_ascii(about.kind, _LINE)}",
        f"122 {convert_to_ascii(about.clock, _LINE)}",
    ]


def _render_player(
    one: Entrant, numbers: dict[int, int], games: Sequence[RoundGame], rank: int, last: int
) -> str:
    rounds = [_AWAY] * last
    for game in games:
        rounds[game.round - 1] = _render_result(game, one.entry, numbers)
    number = numbers[one.entry]
    name = convert_to_ascii(one.name, _NAME) or f"Player {number}"
    rating = "" if one.rating is None else str(min(max(round(one.rating), 0), 9999))
    points = sum(game.points_of(one.entry) for game in games) / WIN
    line = f"001 {number:>4}      {name:<{_NAME}} {rating:>4} {'':3} {'':>11} {'':10} "
    line += f"{points:>4.1f} {rank:>4}"
    return line + "".join(f"  {each}" for each in rounds)


def _render_result(game: RoundGame, entry: int, numbers: dict[int, int]) -> str:
    opponent = game.opponent_of(entry)
    points = game.points_of(entry)
    if opponent is None:
        token = {"bye": "U", "half-bye": "H"}.get(game.kind, "Z")
        return f"0000 - {token}"
    side = "w" if game.first == entry else "b"
    if game.is_played:
        token = "1" if points >= WIN else "=" if points >= DRAW else "0"
    else:
        token = "+" if points >= WIN else "-"
    return f"{numbers[opponent]:>4} {side} {token}"


def convert_to_ascii(text: str, most: int) -> str:
    """Reduce the text to one line of at most `most` characters of printable ASCII.

    Accents are removed. Other characters that are not in ASCII are replaced with "?".
    """
    plain = "".join(
        each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each)
    )
    shown = ("?" if each > "~" else each if each >= " " else " " for each in plain)
    return " ".join("".join(shown).split())[:most].strip()


def _render_date(day: date | None) -> str:
    return "" if day is None else f"{day:%Y/%m/%d}"

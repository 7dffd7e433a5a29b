"""The wall: what people play right now, on a few boards that change by themselves."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from msgspec import to_builtins
from msgspec.structs import asdict

from games.match.clock import clock_words
from games.rules import GAMES
from games.words import name_of, say, words
from lobby.live.boards import Board, drawing
from lobby.live.protocol import WallMatch
from lobby.live.wall import PLACES, read_wall


@require_safe
def wall(request: HttpRequest) -> HttpResponse:
    """The page with the wall; without scripts it shows how things stood when it was made."""
    entries = read_wall()
    frame = {
        "matches": [to_builtins(match) for match, _ in entries],
        "boards": [
            to_builtins(drawing(match.match, match.game, None, board), str_keys=True)
            for match, board in entries
        ],
    }
    context = {
        "matches": [_drawn(match, board) for match, board in entries],
        "free": range(PLACES - len(entries)),
        "games": GAMES,
        "frame": frame,
    }
    return render(request, "lobby/tv.html", context)


def _drawn(match: WallMatch, board: Board) -> dict[str, Any]:
    names = [seat.name for seat in match.seats.values()]
    players = words("match.against", one=names[0], other=names[1])
    said = {
        "game_name": name_of(match.game),
        "clock_said": say(clock_words(match.clock)),
        "watched": say(words("wall.watchers", count=match.watchers)) if match.watchers else "",
        "label": say(words("match.watch", game=words(f"{match.game}.name"), players=players)),
    }
    seats = [
        {"role": role, "name": seat.name, "mark": board.badges[role], "moves": role == board.turn}
        for role, seat in match.seats.items()
    ]
    return {**asdict(match), **asdict(board), **said, "seats": seats}

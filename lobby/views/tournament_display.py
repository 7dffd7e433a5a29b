"""What a tournament's page for the wall of the room shows: panels that take turns."""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.http import HttpRequest
from msgspec import to_builtins

from games.messages import build_message, render
from lobby.live.tournaments import read_tournament, whole
from lobby.models import Pairing, Tournament
from lobby.tournaments.labels import facts, players_words, state_words
from lobby.views.tournament_page import next_said
from lobby.views.tournament_rows import game_row

_GAMES, _PLACES = 24, 30  # on one panel
_PANELS = 6  # of each at the most: nobody waits longer in front of a wall

T = TypeVar("T")


def context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """All that its template needs."""
    shown = read_tournament(tournament)
    started = tournament.started_at is not None
    is_over = tournament.state == Tournament.State.OVER
    code = "final" if is_over else "now" if started else "players"
    title = render(build_message(f"standings.{code}"))
    return {
        "tournament": tournament,
        "stage": shown.stage,
        "state_said": state_words(tournament),
        "next": next_said(tournament),
        "pairs": [] if is_over else _pairs(tournament),
        "standings": _panels(title, shown.lines, _PLACES),
        "facts": [*facts(tournament), players_words(shown.players)],
        "address": request.build_absolute_uri(tournament.get_absolute_url()),
        "frame": to_builtins(whole(shown), str_keys=True),
    }


def _pairs(tournament: Tournament) -> list[dict[str, Any]]:
    """The games of the round; of an arena, those that are being played."""
    rows = Pairing.objects.filter(tournament=tournament)
    if tournament.is_arena:
        rows = rows.filter(ended_at=None)
        title = render(build_message("tournament.playing"))
    else:
        rows = rows.filter(round=tournament.round)
        title = render(
            build_message("tournament.round", number=tournament.round, rounds=tournament.rounds)
        )
    named = rows.select_related("first__player", "second__player").order_by("board", "leg")
    return _panels(
        title, [game_row(tournament, each) for each in named[: _GAMES * _PANELS]], _GAMES
    )


def _panels(title: str, rows: Sequence[T], most: int) -> list[dict[str, Any]]:
    parts = [rows[at : at + most] for at in range(0, min(len(rows), most * _PANELS), most)]
    several = len(parts) > 1
    return [
        {"title": title, "of": f"{at}/{len(parts)}" if several else "", "rows": part}
        for at, part in enumerate(parts, 1)
    ]

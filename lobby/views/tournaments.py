"""The list of tournaments, the page of one tournament, and its display for a large screen."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from msgspec import to_builtins

from games.messages import build_message
from games.messages import render as render_message
from games.runtime.ids import PATTERN
from lobby.live.tournaments import build_whole_frame, read_tournament
from lobby.models import Pairing, Player, Tournament
from lobby.tournaments import queries
from lobby.tournaments.labels import get_players_label, get_state_label, list_facts
from lobby.tournaments.queries import PageCursor
from lobby.views import tournament_page
from lobby.views.tournament_access import for_viewers, listed, viewer
from lobby.views.tournament_page import next_said
from lobby.views.tournament_rows import build_game_row


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the player's tournaments, and running, upcoming and finished ones.

    `?mine=`, `?running=`, `?open=` or `?over=` shows a further page of one list.
    """
    player = viewer(request)
    asked = next((name for name in LISTS if name in request.GET), "")
    last = _place(request.GET[asked]) if asked else None
    if asked and last is None:
        return render(request, "400.html", status=400)
    lists = [
        _list(name, player, last if name == asked else None)
        for name in ([asked] if asked else LISTS)
        if player is not None or name != "mine"
    ]
    context = {
        "lists": [each for each in lists if each["events"] or each["id"] in ("open", asked)],
        "may_make": player is not None and not player.is_guest,
    }
    return render(request, "lobby/tournaments.html", context)


@require_safe
@ensure_csrf_cookie
@for_viewers
def tournament(request: HttpRequest, found: Tournament) -> HttpResponse:
    """Show a tournament.

    `?display` shows it for a large screen. `?display=pairings` shows the pairings alone, if there
    are any, and more of them at a time.
    """
    if "display" in request.GET:
        context = display_context(request, found)
        return render(request, "lobby/tournament_display.html", context)
    try:
        context = _read_consistently(request, found)
    except ValueError:
        return render(request, "400.html", status=400)
    return render(request, "lobby/tournament.html", context)


def _read_consistently(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    """Return the context of the page, if possible from a single state of the tournament.

    The context needs many queries. If the tournament changes while they run, all of them are
    repeated. After `_READS` attempts, the context may be inconsistent.
    """
    for _ in range(_READS):
        context = tournament_page.context(request, found)
        version = Tournament.objects.values_list("version", flat=True).get(pk=found.pk)
        if version == found.version:
            break
        found = queries.get_visible_tournament(viewer(request), found.pk) or found
    return context


_READS = 3  # attempts to read a consistent page; a busy arena changes all the time


def _place(text: str) -> PageCursor | None:
    """Parse the position of a page, as `_written` renders it. Return None if it is invalid."""
    at, _, pk = text.partition("~")
    try:
        found = parse_datetime(at)
        if found is None or found.tzinfo is None or not re.match(PATTERN, pk):
            return None
        return PageCursor(found.astimezone(UTC), pk)
    except (ValueError, OverflowError):  # or a time that is out of range in UTC
        return None


def _written(found: Tournament, column: str) -> str:
    return f"{getattr(found, column).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}~{found.pk}"


def _list(name: str, player: Player | None, last: PageCursor | None) -> dict[str, Any]:
    rows, column = LISTS[name]
    found = rows(player, last)
    here = found[: queries.PAGE]
    following = _written(here[-1], column) if len(found) > queries.PAGE else ""
    return {
        "id": name,
        "title": render_message(build_message(f"tournament-list.{name}")),
        "none": render_message(build_message(f"tournament-list.no-{name}")),
        "events": [listed(each) for each in here],
        "next": f"{name}={following}" if following else "",
        "is_further": last is not None,
    }


def _mine(player: Player | None, last: PageCursor | None) -> Sequence[Tournament]:
    return [] if player is None else queries.list_own_tournaments(player, last)


LISTS: dict[str, tuple[Callable[[Player | None, PageCursor | None], Sequence[Tournament]], str]] = {
    "mine": (_mine, "starts_at"),
    "running": (queries.list_running_tournaments, "starts_at"),
    "open": (queries.list_upcoming_tournaments, "starts_at"),
    "over": (queries.list_finished_tournaments, "ended_at"),
}
"""The lists on the page: the function that reads each, and the column that orders it."""


_GAMES, _PLACES = 24, 30  # games and places on a panel
_ON_ONE_PAGE = 60  # pairings that are readable in small print on a projector
_PANELS = 6  # the maximum number of panels of a list, so that all are shown in a reasonable time

T = TypeVar("T")


def display_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return the template context of the display for a large screen."""
    shown = read_tournament(tournament)
    started = tournament.started_at is not None
    is_over = tournament.state == Tournament.State.OVER
    code = "final" if is_over else "now" if started else "players"
    title = render_message(build_message(f"standings.{code}"))
    only_pairings = request.GET["display"] == "pairings"
    pairs = [] if is_over else _pairs(tournament, _ON_ONE_PAGE if only_pairings else _GAMES)
    return {
        "tournament": tournament,
        "stage": shown.stage,
        "state_said": get_state_label(tournament),
        "next": next_said(tournament),
        "is_alone": only_pairings and bool(pairs),
        "pairs": pairs,
        "standings": [] if only_pairings and pairs else _panels(title, shown.lines, _PLACES),
        "facts": [*list_facts(tournament), get_players_label(shown.players)],
        "address": request.build_absolute_uri(tournament.get_absolute_url()),
        "frame": to_builtins(build_whole_frame(shown), str_keys=True),
    }


def _pairs(tournament: Tournament, most: int) -> list[dict[str, Any]]:
    """Return the games of the round, or the live games of an arena, at most `most` per panel."""
    rows = Pairing.objects.filter(tournament=tournament)
    if tournament.is_arena:
        rows = rows.filter(ended_at=None)
        title = render_message(build_message("tournament.playing"))
    else:
        rows = rows.filter(round=tournament.round)
        title = render_message(
            build_message("tournament.round", number=tournament.round, rounds=tournament.rounds)
        )
    named = rows.select_related("first__player", "second__player").order_by("board", "leg")
    return _panels(
        title, [build_game_row(tournament, each) for each in named[: most * _PANELS]], most
    )


def _panels(title: str, rows: Sequence[T], most: int) -> list[dict[str, Any]]:
    parts = [rows[at : at + most] for at in range(0, min(len(rows), most * _PANELS), most)]
    several = len(parts) > 1
    return [
        {"title": title, "of": f"{at}/{len(parts)}" if several else "", "rows": part}
        for at, part in enumerate(parts, 1)
    ]

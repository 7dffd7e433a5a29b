"""The page of a series: the table of the season, and its tournaments."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.store.aliases import name_at
from lobby.groups.membership import are_all_in
from lobby.models import Entry, Player, Series, Tournament
from lobby.tournaments.labels import render_points
from lobby.tournaments.locking import can_manage_series
from lobby.tournaments.names import get_numbered_name, get_organiser_name, shows_all_names
from lobby.tournaments.pairing.season import SeasonRow, compute_season
from lobby.tournaments.queries import add_player_counts
from lobby.tournaments.series import get_series_results, list_series_tournaments, update_series
from lobby.views.tournament_access import listed, viewer
from lobby.views.tournament_page import number

_PAGE = 100  # players on a page
_SHOWN = 12  # the maximum number of columns, for the latest tournaments


@require_http_methods(["GET", "HEAD", "POST"])
@ensure_csrf_cookie
def series(request: HttpRequest, series_id: str) -> HttpResponse:
    """Show a series. A POST by a player who can manage it ends it."""
    player = viewer(request)
    found = Series.objects.select_related("organiser", "group").filter(pk=series_id).first()
    if found is None or not _may_see(player, found):
        raise Http404
    may_end = can_manage_series(player, found)
    if request.method == "POST":
        if not may_end or player is None:
            return render(request, "403.html", status=403)
        try:
            update_series(player, found.pk, found.name, 0, found.best, found.length)
            messages.success(request, render_message(build_message("tournament-series.ended")))
        except Refused as refusal:
            messages.error(request, render_message(refusal.words))
        return redirect(found)
    try:
        first = number(request, "place") or 1
    except ValueError:
        return render(request, "400.html", status=400)
    events = list_series_tournaments(found)
    lines = _lines(found, events)
    here = lines[first - 1 : first - 1 + _PAGE]
    context = {
        "series": found,
        "facts": _facts(found),
        "may_end": may_end and found.every_days > 0,
        "events": [
            {"number": each.number, "url": each.get_absolute_url()} for each in _columns(events)
        ],
        "rows": _rows(here, found, events, player),
        "next": first + _PAGE if len(lines) > first - 1 + _PAGE else None,
        "tournaments": [listed(each) for each in _counted(events)[::-1]],
    }
    return render(request, "lobby/tournament_series.html", context)


def _may_see(player: Player | None, found: Series) -> bool:
    """Return whether the visitor can see the series.

    A group's series is visible only to members of the group, and to players who can manage it.
    """
    if found.group_id is None or can_manage_series(player, found):
        return True
    return player is not None and are_all_in(found.group_id, [player.pk])


def _facts(found: Series) -> list[str]:
    facts = []
    if organiser := get_organiser_name(found):
        facts.append(render_message(build_message("tournament.run-by", name=organiser)))
    if found.every_days:
        facts.append(
            render_message(build_message("tournament-series.weekly", count=found.every_days))
        )
    best = build_message("tournament-series.best", count=found.best)
    facts.append(render_message(best if found.best else build_message("tournament-series.all")))
    return facts


def _over(events: Sequence[Tournament]) -> list[Tournament]:
    return [each for each in events if each.state == Tournament.State.OVER]


def _columns(events: Sequence[Tournament]) -> list[Tournament]:
    return _over(events)[-_SHOWN:]


def _lines(found: Series, events: Sequence[Tournament]) -> tuple[SeasonRow, ...]:
    numbers = [each.number for each in _over(events)]
    results = get_series_results(found)
    by_event = [
        {player: got[at] for player, got in results.items() if at in got}
        for at in numbers
        if at is not None
    ]
    return compute_season(by_event, found.best or None)


def _rows(
    lines: Sequence[SeasonRow], found: Series, events: Sequence[Tournament], player: Player | None
) -> list[dict[str, Any]]:
    people = [line.player for line in lines]
    entries = Entry.objects.filter(tournament__series=found, player__in=people)
    values = "pk", "player", name_at("player"), "player__is_protected"
    hides = not shows_all_names(found)
    names = {
        player: get_numbered_name(pk) if is_protected and hides else name
        for pk, player, name, is_protected in entries.order_by("-pk").values_list(*values)
    }
    is_arena = bool(events) and events[0].is_arena
    shown = min(_SHOWN, len(_over(events)))
    return [
        {
            "rank": line.rank,
            "name": names.get(line.player, ""),
            "points": render_points(line.total, is_arena),
            "is_me": player is not None and line.player == player.pk,
            "cells": [
                {"text": "" if got is None else render_points(got, is_arena), "counts": counts}
                for got, counts in list(zip(line.results, line.counted, strict=True))[-shown:]
            ],
        }
        for line in lines
    ]


def _counted(events: Sequence[Tournament]) -> list[Tournament]:
    """Return the tournaments, each with its number of players."""
    rows = Tournament.objects.filter(pk__in=[each.pk for each in events])
    return add_player_counts(list(rows.select_related("organiser").order_by("number")))

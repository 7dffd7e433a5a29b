"""The page on which an organiser checks in the members who are present, and starts a tournament."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.match.clock import describe_clock
from games.match.setup import checked
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.rules import DEFAULT_GAME, PLAYABLE_GAMES
from games.runtime.ids import new_id
from lobby.live.online import find_online
from lobby.models import Group
from lobby.models.tournament import LONGEST_TITLE
from lobby.seeks.setup_choices import CONTROLS
from lobby.tournaments import class_tournament
from lobby.tournaments.class_tournament import PossiblePlayer, count_rounds, estimate_round
from lobby.tournaments.draft import MOST_PLAYERS, MOST_ROUNDS, BadDraftError
from lobby.tournaments.labels import get_kind_labels
from lobby.views.classes import for_organiser
from lobby.views.groups import member

_TEMPLATE = "lobby/class_tournament.html"


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def new(request: HttpRequest, group: Group) -> HttpResponse:
    """Show the check-in list, with the players who are online ticked.

    A POST starts the tournament. On pages without scripts, the button `count` only computes the
    number of rounds and the end again.
    """
    candidates = class_tournament.list_possible_players(group)
    if request.method != "POST":
        return _page(request, group, candidates, QueryDict(), _find_present(candidates))
    ticked = _parse_players(request.POST)
    if "count" in request.POST:
        return _page(request, group, candidates, request.POST, ticked)
    form = request.POST
    try:
        setup = checked(form.get("game", ""), form.get("clock", ""))
    except (ValueError, Refused):
        return render(request, "400.html", status=400)
    title = build_message("tournament.of-class", game=get_game_name(setup.game), group=group.name)
    name = render_message(title)[:LONGEST_TITLE]
    kind, rounds = form.get("kind", ""), _parse_rounds(form)
    token = form.get("token", "")[:64]
    once = f"{token} {group.pk} {setup} {kind} {rounds} {sorted(ticked)}" if token else ""
    try:
        made = class_tournament.start_class_tournament(
            member(request), group, name, kind, setup, rounds, ticked, once
        )
    except Refused as refusal:
        fault = render_message(refusal.words)
    except BadDraftError as error:
        fault = " ".join(render_message(each.words) for each in error.faults.values())
    else:
        messages.success(request, render_message(build_message("tournament.made")))
        return redirect(made)
    return _page(request, group, candidates, form, ticked, fault)


def _find_present(candidates: list[PossiblePlayer]) -> set[int]:
    """Return the ids of the players who are online, without the organiser and paused players."""
    free = [each.player for each in candidates if not each.is_organiser and not each.is_paused]
    return find_online(free)


def _parse_players(form: QueryDict) -> set[int]:
    texts = form.getlist("player")[: MOST_PLAYERS["swiss"]]
    return {int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 16}


def _parse_rounds(form: QueryDict) -> int:
    text = form.get("rounds", "")
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        return class_tournament.ROUNDS
    return max(1, min(int(text), MOST_ROUNDS))


def _page(
    request: HttpRequest,
    group: Group,
    candidates: list[PossiblePlayer],
    form: QueryDict,
    ticked: set[int],
    fault: str = "",
) -> HttpResponse:
    clock = form.get("clock", class_tournament.CLOCK)
    if clock not in CONTROLS and clock:
        clock = class_tournament.CLOCK
    kind, rounds = form.get("kind", "swiss"), _parse_rounds(form)
    players = sum(each.player in ticked and not each.is_paused for each in candidates)
    number = count_rounds(kind, rounds, players)
    here = _find_present(candidates)
    context = {
        "group": group,
        "candidates": [(each, each.player in ticked, each.player in here) for each in candidates],
        "games": [(slug, get_game_name(slug)) for slug in PLAYABLE_GAMES],
        "game": form.get("game", DEFAULT_GAME.slug),
        "clocks": _list_clocks(clock),
        "kinds": [(each.value, *get_kind_labels(each)) for each in class_tournament.KINDS],
        "kind": kind,
        "rounds": rounds,
        "most_rounds": MOST_ROUNDS,
        "players": players,
        "plan": _describe_plan(players, number, timezone.now() + number * estimate_round(clock)),
        "token": form.get("token", "")[:64] or new_id(),
        "fault": fault,
    }
    return render(request, _TEMPLATE, context, status=400 if fault else 200)


def _list_clocks(chosen: str) -> list[dict[str, Any]]:
    return [
        {
            "clock": clock,
            "said": render_message(describe_clock(clock)),
            "is_chosen": clock == chosen,
            "seconds": int(estimate_round(clock) / timedelta(seconds=1)),
        }
        for clock in ("", *CONTROLS)
    ]


def _describe_plan(players: int, rounds: int, ends_at: datetime) -> dict[str, Any]:
    return {
        "players": render_message(build_message("tournament.players", count=players)),
        "rounds": render_message(build_message("tournament.rounds", count=rounds)),
        "ends_at": ends_at,
    }

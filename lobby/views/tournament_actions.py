"""The actions of players and organisers on a tournament. Each action handles a form."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.runtime.addresses import get_request_network
from lobby.accounts.guests import get_or_create_player
from lobby.models import Entry, Pairing, Player, Tournament
from lobby.players.people import find_player
from lobby.tournaments import organiser_actions, registration
from lobby.tournaments.locking import can_manage
from lobby.tournaments.states import Act, is_allowed
from lobby.views.tournament_access import for_viewers, viewer

Doing = Callable[[HttpRequest, Player, Tournament], None]


@require_POST
@for_viewers
def do(request: HttpRequest, tournament: Tournament, act: str) -> HttpResponse:
    """Run one of the actions below, and redirect to the page of the tournament.

    A refusal is shown on that page.
    """
    if act in _ORGANISER:
        player = viewer(request)
        if player is None or not can_manage(player, tournament):
            return render(request, "403.html", status=403)
        doing = _ORGANISER[act]
    elif act in _PLAYER:
        player = _player(request, tournament, act)
        if player is None:
            login = reverse("account_login")
            return redirect(f"{login}?next={tournament.get_absolute_url()}")
        doing = _PLAYER[act]
    else:
        return render(request, "404.html", status=404)
    try:
        doing(request, player, tournament)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
    except ValueError:
        return render(request, "400.html", status=400)
    return redirect(tournament)


def _player(request: HttpRequest, tournament: Tournament, act: str) -> Player | None:
    """Return the player who makes the request, or None.

    If guests can play, a visitor who registers becomes a guest.
    """
    player = viewer(request)
    if player is None and act == "register" and tournament.guests:
        return get_or_create_player(request)
    return player


# -- actions of players


def _register(request: HttpRequest, player: Player, tournament: Tournament) -> None:
    address = get_request_network(request)
    registration.register_player(player, tournament, request.POST.get("code", "")[:40], address)
    messages.success(request, render_message(build_message("tournament.joined")))


def _check_in(_: HttpRequest, player: Player, tournament: Tournament) -> None:
    registration.check_in(player, tournament.pk)


def _bye(request: HttpRequest, player: Player, tournament: Tournament) -> None:
    number = _number(request, "round")
    registration.request_bye(player, tournament.pk, number)
    messages.success(request, render_message(build_message("tournament.bye-asked", number=number)))


def _bye_back(request: HttpRequest, player: Player, tournament: Tournament) -> None:
    number = _number(request, "round")
    registration.cancel_bye(player, tournament.pk, number)
    messages.success(request, render_message(build_message("tournament.bye-back", number=number)))


def _withdraw(request: HttpRequest, player: Player, tournament: Tournament) -> None:
    registration.unregister_player(player, tournament)
    messages.success(request, render_message(build_message("tournament.left")))


_PLAYER: Mapping[str, Doing] = {
    "register": _register,
    "check-in": _check_in,
    "bye": _bye,
    "bye-back": _bye_back,
    "withdraw": _withdraw,
}


# -- actions of the organiser


def _add(request: HttpRequest, by: Player, tournament: Tournament) -> None:
    """Invite a player, or enter a late player with half points for some missed rounds."""
    found = find_player(request.POST.get("player", "")[:60], by.pk)
    if found is None:
        raise Refused("no-player")
    if is_allowed(tournament, Act.ADD_LATE):
        halves = _number(request, "half_points") if "half_points" in request.POST else 0
        entry = organiser_actions.add_late_player(by, tournament.pk, found, halves)
    else:
        entry = registration.invite_player(by, tournament.pk, found)
    done = build_message(
        "tournament.added" if entry.is_in else "tournament.invited", name=found.name
    )
    messages.success(request, render_message(done))


def _remove(request: HttpRequest, by: Player, tournament: Tournament) -> None:
    organiser_actions.remove_player(by, tournament.pk, _entry(request, tournament).player_id)


def _forfeit(request: HttpRequest, by: Player, tournament: Tournament) -> None:
    """Record a live game as forfeited.

    The form has either the pairing and the absent seat, or the entry of the absent player.
    """
    if "pairing" in request.POST:
        pairing_id, absent = _number(request, "pairing"), _number(request, "absent")
        organiser_actions.forfeit_game(by, tournament.pk, pairing_id, absent)
        return
    entry = _entry(request, tournament)
    pairing = Pairing.objects.filter(pk=entry.playing_id or 0).first()
    if pairing is None:
        raise Refused("not-live")
    absent = 1 if pairing.first_id == entry.pk else 2
    organiser_actions.forfeit_game(by, tournament.pk, pairing.pk, absent)


def _close_round(request: HttpRequest, by: Player, tournament: Tournament) -> None:
    organiser_actions.close_round(by, tournament.pk, _number(request, "round"))


def _new_code(_: HttpRequest, by: Player, tournament: Tournament) -> None:
    organiser_actions.change_access_code(by, tournament.pk)


def _simple(function: Callable[[Player, str], None]) -> Doing:
    def do_it(_: HttpRequest, by: Player, tournament: Tournament) -> None:
        function(by, tournament.pk)

    return do_it


_ORGANISER: Mapping[str, Doing] = {
    "start": _simple(organiser_actions.start_early),
    "pause": _simple(organiser_actions.pause_tournament),
    "resume": _simple(organiser_actions.resume_tournament),
    "close-round": _close_round,
    "end": _simple(organiser_actions.end_tournament_early),
    "call-off": _simple(organiser_actions.cancel_before_start),
    "new-code": _new_code,
    "add": _add,
    "remove": _remove,
    "forfeit": _forfeit,
}


def _entry(request: HttpRequest, tournament: Tournament) -> Entry:
    found = Entry.objects.filter(pk=_number(request, "entry"), tournament=tournament).first()
    if found is None:
        raise Refused("not-entered")
    return found


def _number(request: HttpRequest, name: str) -> int:
    """Return the number called `name` in the form. Raise `ValueError` if missing or invalid."""
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise ValueError(name)
    return int(text)

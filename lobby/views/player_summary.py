"""Template context about the player, for every page.

It has the player's seeks, invitations and new matches, and the games in which it is the player's
turn. The page of a match also links to its tournament.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from msgspec.structs import replace

from games.match.clock import describe_clock, spell_out_clock
from games.messages import Message, build_message, render
from lobby.live.player_state import (
    PlayerState,
    exclude_match,
    list_waiting_games,
    read_player_state,
)
from lobby.live.protocol import Begun, OfferedSeek, OwnFrame, OwnSeek
from lobby.models import Pairing, Player
from lobby.tournaments.queries import get_visible_tournament

_CLOSED_NOTICES = "closed-notices"  # the name of the cookie


def get_player_context(request: HttpRequest) -> dict[str, Any]:
    """Return the template context for the player, which is empty for visitors without a player.

    `waiting` has the games in which it is the player's turn, and `rows` has the seeks and new
    matches to display. `awaits` tells whether the page should ask for updates.
    """
    user = getattr(request, "user", None)
    if not isinstance(user, Player):
        return {}
    return build_player_context(read_state_for_page(user.pk, request), request)


def read_state_for_page(player_id: int, request: HttpRequest) -> PlayerState:
    """Return the player's state, without new matches whose notices were closed in this browser.

    `static/js/shared/waiting.js` writes the cookie with the ids of these matches.
    """
    mine = read_player_state([player_id])[player_id]
    closed = request.COOKIES.get(_CLOSED_NOTICES, "").split(".")
    begun = tuple(match for match in mine.own.begun if match.match not in closed)
    return replace(mine, own=replace(mine.own, begun=begun))


def get_tournament_context(request: HttpRequest) -> dict[str, str] | None:
    """Return the name and the URL of the tournament to which the requested match belongs.

    Return None if there is no tournament that the viewer may see, and for other pages.
    """
    found = request.resolver_match
    if found is None or found.url_name != "match":
        return None
    rows = Pairing.objects.filter(match=found.kwargs.get("match_id", ""))
    tournament_id = rows.values_list("tournament", flat=True).first()
    user = getattr(request, "user", None)
    viewer = user if isinstance(user, Player) else None
    event = None if tournament_id is None else get_visible_tournament(viewer, tournament_id)
    return None if event is None else {"name": event.name, "url": event.get_absolute_url()}


def build_player_context(mine: PlayerState, request: HttpRequest) -> dict[str, Any]:
    """Return the template context of `get_player_context` for a state that was already read."""
    found = request.resolver_match
    own = exclude_match(mine.own, found.kwargs.get("match_id", "") if found else "")
    event = found.kwargs.get("tournament_id") if found and found.url_name == "tournament" else None
    begun = [each for each in own.begun if event is None or each.tournament != event]
    rows = [_begun(match) for match in begun if match.url != request.path]
    for seek in own.seeks:
        if _address(seek) != request.path:
            offers = [_offer(each, seek) for each in own.offers if each.mine == seek.seek]
            rows.append({**_open(seek), "offers": offers})
    return {"waiting": list_waiting_games(own), "rows": rows, "awaits": own != OwnFrame()}


def _setup_message(
    seek: OwnSeek | OfferedSeek, describe: Callable[[str], Message] = describe_clock
) -> Message:
    name = build_message(f"{seek.game}.name")
    if not seek.clock:
        return name
    code = "waiting.rated-game" if seek.rated else "waiting.game"
    return build_message(code, game=name, clock=describe(seek.clock))


def _open(seek: OwnSeek) -> dict[str, Any]:
    name = build_message(f"{seek.game}.name")
    game, label = _setup_message(seek), _setup_message(seek, spell_out_clock)
    row = {"key": f"seek {seek.seek}", "seek": seek.seek, "since": seek.since}
    if seek.invitation:
        return {
            **row,
            "said": render(build_message("waiting.invitation", game=game)),
            "stop": render(build_message("waiting.withdraw")),
            "label": render(build_message("waiting.withdraw-label", game=label)),
            "show": _address(seek),
            "show_label": render(build_message("waiting.show-label", game=name)),
        }
    return {
        **row,
        "said": render(build_message("waiting.search", game=game)),
        "stop": render(build_message("waiting.stop")),
        "label": render(build_message("waiting.stop-label", game=label)),
    }


def _offer(offer: OfferedSeek, seek: OwnSeek) -> dict[str, Any]:
    waits, play = _codes_of_offer(offer, seek)
    clock, name = describe_clock(offer.clock), offer.player
    text = build_message(play, clock=clock)
    game = _setup_message(offer, spell_out_clock)
    label = build_message("offer.play-label", play=text, game=game, name=name)
    return {
        "seek": offer.seek,
        "said": render(build_message(waits, name=name, clock=clock, rating=offer.rating or "")),
        "play": render(text),
        "label": render(label),
    }


def _codes_of_offer(offer: OfferedSeek, seek: OwnSeek) -> tuple[str, str]:
    """Return the codes of the sentences on an offer and on its button.

    If the player is waiting for a rated game, the sentence says that the offered game is casual.
    """
    if offer.rated:
        return "offer.waits-rated", "offer.play-rated"
    if not offer.clock:
        return "offer.waits-untimed", "offer.play-untimed"
    if seek.rated:
        return "offer.waits-casual", "offer.play-casual"
    return "offer.waits", "offer.play"


def _begun(match: Begun) -> dict[str, Any]:
    code = "waiting.accepted" if match.invitation else "waiting.begun"
    about: dict[str, str | Message] = {
        "game": build_message(f"{match.game}.name"),
        "name": match.opponent,
    }
    if match.event:
        code = "waiting.tournament"
        about["event"] = match.event
    return {
        "key": f"match {match.match}",
        "url": match.url,
        "match": match.match,
        "said": render(build_message(code, **about)),
        "label": render(build_message("waiting.play-label", **about)),
    }


def _address(seek: OwnSeek) -> str:
    return reverse("seek", args=[seek.seek])

"""Tournaments as lists show them."""

from typing import Any

from games.match.clock import clock_words
from games.messages import build_message, get_game_name, render
from lobby.models import Tournament
from lobby.tournaments.labels import players_words, state_words
from lobby.tournaments.names import organiser_of


def listed(found: Tournament) -> dict[str, Any]:
    """A tournament as a list shows it."""
    parts = [
        render(build_message(f"tournament-kind.{found.kind}")),
        get_game_name(found.game),
        render(clock_words(found.clock)),
    ]
    if found.rated:
        parts.append(render(build_message("tournament.rated")))
    is_over = found.state in (Tournament.State.OVER, Tournament.State.CALLED_OFF)
    return {
        "url": found.get_absolute_url(),
        "game": found.game,
        "name": found.name,
        "what": " · ".join(parts),
        "players": players_words(getattr(found, "players", 0)),
        "organiser": organiser_of(found),
        "state": state_words(found),
        "at": found.ended_at if is_over else found.starts_at,
        "is_running": found.state == Tournament.State.RUNNING,
    }

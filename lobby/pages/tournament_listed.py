"""Tournaments as lists show them."""

from typing import Any

from games.match.clock import clock_words
from games.words import name_of, say, words
from lobby.models import Tournament
from lobby.tournaments.names import organiser_of
from lobby.tournaments.said import players_words, state_words


def listed(found: Tournament) -> dict[str, Any]:
    """A tournament as a list shows it."""
    parts = [
        say(words(f"tournament-kind.{found.kind}")),
        name_of(found.game),
        say(clock_words(found.clock)),
    ]
    if found.rated:
        parts.append(say(words("tournament.rated")))
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

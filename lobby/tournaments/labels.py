"""Texts about tournaments, such as their kinds and states, and points in the usual notation."""

from django.utils import timezone
from django.utils.formats import number_format

from games.match.clock import describe_clock
from games.messages import build_message, get_game_name, render
from lobby.models import Pairing, Tournament

_FRACTIONS = {0: "", 25: "¼", 50: "½", 75: "¾"}


def render_points(points: int, is_arena: bool = False) -> str:
    """Render hundredths of a point: "2½" or "1.4". Arena points are whole numbers."""
    if is_arena:
        return str(points // 100)
    whole, part = divmod(points, 100)
    if part in _FRACTIONS:
        fraction = _FRACTIONS[part]
        return f"{whole}{fraction}" if whole or not fraction else fraction
    return number_format(f"{points / 100:.2f}".rstrip("0"))


def render_score(first: int | None, second: int | None) -> str:
    """Render the result of a game with a dash: "1-0" or "½-½", or "" without a result."""
    if first is None or second is None:
        return ""
    return f"{render_points(first)}\N{EN DASH}{render_points(second)}"


def get_bye_label(tournament: Tournament, pairing: Pairing) -> str:
    """Return the text for a round in which a player has no game."""
    if tournament.kind == Tournament.Kind.ROUND_ROBIN:
        return render(build_message("tournament-bye.free"))
    if tournament.kind == Tournament.Kind.KNOCKOUT:
        return render(build_message("tournament-bye.walkover"))
    # The player withdrew before the bye.
    if pairing.kind == Pairing.Kind.BYE and not pairing.first_points:
        return render(build_message("tournament-bye.zero-bye"))
    return render(build_message(f"tournament-bye.{pairing.kind}"))


def get_kind_labels(kind: str) -> tuple[str, str]:
    """Return the name and the description of a kind of tournament."""
    return render(build_message(f"tournament-kind.{kind}")), render(
        build_message(f"tournament-what.{kind}")
    )


def get_tie_break_labels(code: str) -> tuple[str, str]:
    """Return the name and the description of a tie-break."""
    return render(build_message(f"tie-break.{code}")), render(build_message(f"tie-how.{code}"))


def get_state_label(tournament: Tournament) -> str:
    """Return the text for the state of a tournament, including a pause and an imminent start."""
    if tournament.is_paused:
        return render(build_message("tournament-state.paused"))
    if is_starting(tournament):
        return render(build_message("tournament-state.starting"))
    return render(build_message(f"tournament-state.{tournament.state}"))


def is_starting(tournament: Tournament) -> bool:
    """Return whether the start time has passed but the tournament has not started yet."""
    is_before = tournament.state in (Tournament.State.REGISTRATION, Tournament.State.CHECK_IN)
    return is_before and tournament.starts_at <= timezone.now()


def get_players_label(count: int) -> str:
    """Return the text for a number of players."""
    return render(build_message("tournament.players", count=count))


def list_facts(tournament: Tournament) -> list[str]:
    """Return short texts for a tournament's kind, length, game and clock.

    Another one says whether its games are rated. If bots can take part, the last one says so.
    """
    found = [
        render(build_message(f"tournament-kind.{tournament.kind}")),
        _get_length_label(tournament),
        get_game_name(tournament.game),
        render(describe_clock(tournament.clock)),
        render(build_message("tournament.rated" if tournament.rated else "tournament.casual")),
        render(build_message("tournament.bots")) if tournament.admits_bots else "",
    ]
    return [each for each in found if each]


def _get_length_label(tournament: Tournament) -> str:
    if tournament.is_arena:
        return render(build_message("tournament.minutes", count=tournament.minutes))
    if tournament.kind == Tournament.Kind.KNOCKOUT and tournament.best_of > 1:
        return render(build_message("tournament.best-of", games=tournament.best_of))
    if tournament.is_double:
        return render(build_message("tournament.double"))
    return (
        render(build_message("tournament.rounds", count=tournament.rounds))
        if tournament.rounds
        else ""
    )

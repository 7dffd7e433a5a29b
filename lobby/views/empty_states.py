"""Suggestions for an empty lobby: a position to solve, and the last good game."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils import timezone
from msgspec.structs import asdict

from games.boards import BOARDS
from games.lessons import LESSONS
from games.lessons.lesson import play_actions
from games.match.outcome import get_outcome, get_outcome_for
from games.messages import get_game_name, render
from games.models import Match
from games.rules import GAMES, Position
from games.store.matches import read_with_names
from lobby.live.thumbnails import get_thumbnail

_LOOKED_AT = 20  # of the matches that ended last


def get_puzzle() -> dict[str, Any] | None:
    """Return the position of the day in which one move wins, with a page on which to try it."""
    puzzles = [found for slug in LESSONS if (found := _before_the_win(slug)) is not None]
    if not puzzles:
        return None
    slug, position = puzzles[timezone.localdate().toordinal() % len(puzzles)]
    return {
        "game": slug,
        "name": get_game_name(slug),
        "diagram": position.diagram,
        "mark": BOARDS[slug].badge(position, position.turn or ""),
        "url": reverse("analysis-position", args=[slug, position.notation]),
    }


def _before_the_win(slug: str) -> tuple[str, Position] | None:
    """Return the position before the last move of the lesson's main picture, if that move wins."""
    lesson = LESSONS[slug]
    *before, last = lesson.pictures[lesson.shows].actions
    position = play_actions(slug, before)
    goals = position.play(last).goals
    is_won = goals is not None and goals[position.turn or ""] > 50  # of 100 points
    return (slug, position) if is_won else None


def get_last_good_game() -> dict[str, Any] | None:
    """Return the last match between two people that was won on the board, and was not too short.

    Only matches that everybody may see.
    """
    ended = Match.objects.filter(
        status="over", ended="rules", first_level=None, second_level=None, game__in=GAMES
    ).order_by("-ended_at")
    ids = list(ended.values_list("pk", flat=True)[:_LOOKED_AT])
    found = read_with_names(ids, viewer_id=None)
    for state, names in (found[pk] for pk in ids if pk in found):
        result = get_outcome(state)
        if result is None or result.winner is None or state.ply <= state.rules.short_plies:
            continue
        by_role: Mapping[str, str] = dict(zip(state.rules.roles, names, strict=True))
        return {
            **asdict(get_thumbnail(state.game, state.notation, state.last)),
            "match": state.id,
            "game": state.game,
            "said": render(get_outcome_for(result, by_role)),
        }
    return None

"""Matches in the database, played by the journal without a server."""

import random
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from games.journal import events
from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Command, Play, Resign
from games.match.setup import Setup
from games.match.state import MatchState
from games.models import Match
from games.store.records import read_states
from lobby.accounts.guests import new_guest


def create_match(
    game: str, first: Any, second: Any, plies: int = 0, clock: str = "", rated: bool = False
) -> Match:
    """Create a live match in which the first legal action was played `plies` times."""
    match = open_match(Setup(game, clock, rated=rated), first.pk, second.pk, timezone.now())
    _play_plies(match, lambda actions: actions[0], plies)
    match.refresh_from_db()
    return match


def _play_plies(
    match: Match, choose: Callable[[Sequence[str]], str], most: int | None = None
) -> None:
    """Play legal actions, at most that many or until the end, in one transaction."""
    position = match.rules.read(match.notation)
    requests: list[Request] = []
    while position.turn is not None and len(requests) != most:
        seat = match.rules.roles.index(position.turn)
        action = choose(position.actions())
        player_id = (match.first_id, match.second_id)[seat]
        requests.append(Request(match.pk, player_id, Play(len(requests), action)))
        position = position.play(action)
    if requests:
        answers, _ = commit_requests(requests)
        assert all(answer.refused is None for answer in answers), answers


def create_guest_match(
    game: str = "tic-tac-toe", clock: str = "", at: datetime | None = None
) -> Match:
    """Create a live match of two new guests, opened now or at another time."""
    return open_match(Setup(game, clock), new_guest().pk, new_guest().pk, at or timezone.now())


def commit_command(match: Match, player_id: int | None, command: Command, **more: Any) -> None:
    """Commit a command that must be accepted."""
    (answer,), _ = commit_requests([Request(match.pk, player_id, command, **more)])
    assert answer.refused is None, answer


def play_ply(match: Match, ply: int) -> None:
    """Play the first legal action for the player in control."""
    match.refresh_from_db()
    position = match.rules.read(match.notation)
    seat = match.rules.roles.index(position.turn or "")
    player_id = (match.first_id, match.second_id)[seat]
    commit_command(match, player_id, Play(ply, position.actions()[0]))


def get_state(match: Match) -> MatchState:
    """Return the match as a value, as it is stored."""
    return read_states([match.pk])[match.pk]


def request_play(match: Match, ply: int, action: str, known: MatchState | None = None) -> Request:
    """Return a request to play, for a game in which the players alternate."""
    player_id = (match.first_id, match.second_id)[ply % 2]
    return Request(match.pk, player_id, Play(ply, action), known=known)


def create_finished_match(game: str, first: Any, second: Any, seed: int = 1) -> Match:
    """Create a match that was played at random until it ended by its rules."""
    chance = random.Random(seed)
    match = create_match(game, first, second)
    _play_plies(match, chance.choice)
    match.refresh_from_db()
    return match


def create_rated_match(
    first: Any,
    second: Any,
    game: str = "six-in-a-row",
    clock: str = "3+2",
    rated: bool = True,
    plies: int = 4,
) -> Match:
    """Create a live match with enough plies that a resignation counts."""
    return create_match(game, first, second, plies, clock, rated)


def create_rated_win(winner: Any, loser: Any, **how: Any) -> Match:
    """Create a match that `loser` resigned. Its events are not delivered yet."""
    match = create_rated_match(winner, loser, **how)
    commit_command(match, loser.pk, Resign())
    match.refresh_from_db()
    return match


def deliver_events() -> None:
    """Deliver the outbox until it is empty."""
    while events.deliver_events():
        pass

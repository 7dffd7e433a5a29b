"""Requests to the journal from callers of the API, like those from sockets."""

import asyncio

from asgiref.sync import async_to_sync
from django.http import Http404

from games.journal.batch import journal
from games.journal.requests import Answer, Request
from games.live.admission import Admitted, Applicant, admission
from games.live.heartbeat import heart
from games.live.rooms import rooms
from games.match.commands import PlayerCommand
from games.match.state import MatchState
from games.messages.refusal import Refused
from games.runtime.budget import ACTION, budget
from games.runtime.fair_queue import Requester
from lobby.api.caller import ApiCaller


def admit(caller: ApiCaller | None, match_id: str, where: str) -> Admitted:
    """Return the match and the caller's seats, if any.

    Raise `Http404` if the match is unknown or hidden from the caller, and `Refused` if the caller
    is suspended.
    """
    return async_to_sync(_admit)(caller, match_id, where)


def get_seats(caller: ApiCaller, match_id: str, where: str) -> tuple[MatchState, tuple[int, ...]]:
    """Return the match and the caller's seats.

    Raise the exceptions of `admit`, and `Refused` if the caller has no seat.
    """
    admitted = admit(caller, match_id, where)
    assert admitted.state is not None
    if not admitted.seats:
        raise Refused("not-a-player")
    return admitted.state, admitted.seats


def send_command(
    caller: ApiCaller, match_id: str, command: PlayerCommand, where: str
) -> MatchState:
    """Carry out a command, and return the committed match.

    Raise the exceptions of `get_seats`, and `Refused` if the command is refused.
    """
    state, seats = get_seats(caller, match_id, where)
    return send_command_knowing(caller, state, seats, command, where)


def send_command_knowing(
    caller: ApiCaller, state: MatchState, seats: tuple[int, ...], command: PlayerCommand, where: str
) -> MatchState:
    """Carry out a command in a match that has just been read, like `send_command`."""
    people = state.first_id, state.second_id
    request = Request(
        state.id,
        caller.player_id,
        command,
        0,
        state,
        Requester(where, caller.player_id),
        tuple(people[seat] for seat in seats),
    )
    answer: Answer = async_to_sync(_ask)(request, where)
    if answer.refusal is not None:
        raise answer.refusal
    if answer.state is None:
        raise Http404
    return answer.state


async def _admit(caller: ApiCaller | None, match_id: str, where: str) -> Admitted:
    await heart().beats()
    key = "" if caller is None else caller.key
    admitted = await admission().admit(Applicant(key, match_id), where)
    if admitted.held is not None:
        raise admitted.held.refusal
    if admitted.state is None:
        raise Http404
    return admitted


async def _ask(request: Request, where: str) -> Answer:
    assert request.player_id is not None
    if not budget().may_act(where, request.player_id, ACTION):
        raise Refused("too-fast")
    answer: Answer = await asyncio.shield(journal().ask(request))
    if answer.refusal is None:
        budget().granted(where, request.player_id)
    if answer.state is not None:
        rooms().take([answer.state])
    return answer

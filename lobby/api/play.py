"""Operations to play games, both for boards (people with a program) and for bots."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from asgiref.sync import async_to_sync
from django.http import HttpRequest

from games.live.rooms import check_speech, rooms
from games.match.commands import (
    PHRASES,
    Abort,
    AcceptDraw,
    ClaimAbandoned,
    ClaimDraw,
    ClaimStalled,
    ClaimTime,
    DeclineDraw,
    OfferDraw,
    Play,
    PlayerCommand,
    Resign,
)
from games.match.conduct import seat_in_hand
from games.match.state import MatchState
from games.messages import build_message, render_english
from games.messages.refusal import Refused
from games.rules import IllegalAction
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit
from lobby.accounts.tokens import Scope
from lobby.api import matches, names
from lobby.api.caller import get_caller
from lobby.api.journal_requests import get_seats, send_command, send_command_knowing
from lobby.api.operations import Ok, call, read
from lobby.api.parameters import Action, Answer, GameId, Ply
from lobby.api.schemas.games import Legal
from lobby.api.schemas.streams import Chat, Said

BOARD: tuple[Scope, ...] = ("games:play", "bot")
BOT: tuple[Scope, ...] = ("bot",)
KINDS: tuple[tuple[str, tuple[Scope, ...]], ...] = (("board", BOARD), ("bot", BOT))
_PHRASES_PER_MINUTE = 30  # for each player


def for_both(
    method: str, path: str, **more: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an operation twice: for boards, and for bot accounts only."""

    def declare(view: Callable[..., Any]) -> Callable[..., Any]:
        for kind, needs in KINDS:
            made = _for(kind, view)
            call(method, f"/{kind}/game{path}", tag=kind.title(), needs=needs, **more)(made)
        return view

    return declare


def _for(kind: str, view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if kind == "bot":
            must_be_a_bot(request)
        return view(request, *args, **kwargs)

    asked.__name__ = f"{kind}_{view.__name__}"
    return asked


def must_be_a_bot(request: HttpRequest) -> None:
    """Raise `Refused` if the caller is not a bot."""
    if not get_caller(request).player.is_bot:
        raise Refused("bots-only")


@for_both("POST", "/{game_id}/move/{path:move}")
def move(request: HttpRequest, game_id: GameId, move: Action, ply: Ply | None = None) -> Ok:
    """Play an action, in the notation of the rules.

    If you send `ply`, the number of the action counted from 0, you can safely repeat the request
    after a lost connection. Without it, only a repetition of the latest action is recognised.
    """
    caller, where = get_caller(request), get_request_network(request)
    state, seats = get_seats(caller, game_id, where)
    number = _number(state, seats, move) if ply is None else ply
    send_command_knowing(caller, state, seats, Play(number, move), where)
    return Ok()


def _number(state: MatchState, seats: tuple[int, ...], action: str) -> int:
    """Return the ply of the action: the next one, or the last one if this is a repetition."""
    if action != state.last or state.ply == 0:
        return state.ply
    seat = seat_in_hand(state, seats)
    if not state.is_live or seat is None or state.turn != state.rules.roles[seat]:
        return state.ply - 1
    try:
        state.position.play(action)
    except IllegalAction:
        return state.ply - 1
    return state.ply


@for_both("POST", "/{game_id}/resign")
def resign(request: HttpRequest, game_id: GameId) -> Ok:
    """Resign the game."""
    return _done(request, game_id, Resign())


@for_both("POST", "/{game_id}/abort")
def abort(request: HttpRequest, game_id: GameId) -> Ok:
    """Cancel a game in which a player has not acted yet, except in a tournament."""
    return _done(request, game_id, Abort())


@for_both("POST", "/{game_id}/draw/{answer}")
def draw(request: HttpRequest, game_id: GameId, answer: Answer) -> Ok:
    """Offer a draw or accept the opponent's offer (`yes`), or decline it (`no`)."""
    caller, where = get_caller(request), get_request_network(request)
    state, seats = get_seats(caller, game_id, where)
    offered = state.draw_by is not None and state.draw_by not in seats
    command: PlayerCommand = OfferDraw()
    if answer == "no":
        if not offered:
            return Ok()
        command = DeclineDraw()
    elif offered:
        command = AcceptDraw()
    elif state.draw_by is not None:
        return Ok()  # the player has already offered a draw
    send_command_knowing(caller, state, seats, command, where)
    return Ok()


@for_both("POST", "/{game_id}/claim-victory")
def claim_victory(request: HttpRequest, game_id: GameId) -> Ok:
    """Claim a win because the opponent has left, has stopped playing, or is out of time."""
    caller, where = get_caller(request), get_request_network(request)
    refusal = Refused("not-allowed")
    for command in (ClaimTime(), ClaimAbandoned(), ClaimStalled()):
        try:
            send_command(caller, game_id, command, where)
        except Refused as found:
            if found.code != "not-allowed":
                raise
            refusal = found
        else:
            return Ok()
    raise refusal


# An alias with a final slash, which lichess's client library `berserk` uses.
for _kind, _needs in KINDS:
    call(
        "POST", f"/{_kind}/game/{{game_id}}/claim-victory/", tag="Board", needs=_needs, shown=False
    )(_for(_kind, claim_victory))


@for_both("POST", "/{game_id}/claim-draw")
def claim_draw(request: HttpRequest, game_id: GameId) -> Ok:
    """Claim a draw because neither player can win any more."""
    return _done(request, game_id, ClaimDraw())


@for_both("POST", "/{game_id}/chat", takes=Chat)
def say(request: HttpRequest, game_id: GameId) -> Ok:
    """Send one of the site's phrases, by its code or its English sentence."""
    caller, asked = get_caller(request), read(request, Chat)
    phrase = _phrase(asked.text)
    state, seats = get_seats(caller, game_id, get_request_network(request))
    if not is_within_limit(_PHRASES_PER_MINUTE, "phrase", str(caller.player_id)):
        raise Refused("too-fast")
    seat = seat_in_hand(state, seats)
    if seat is None:
        raise Refused("not-live")
    alone = check_speech(state, seat)
    async_to_sync(_say)(state, seat, phrase, alone)
    return Ok()


@for_both("GET", "/{game_id}/chat", gives=list[Said])
def chat(request: HttpRequest, game_id: GameId) -> list[Said]:
    """Return an empty list, because phrases are not stored."""
    get_seats(get_caller(request), game_id, get_request_network(request))
    return []


@for_both("GET", "/{game_id}/legal", gives=Legal)
def legal(request: HttpRequest, game_id: GameId) -> Legal:
    """List all legal actions of the role in control."""
    state, _ = get_seats(get_caller(request), game_id, get_request_network(request))
    position, turn = state.position, state.turn
    actions = () if turn is None else tuple(position.legal())
    mover = 0 if turn is None else state.rules.roles.index(turn)
    steps = [tuple(map(matches.render_kif, position.get_step(action))) for action in actions]
    return Legal(
        ply=state.ply,
        turn=turn,
        color=names.get_colour(state, turn),
        actions=actions,
        kif=tuple(step[mover] for step in steps),
        waiting=steps[0][1 - mover] if steps else None,
    )


def _done(request: HttpRequest, game_id: GameId, command: PlayerCommand) -> Ok:
    send_command(get_caller(request), game_id, command, get_request_network(request))
    return Ok()


def _phrase(text: str) -> str:
    wanted = text.strip().rstrip("!.… ").casefold()
    for phrase in PHRASES:
        said = render_english(build_message(f"phrase.{phrase}")).rstrip("!.… ").casefold()
        if wanted in {phrase, said}:
            return phrase
    raise Refused("malformed")


async def _say(state: MatchState, seat: int, phrase: str, alone: bool) -> None:
    """Send the phrase to the viewers of the match on all servers.

    If `alone` is true, send it only to the speaker.
    """
    rooms().say_in(state.id, seat, phrase, alone)

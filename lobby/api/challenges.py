"""Operations on challenges to a player, games against the computer, and invitations by link."""

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import Http404, HttpRequest
from django.utils import timezone
from msgspec import UNSET

from games.bots import LEVELS
from games.match.commands import Abort
from games.match.setup import Setup, checked
from games.messages import build_message, render_english
from games.messages.refusal import Refused
from games.rules import DEFAULT_GAME, GAMES
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit
from games.store.visibility import can_see_player, find_hidden_players
from lobby.accounts.tokens import Scope
from lobby.api import matches, names
from lobby.api.caller import ApiCaller, get_caller
from lobby.api.journal_requests import send_command
from lobby.api.operations import Ok, call, read
from lobby.api.parameters import ChallengeId, PlayerName
from lobby.api.schemas.challenges import (
    REASONS,
    ChallengePerf,
    Challenges,
    ChallengeSchema,
    Decline,
    NewChallenge,
    TimeControlSchema,
)
from lobby.api.schemas.games import GameSchema
from lobby.api.schemas.people import LightUser
from lobby.api.users import light, person
from lobby.live.room import lobby_room
from lobby.models import Challenge as Row
from lobby.models import Player, Seek
from lobby.seeks import challenges, matchmaking
from lobby.seeks.challenges import Accepted
from lobby.seeks.computer import play_computer
from lobby.seeks.limits import may_seek
from lobby.seeks.setup_choices import Side

ASKS: tuple[Scope, ...] = ("challenges", "bot")
_SIDES: dict[str, Row.Side] = {"white": Row.Side.FIRST, "black": Row.Side.SECOND}
_COLOURS = {Row.Side.FIRST: "white", Row.Side.SECOND: "black"}
_COMPUTER: dict[str, Side] = {"white": "mine", "black": "theirs"}
_LISTED = 50


@call("GET", "/challenge", tag="Challenges", gives=Challenges, needs=ASKS)
def own_challenges(request: HttpRequest) -> Challenges:
    """List your open challenges, at most 50 sent and 50 received."""
    me = get_caller(request).player_id
    rows = challenges.get_open_challenges(timezone.now()).select_related("challenger", "challenged")
    return Challenges(
        out=[serialize_challenge(each, me) for each in rows.filter(challenger=me)[:_LISTED]],
        in_=[serialize_challenge(each, me) for each in rows.filter(challenged=me)[:_LISTED]],
    )


@call("POST", "/challenge/ai", tag="Challenges", gives=GameSchema, takes=NewChallenge, needs=ASKS)
def challenge_computer(request: HttpRequest) -> GameSchema:
    """Start a casual game against the computer.

    A `level` above the computer's highest level counts as the highest.
    """
    caller, asked = get_caller(request), read(request, NewChallenge)
    setup = _setup(asked)
    if setup.rated:
        raise Refused("not-allowed")
    _must_be_slow(caller, request)
    level = min(asked.level or 1, max(LEVELS))
    side = _COMPUTER.get(asked.color or "", "lot")
    match = play_computer(caller.player_id, setup, level, get_request_network(request), side)
    async_to_sync(_begun)(caller.player_id)
    return _game(match.pk, caller.player_id)


@call(
    "POST",
    "/challenge/open",
    tag="Challenges",
    gives=ChallengeSchema,
    takes=NewChallenge,
    needs=ASKS,
)
def challenge_open(request: HttpRequest) -> ChallengeSchema:
    """Create an invitation. The first player who accepts it through its link is your opponent."""
    caller, asked = get_caller(request), read(request, NewChallenge)
    _must_be_slow(caller, request)
    made = matchmaking.create_seek(caller.player_id, _setup(asked), by_address=True)
    async_to_sync(_tell)([caller.player_id])
    return invited(made, caller.player)


@call(
    "POST",
    "/challenge/{name}",
    tag="Challenges",
    gives=ChallengeSchema,
    takes=NewChallenge,
    needs=ASKS,
)
def challenge_player(request: HttpRequest, name: PlayerName) -> ChallengeSchema:
    """Challenge a player."""
    caller, asked = get_caller(request), read(request, NewChallenge)
    whom, setup = person(request, name), _setup(asked)
    often = is_within_limit(settings.CHALLENGES_PER_MINUTE, "challenge", str(caller.player_id))
    if not often:
        raise Refused("too-often", seconds=60)
    _must_be_slow(caller, request)
    side = _SIDES.get(asked.color or "", Row.Side.ANY)
    try:
        made = challenges.create_challenge(caller.player_id, whom.pk, setup, side)
    except Refused as refusal:
        raise Refused(refusal.code, **{"name": whom.name, **refusal.params}) from None
    async_to_sync(_tell)([caller.player_id, whom.pk])
    return serialize_challenge(made, caller.player_id)


@call("GET", "/challenge/{challenge_id}/show", tag="Challenges", gives=ChallengeSchema, needs=ASKS)
def show_challenge(request: HttpRequest, challenge_id: ChallengeId) -> ChallengeSchema:
    """Get a challenge that you sent or received."""
    me = get_caller(request).player_id
    return serialize_challenge(_row(challenge_id, me), me)


@call("POST", "/challenge/{challenge_id}/accept", tag="Challenges", needs=ASKS)
def accept_challenge(request: HttpRequest, challenge_id: ChallengeId) -> Ok:
    """Accept a challenge or an invitation. The game begins. Repeating the request changes nothing.

    If an invitation was accepted before, by you or another player, the response is an error with
    the code `taken`.
    """
    caller = get_caller(request)
    me = caller.player_id
    _must_be_slow(caller, request)
    invitation = Seek.objects.filter(pk=challenge_id, by_address=True).first()
    if invitation is not None and not can_see_player(me, invitation.player_id):
        raise Http404
    if invitation is not None:
        pairing = async_to_sync(_join)(me, challenge_id)
        async_to_sync(_paired)(pairing)
        return Ok()
    _row(challenge_id, me)
    accepted = challenges.accept_challenge(me, challenge_id)
    async_to_sync(_tell_accepted)(accepted)
    return Ok()


@call("POST", "/challenge/{challenge_id}/decline", tag="Challenges", takes=Decline, needs=ASKS)
def decline_challenge(request: HttpRequest, challenge_id: ChallengeId) -> Ok:
    """Decline a challenge, with a reason."""
    me, reason = get_caller(request).player_id, read(request, Decline).reason
    word = REASONS.get(reason)
    if word is None:
        raise Refused("malformed")
    row = _row(challenge_id, me)
    try:
        declined = challenges.decline_challenge(me, challenge_id, word)
    except Refused:
        if row.answer == Row.Answer.DECLINED and row.challenged_id == me:
            return Ok()
        raise
    async_to_sync(_tell)([declined.challenger_id, declined.challenged_id])
    return Ok()


@call("POST", "/challenge/{challenge_id}/cancel", tag="Challenges", needs=ASKS)
def cancel_challenge(request: HttpRequest, challenge_id: ChallengeId) -> Ok:
    """Cancel your challenge or invitation.

    If the game of a challenge has begun and a player has not acted yet, cancel the game.
    """
    caller = get_caller(request)
    me = caller.player_id
    if Seek.objects.filter(pk=challenge_id, player=me, match=None).exists():
        gone = matchmaking.cancel_seeks(me, challenge_id)
        async_to_sync(_cancelled)(gone)
        return Ok()
    row = _row(challenge_id, me)
    if row.match_id is not None:
        send_command(caller, row.match_id, Abort(), get_request_network(request))
        return Ok()
    if row.challenger_id != me:
        raise Refused("not-allowed")
    whom = challenges.withdraw_challenge(me, challenge_id)
    async_to_sync(_tell)([me] if whom is None else [me, whom])
    return Ok()


def serialize_challenge(row: Row, viewer_id: int, status: str = "") -> ChallengeSchema:
    """Serialize a challenge for one of its two players.

    By default, the status is the answer to the challenge, or "created" if there is none.
    """
    if not status:
        status = "created" if row.answer == "" else str(row.answer)
    declined = row.answer == Row.Answer.DECLINED
    return ChallengeSchema(
        id=row.pk,
        url=row.get_absolute_url(),
        status=status,
        challenger=light(row.challenger, row.game),
        dest_user=light(row.challenged, row.game),
        color=_COLOURS.get(Row.Side(row.side), "random"),  # type: ignore[arg-type]  # "white" or "black"
        direction="out" if row.challenger_id == viewer_id else "in",
        decline_reason=render_english(build_message(f"decline.{row.word}")) if declined else UNSET,
        decline_reason_key=row.word if declined else UNSET,
        game_id=row.match_id or UNSET,
        **_terms(row.setup),
    )


def invited(seek: Seek, player: Player) -> ChallengeSchema:
    """Serialize an invitation as a challenge without an opponent."""
    challenger: LightUser = light(player, seek.game)
    return ChallengeSchema(
        id=seek.pk,
        url=f"/seek/{seek.pk}/",
        status="created",
        challenger=challenger,
        dest_user=None,
        color="random",
        direction="out",
        **_terms(seek.setup),
    )


def _terms(setup: Setup):  # type: ignore[no-untyped-def]  # returns arguments of `ChallengeSchema`
    control = TimeControlSchema("unlimited")
    if setup.clock:
        minutes, increment = (int(part) for part in setup.clock.split("+"))
        control = TimeControlSchema("clock", 60 * minutes, increment, setup.clock)
    return {
        "variant": names.get_variant(setup.game),
        "rated": setup.rated,
        "speed": names.get_speed(setup.clock),
        "time_control": control,
        "perf": ChallengePerf("", names.get_title(setup.game)),
    }


def _setup(asked: NewChallenge) -> Setup:
    try:
        clock = names.get_clock(asked.limit, asked.increment)
        return checked(asked.variant or DEFAULT_GAME.slug, clock, asked.options, bool(asked.rated))
    except ValueError:
        raise Refused("malformed") from None


def _must_be_slow(caller: ApiCaller, request: HttpRequest) -> None:
    if not may_seek(caller.player_id, get_request_network(request)):
        raise Refused("many-at-once")


def _row(challenge_id: str, player_id: int) -> Row:
    """Return a challenge that the player sent or received.

    Raise `Http404` if there is no such challenge, if the other player is hidden from this one, or
    if the game no longer exists.
    """
    found = Row.objects.select_related("challenger", "challenged").filter(pk=challenge_id).first()
    if found is None or player_id not in (found.challenger_id, found.challenged_id):
        raise Http404
    if find_hidden_players(player_id, [found.challenger_id, found.challenged_id]):
        raise Http404
    if found.game not in GAMES:
        raise Http404
    return found


def _game(match_id: str, viewer_id: int) -> GameSchema:
    found = matches.read_match(match_id, viewer_id)
    if found is None:
        raise Http404
    return matches.serialize_game(found)


# -- functions on the event loop


async def _tell(player_ids: list[int]) -> None:
    lobby_room().changed_everywhere(player_ids)


async def _begun(player_id: int) -> None:
    await lobby_room().end_searches({player_id})
    lobby_room().changed_everywhere([player_id])


async def _join(player_id: int, seek_id: str) -> matchmaking.SeekPairing:
    return await lobby_room().meetings.join(player_id, seek_id)


async def _paired(pairing: matchmaking.SeekPairing) -> None:
    await lobby_room().paired(pairing)


async def _cancelled(gone: dict[str, int]) -> None:
    if gone:
        await lobby_room().cancelled(gone)


async def _tell_accepted(accepted: Accepted) -> None:
    if accepted.ended:
        await lobby_room().cancelled(accepted.ended)
    lobby_room().changed_everywhere(accepted.players)

"""A picture as an answer: with an ETag, and not too many for one address."""

from collections.abc import Callable, Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from games.boards import BOARDS
from games.match.state import MatchState
from games.messages import name_of
from games.previews.pictures import Scene, png, policy
from games.rules import Position
from games.runtime.addresses import client_network_of
from games.runtime.limiter import may

_OVER, _LIVE = 24 * 60 * 60, 30  # seconds for which whoever has the picture need not ask again


def of_match(state: MatchState, words: str) -> Scene:
    """The position as it stands, under these words."""
    board, position = BOARDS[state.game], state.position
    fresh = board.touched(state.last) if state.last and not position.line else ()
    return Scene(
        state.game, position.diagram, words, name_of(state.game), fresh, tuple(position.line)
    )


def of_invitation(game: str, diagram: str, words: str) -> Scene:
    """What is to be played, under these words."""
    return Scene(game, diagram, words, name_of(game))


def of_ply(game: str, position: Position, action: str) -> Scene:
    """A position of a game, which `action` has led to ("": none)."""
    board = BOARDS[game]
    fresh = board.touched(action) if action and not position.line else ()
    return Scene(game, position.diagram, name_of(game), "", fresh, tuple(position.line))


def answer(
    request: HttpRequest, scene: Scene, is_over: bool, is_public: bool = True
) -> HttpResponse:
    """The picture, or 304 for who has it, or 429 for an address that asks for too many."""
    return drawn(request, scene.etag, "image/png", lambda: png(scene), is_over, is_public)


def drawn(
    request: HttpRequest,
    etag: str,
    kind: str,
    draw: Callable[[], bytes | str],
    is_over: bool,
    is_public: bool = True,
) -> HttpResponse:
    """The same for any picture; `is_over` says whether it never changes, `is_public` whether it
    is for everybody: else no cache keeps it for the next one who asks."""
    seconds = _OVER if is_over else _LIVE
    headers: Mapping[str, str] = {
        "ETag": etag,
        "Cache-Control": f"public, max-age={seconds}" if is_public else "private, no-store",
        "Content-Security-Policy": policy(),
        "Access-Control-Allow-Origin": "*",
    }
    known = get_conditional_response(request, etag=etag)
    if known is not None and known.status_code == 304:
        return HttpResponse(status=304, headers=headers)
    address = client_network_of(request)
    if not may(settings.PICTURES_PER_MINUTE, "picture", address):
        return HttpResponse(status=429, headers={"Retry-After": "60"})
    return HttpResponse(draw(), content_type=kind, headers=headers)

"""A picture as an answer: with an ETag, and not too many for one address."""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from games.boards import BOARDS
from games.match.state import MatchState
from games.runtime.addresses import household
from games.runtime.limiter import may
from games.share.picture import Scene, png
from games.words import name_of

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


def answer(request: HttpRequest, scene: Scene, is_over: bool) -> HttpResponse:
    """The picture, or 304 for who has it, or 429 for an address that asks for too many."""
    seconds = _OVER if is_over else _LIVE
    headers: Mapping[str, str] = {
        "ETag": scene.etag,
        "Cache-Control": f"public, max-age={seconds}",
    }
    known = get_conditional_response(request, etag=scene.etag)
    if known is not None and known.status_code == 304:
        return HttpResponse(status=304, headers=headers)
    address = household(str(request.META.get("REMOTE_ADDR", "")))
    if not may(settings.PICTURES_PER_MINUTE, "picture", address):
        return HttpResponse(status=429, headers={"Retry-After": "60"})
    return HttpResponse(png(scene), content_type="image/png", headers=headers)

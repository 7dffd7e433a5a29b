"""Scenes for pictures of matches, responses with ETags, JSON refusals, and rate limits of views."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response

from games.boards import BOARDS
from games.match.state import MatchState
from games.messages import get_game_name, render_english
from games.messages.refusal import Refused
from games.previews.pictures import Scene, render_png, svg_content_policy
from games.rules import Position
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit

View = Callable[..., HttpResponse]
_MINUTE = 60  # seconds
# How many seconds caches may keep a picture of a finished match, and of a live one.
_OVER, _LIVE = 24 * 60 * 60, 30


def build_match_scene(state: MatchState, words: str) -> Scene:
    """Return the scene with the current position of a match and a title."""
    board, position = BOARDS[state.game], state.position
    fresh = board.find_fresh(position, state.last) if state.last and not position.line else ()
    return Scene(
        state.game, position.diagram, words, get_game_name(state.game), fresh, tuple(position.line)
    )


def build_invitation_scene(game: str, diagram: str, words: str) -> Scene:
    """Return the scene with the start position of a game and a title."""
    return Scene(game, diagram, words, get_game_name(game))


def build_position_scene(game: str, position: Position, action: str) -> Scene:
    """Return the scene with a position and the action that led to it ("" for the start)."""
    board = BOARDS[game]
    fresh = board.find_fresh(position, action) if action and not position.line else ()
    return Scene(game, position.diagram, get_game_name(game), "", fresh, tuple(position.line))


def picture_response(
    request: HttpRequest, scene: Scene, is_over: bool, is_public: bool = True
) -> HttpResponse:
    """Return the preview as PNG.

    Respond with 304 if the client has it already, or with 429 after too many requests.
    """
    return image_response(
        request, scene.etag, "image/png", lambda: render_png(scene), is_over, is_public
    )


def image_response(
    request: HttpRequest,
    etag: str,
    kind: str,
    draw: Callable[[], bytes | str],
    is_over: bool,
    is_public: bool = True,
) -> HttpResponse:
    """Return a picture of any kind, or respond with 304 or 429 like `picture_response`.

    `is_over`: the picture will rarely change, so caches may keep it for a day. `is_public`:
    everybody may see it; otherwise no cache may store it.
    """
    seconds = _OVER if is_over else _LIVE
    headers: Mapping[str, str] = {
        "ETag": etag,
        "Cache-Control": f"public, max-age={seconds}" if is_public else "private, no-store",
        "Content-Security-Policy": svg_content_policy(),
        "Access-Control-Allow-Origin": "*",
    }
    known = get_conditional_response(request, etag=etag)
    if known is not None and known.status_code == 304:
        return HttpResponse(status=304, headers=headers)
    address = get_request_network(request)
    if not is_within_limit(settings.PICTURES_PER_MINUTE, "picture", address):
        return HttpResponse(status=429, headers={"Retry-After": "60"})
    return HttpResponse(draw(), content_type=kind, headers=headers)


def json_refusal(refused: Refused, status: int = 400) -> JsonResponse:
    """Return `{"error": {"code", "detail", "params"}}`. The detail is in English."""
    error = {
        "code": refused.code,
        "detail": render_english(refused.words),
        "params": refused.params,
    }
    return JsonResponse({"error": error}, status=status)


def rate_limited(setting: str) -> Callable[[View], View]:
    """Decorate an expensive public view to limit its requests per client network.

    The setting is the number of requests per minute, shared by all views with that setting. Further
    requests are refused with 429 and Retry-After.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def limited(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            network = get_request_network(request)
            if is_within_limit(getattr(settings, setting), setting, network):
                return view(request, *args, **more)
            response = json_refusal(Refused("too-often", seconds=_MINUTE), 429)
            response.headers["Retry-After"] = str(_MINUTE)
            response.headers["Access-Control-Allow-Origin"] = "*"
            return response

        return limited

    return decorate

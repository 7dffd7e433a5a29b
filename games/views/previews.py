"""Previews of a match for other sites: pictures of positions, an embedded board, oEmbed."""

import re
from functools import partial
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.boards import BOARDS
from games.match.outcome import get_outcome, get_outcome_for
from games.match.state import MatchState
from games.messages import get_game_name
from games.messages import render as render_message
from games.previews.pictures import render_animation, render_board_png, render_board_svg
from games.previews.responses import build_position_scene, image_response, rate_limited
from games.previews.titles import render_title
from games.rules import Position
from games.store.proof import replay_moves
from games.store.records import VisibleRecord, get_record_for, read_with_names

_SVG = "image/svg+xml"
_MATCH = re.compile(r"/match/([-a-zA-Z0-9_]{1,64})/", re.ASCII)
_WIDTH, _HEIGHT, _LEAST = 420, 560, 200  # pixels of an iframe: the default size, and the minimum
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors *"
)


@require_safe
@rate_limited("RECORDS_PER_MINUTE")
def position_png(request: HttpRequest, match_id: str, ply: int) -> HttpResponse:
    """Return the position after `ply` actions as PNG; 404 if there were fewer legal ones."""
    seen, position, action = _position(request, match_id, ply)
    scene = build_position_scene(seen.record.state.game, position, action)
    draw = partial(render_board_png, scene)
    return image_response(request, scene.etag, "image/png", draw, True, seen.is_public)


@require_safe
@rate_limited("RECORDS_PER_MINUTE")
def position_svg(request: HttpRequest, match_id: str, ply: int) -> HttpResponse:
    """Return the position after `ply` actions as SVG; 404 if there were fewer legal ones."""
    seen, position, action = _position(request, match_id, ply)
    scene = build_position_scene(seen.record.state.game, position, action)
    return image_response(
        request, scene.etag, _SVG, partial(render_board_svg, scene), True, seen.is_public
    )


@require_safe
@rate_limited("RECORDS_PER_MINUTE")
def game_svg(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return the game so far as an animated SVG."""
    seen = _readable(request, match_id)
    found, state = seen.record, seen.record.state
    told = repr(
        (2, settings.SITE_NAME, get_language(), state.game, [m.action for m in found.moves])
    ).encode()

    def draw() -> str:
        positions = replay_moves(state, found.moves).positions
        return render_animation(state.game, positions, get_game_name(state.game))

    etag = f'"{sha256(told).hexdigest()[:32]}"'
    return image_response(request, etag, _SVG, draw, not state.is_live, seen.is_public)


def _readable(request: HttpRequest, match_id: str) -> VisibleRecord:
    """Return the match as the viewer may see it. Raise `Http404` if it cannot be shown."""
    seen = get_record_for(lambda: request.user.pk, match_id)
    if seen is None or not seen.record.state.is_readable:
        raise Http404
    return seen


def _position(request: HttpRequest, match_id: str, ply: int) -> tuple[VisibleRecord, Position, str]:
    seen = _readable(request, match_id)
    moves = seen.record.moves
    if ply > len(moves):
        raise Http404
    positions = replay_moves(seen.record.state, moves[:ply]).positions
    if len(positions) != ply + 1:
        raise Http404  # a stored move was tampered with
    return seen, positions[ply], moves[ply - 1].action if ply else ""


# -- embedded matches


@require_safe
@xframe_options_exempt
def embedded_match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the live board of a match in an iframe of another site, without cookies.

    The page shows only matches and names that everybody may see, even if the player is logged in.
    """
    found = read_with_names([match_id], viewer_id=None).get(match_id)
    if found is None:
        raise Http404
    return frame(request, *found)


def frame(
    request: HttpRequest, state: MatchState, names: tuple[str, str], is_tv: bool = False
) -> HttpResponse:
    """Return the page of a match that other sites show in an iframe.

    On the TV page (`is_tv`), another match follows when this one ends.
    """
    board, position, verdict = BOARDS[state.game], state.position, get_outcome(state)
    by_role = dict(zip(state.rules.roles, names, strict=True))
    context = {
        "title": render_title(state, names),
        "match": state,
        "game_name": get_game_name(state.game),
        "position": position,
        "fresh": board.find_fresh(position, state.last) if state.last else (),
        "seats": [
            {
                "role": role,
                "name": name,
                "mark": board.badge(position, role),
                "score": board.score(position, role),
                "moves": role == state.turn,
            }
            for role, name in by_role.items()
        ],
        "ended": render_message(get_outcome_for(verdict, by_role)) if verdict else "",
        "tv": is_tv,
    }
    return framed(render(request, "games/embed.html", context))


def framed(response: HttpResponse) -> HttpResponse:
    """Allow any site to show the response in an iframe."""
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cache-Control"] = "no-cache"
    return response


# -- oEmbed


@require_safe
@rate_limited("RECORDS_PER_MINUTE")
def oembed(request: HttpRequest) -> HttpResponse:
    """Describe how to embed a page of this site (oembed.com): `?url=`, `maxwidth`, `maxheight`.

    The response is 404 unless the page is a public match or the TV page of this site, and 501 for
    formats other than JSON.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=501)
    try:
        parts = urlsplit(request.GET.get("url", "")[:500])
    except ValueError:
        raise Http404 from None
    if f"{parts.scheme}://{parts.netloc}" not in settings.ALLOWED_ORIGINS:
        raise Http404
    here = f"{parts.scheme}://{parts.netloc}"
    told = {"version": "1.0", "type": "rich", "provider_name": settings.SITE_NAME}
    told["provider_url"] = f"{here}/"
    found = _MATCH.fullmatch(parts.path)
    if found is not None:
        match = read_with_names([found[1]], viewer_id=None).get(found[1])
        if match is None:
            raise Http404
        told["title"] = render_title(*match)
        told["thumbnail_url"] = here + reverse("picture", args=[found[1]])
        path = reverse("embed-match", args=[found[1]])
    elif parts.path == reverse("tv"):
        path, told["title"] = reverse("embed-tv"), settings.SITE_NAME
    else:
        raise Http404
    width = _within(request.GET.get("maxwidth", ""), _WIDTH)
    height = _within(request.GET.get("maxheight", ""), _HEIGHT)
    html = render_iframe(here + path, told["title"], width, height)
    size = {"width": width, "height": height}
    if "thumbnail_url" in told:
        size |= {"thumbnail_width": 1200, "thumbnail_height": 630}
    answer = JsonResponse({**told, **size, "html": html})
    answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer


def render_iframe(
    address: str, title: str, width: int = _WIDTH, height: int = _HEIGHT
) -> SafeString:
    """Return the HTML that embeds a page of this site in another site."""
    return format_html(
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy"></iframe>',
        address, width, height, title,
    )  # fmt: skip


def _within(text: str, most: int) -> int:
    """Return the number of pixels that the client allows, from `_LEAST` to `most`."""
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else most
    return max(_LEAST, min(asked, most))

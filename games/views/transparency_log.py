"""Pages and files of the transparency log: signed records, keys and tiles (c2sp.org/tlog-tiles)."""

import re

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from games.messages.refusal import Refused
from games.previews.responses import json_refusal, rate_limited
from games.store.records import get_record_for
from games.transparency_log import former_log, log
from games.transparency_log import keys as signing
from games.transparency_log.log import sign_record
from games.transparency_log.merkle_tree import WIDTH

_PLACE = re.compile(r"((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?", re.ASCII)
_DEEPEST = 8  # 256 to the power of this exceeds the number of rows in any table
_FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
@rate_limited("RECORDS_PER_MINUTE")
def signed_record(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return the signed record of a finished match, with its place in the log.

    The response is 404 if the viewer may not see the match, and 409 if the match is not over or
    differs from the log.
    """
    seen = get_record_for(lambda: request.user.pk, match_id)
    if seen is None:
        raise Http404
    try:
        text = sign_record(seen.record)
    except Refused as refused:
        return json_refusal(refused, 409)
    kept = "no-cache" if seen.is_public else "private, no-store"
    return _open(HttpResponse(text, content_type="application/json"), kept)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Return the site's public keys, current and former, newest first."""
    told = {"origin": signing.get_origin(), "keys": signing.list_keys()}
    return _open(JsonResponse(told), "public, max-age=300")


@require_safe
@rate_limited("LOG_FILES_PER_MINUTE")
def checkpoint(request: HttpRequest) -> HttpResponse:
    """Return a signed checkpoint: the size and root of the log."""
    kind = "text/plain; charset=utf-8"
    return _open(HttpResponse(log.get_checkpoint(), content_type=kind), "public, max-age=2")


@require_safe
@rate_limited("LOG_FILES_PER_MINUTE")
def former_checkpoint(request: HttpRequest) -> HttpResponse:
    """Return the last checkpoint of the former log, or 404 if the site never had that log."""
    if not former_log.get_size():
        raise Http404
    kind = "text/plain; charset=utf-8"
    return _open(HttpResponse(former_log.get_checkpoint(), content_type=kind), "public, max-age=60")


@require_safe
@rate_limited("LOG_FILES_PER_MINUTE")
def former_tile(request: HttpRequest, level: int, place: str) -> HttpResponse:
    """Return the hashes of a tile of the former log; 404 if it has fewer than the path asks for."""
    if level > _DEEPEST:
        raise Http404
    index, width = _wanted(place)
    return _file(former_log.get_tile(level, index), width)


@require_safe
@rate_limited("LOG_FILES_PER_MINUTE")
def former_entries(request: HttpRequest, place: str) -> HttpResponse:
    """Respond with 410, because these entries contain the ids of matches, even those of minors."""
    return _open(HttpResponse(status=410), "public, max-age=300")


@require_safe
@rate_limited("LOG_FILES_PER_MINUTE")
def tile(request: HttpRequest, level: int, place: str) -> HttpResponse:
    """Return the hashes of a tile; 404 if it has fewer than the path asks for."""
    if level > _DEEPEST:
        raise Http404
    index, width = _wanted(place)
    return _file(log.get_tile(level, index), width)


@require_safe
@rate_limited("LOG_FILES_PER_MINUTE")
def entries(request: HttpRequest, place: str) -> HttpResponse:
    """Return the entries of a tile of the lowest level, each after its length in two bytes."""
    index, width = _wanted(place)
    found = [len(each).to_bytes(2, "big") + each for each in log.get_bundle(index)]
    return _file(found, width)


def _wanted(place: str) -> tuple[int, int]:
    """Parse a tile's path into its index and width. Raise `Http404` unless it is canonical."""
    found = _PLACE.fullmatch(place)
    if found is None or len(place) > 40:
        raise Http404
    digits = found[1].replace("x", "").replace("/", "")
    width = int(found[2] or WIDTH)
    if (len(digits) > 3 and digits.startswith("000")) or len(digits) > 15:
        raise Http404
    if found[2] and width >= WIDTH:
        raise Http404
    return int(digits), width


def _file(found: list[bytes], width: int) -> HttpResponse:
    if len(found) < width:
        raise Http404
    body = b"".join(found[:width])
    return _open(HttpResponse(body, content_type="application/octet-stream"), _FOR_EVER)


def _open(answer: HttpResponse, kept: str) -> HttpResponse:
    answer.headers["Cache-Control"] = kept
    answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer

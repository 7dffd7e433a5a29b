"""Middleware that refuses requests with text that the database cannot store."""

from collections.abc import Callable, Iterable
from itertools import chain

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict

_CHARSETS = {None, "utf-8", "utf8"}


class TextValidationMiddleware:
    """Respond with 400 if the path, query, form or a file name has a NUL or a lone surrogate.

    PostgreSQL can store neither. A form in an encoding other than UTF-8 gets the same response. The
    only cookie that is looked up in the database without being hashed is the session key, which
    `games.store.sessions` checks.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Text in other encodings may not be valid as UTF-8, and some codecs of Python decode to
        # bytes.
        charset = (request.content_params or {}).get("charset")
        if charset is not None and charset.lower() not in _CHARSETS:
            raise BadRequest("Send forms in UTF-8.")
        texts = chain(
            (request.path_info,),
            _texts(request.GET),
            _texts(request.POST),
            (str(file) for _, files in request.FILES.lists() for file in files),
        )
        if not all(_is_storable(text) for text in texts):
            raise BadRequest("The request contains text that cannot be stored.")
        return self._get_response(request)


def _texts(form: QueryDict) -> Iterable[str]:
    for name, values in form.lists():
        yield name
        yield from (value for value in values if isinstance(value, str))


def _is_storable(text: str) -> bool:
    if text.isascii():
        return "\0" not in text
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text

"""Middleware: refuses requests with text that a database cannot store."""

from collections.abc import Callable, Iterable
from itertools import chain

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict

_CHARSETS = {None, "utf-8", "utf8"}


class TextValidationMiddleware:
    """Answers 400 if the path, the query or the form has a NUL, or text that is not Unicode.
    PostgreSQL fails on a NUL in a text. (Of the cookies only the session's key reaches the
    database; see `games.store.sessions`.)"""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Only UTF-8: other encodings can hold what it cannot, and some in Python hold no text.
        charset = (request.content_params or {}).get("charset")
        if charset is not None and charset.lower() not in _CHARSETS:
            raise BadRequest("Forms are sent in UTF-8.")
        texts = chain(
            (request.path_info,),
            _texts(request.GET),
            _texts(request.POST),
            (str(file) for _, files in request.FILES.lists() for file in files),
        )
        if not all(_is_storable(text) for text in texts):
            raise BadRequest("That text cannot be stored.")
        return self._further(request)


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

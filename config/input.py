"""Middleware that refuses requests with text that no database can store."""

from collections.abc import Callable, Iterable
from itertools import chain

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict

_CHARSETS = {None, "utf-8", "utf8"}


class Storable:
    """A request with a NUL, or with text that is no Unicode, in its path, its query or its form is
    a 400. PostgreSQL takes no NUL in a text, and says so by failing. (Of the cookies only the
    session's key is looked up; see `games.store.sessions`.)"""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Other encodings can hold what UTF-8 cannot, and some that Python knows are not for text.
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

"""Answers that are too long to be made whole: a piece at a time, as the client takes them."""

from collections.abc import Iterable

from django.http import StreamingHttpResponse


class InPieces(StreamingHttpResponse):
    """Each piece is made on a thread for pages, which makes other pages between two of them. The
    next one is made once the client has taken the last. So nobody's answer fills the memory, and
    whoever makes the pieces must not hold a transaction from one to the next."""

    def __init__(self, pieces: Iterable[bytes], content_type: str | None = None) -> None:
        super().__init__(pieces, content_type=content_type)

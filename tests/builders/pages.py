"""The text of pages."""

from typing import Any


def get_text(response: Any) -> str:
    """Return the text of a response, streamed or not, with single spaces."""
    content = b"".join(response) if response.streaming else response.content
    return " ".join(content.decode().split())

"""The text of pages."""

from typing import Any


def get_text(response: Any) -> str:
    """Return the text of a response, streamed or not, with single spaces."""
    content = b"".join(response) if response.streaming else response.content
    return " ".join(content.decode().split())


def remove_isolates(text: str) -> str:
    """Remove the marks that isolate the direction of names from the text around them."""
    return text.replace("\u2068", "").replace("\u2069", "")

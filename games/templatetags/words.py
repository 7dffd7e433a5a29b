"""Sentences in templates: `{% say "seat.away" %}`, or `{% say message %}`."""

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from msgspec import UnsetType

from games.messages import Message, build_message
from games.messages import render as sentence
from games.messages.script import address
from games.store.ratings import SeatRating

register = template.Library()


@register.simple_tag
def say(what: Message | str, **params: str | int) -> str:
    """Render a code or a message in the page's language."""
    if isinstance(what, str):
        return sentence(build_message(what, **params)) if what else ""
    return sentence(what) if what else ""


@register.simple_tag
def seat_rating(rating: SeatRating | UnsetType | None) -> str:
    """Return the rating beside a player's name, with the change by the match if there is one."""
    if not rating:
        return ""
    if rating.after is None:
        return rating.before
    return sentence(build_message("rating.change", before=rating.before, after=rating.after))


@register.filter
def phrase_code(phrase: str) -> str:
    """Return the message code of a preset phrase."""
    return f"phrase.{phrase}"


@register.simple_tag
def say_of(code: str, name: str) -> SafeString:
    """Render a code about a name, with the name in bold and isolated."""
    place = "\ufffc"  # OBJECT REPLACEMENT CHARACTER; no sentence contains it
    before, _, after = sentence(build_message(code, name=place)).partition(place)
    return SafeString(f"{escape(before)}<b><bdi>{escape(name)}</bdi></b>{escape(after)}")  # nosec B703


@register.simple_tag
def words_script() -> SafeString:
    """Return the preload link of the sentences for the page's scripts."""
    return format_html('<link rel="modulepreload" id="words" href="{}">', address())

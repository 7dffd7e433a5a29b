"""Sentences, names, time controls and ratings in templates, such as `{% say "seat.away" %}`."""

from typing import cast

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from msgspec import UnsetType

from games.match.clock import describe_clock, spell_out_clock
from games.messages import Message, build_message, join_list, show_name
from games.messages import render as sentence
from games.messages.names import isolate_name
from games.messages.script import address
from games.store.ratings import SeatRating

register = template.Library()
register.filter("shown", show_name)  # a player's name in `bdi`: {{ name|shown }}
register.filter("list_text", join_list)  # {{ names|list_text }}

_PLACE = "\ufffc"  # the OBJECT REPLACEMENT CHARACTER, which no sentence contains
# The characters that can separate a result from its reason.
_JOINT = (
    ":\N{FULLWIDTH COLON},\N{ARABIC COMMA}\N{IDEOGRAPHIC COMMA}\N{EN DASH}\N{EM DASH}"
    " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
)


@register.filter
def isolated(name: str) -> str:
    """Return a player's name for a plain-text context: `{{ name|isolated }}`."""
    return isolate_name(show_name(name))


@register.simple_tag
def say(what: Message | str, **params: str | int) -> str:
    """Render a code or a message in the page's language."""
    if isinstance(what, str):
        return sentence(build_message(what, **params)) if what else ""
    return sentence(what) if what else ""


@register.simple_tag
def clock(text: str | None) -> SafeString:
    """Render a time control: the short form on the screen, the long one for screen readers.

    `makeClock` in `static/js/shared/time.js` makes the same elements.
    """
    if not text:
        return escape(sentence(describe_clock(text)))
    try:
        short, long = sentence(describe_clock(text)), sentence(spell_out_clock(text))
    except ValueError:  # a damaged match
        return escape(text)
    return format_html(
        '<span aria-hidden="true">{}</span> <span class="unseen">{}</span>', short, long
    )


@register.simple_tag
def seat_rating(rating: SeatRating | UnsetType | None) -> str:
    """Return the rating to display beside a player's name, and its change in the match."""
    return f"{rating.before} {rating.change}".strip() if rating else ""


@register.simple_tag
def say_end(ended: Message | None) -> SafeString:
    """Render how a match ended, with the result and the reason in separate elements.

    `static/js/match/finished.js` renders the same.
    """
    if not ended:
        return SafeString("")
    result = ended
    while "said" in result:  # the first of several sentences contains the result
        result = cast(Message, result["said"])
    before, found, after = sentence(_replace_result(ended, _PLACE)).partition(_PLACE)
    if not found:
        is_result = "result" in ended and before == sentence(cast(Message, ended["result"]))
        return format_html('<strong class="result">{}</strong>' if is_result else "{}", before)
    reason = after.lstrip(_JOINT)
    return format_html(
        '{}<strong class="result">{}</strong><span class="unseen">{}</span>'
        '<span class="reason">{}</span>',
        before,
        sentence(cast(Message, result["result"])),
        after[: len(after) - len(reason)],
        reason,
    )


def _replace_result(ended: Message, result: str) -> Message:
    if "said" in ended:
        return {**ended, "said": _replace_result(cast(Message, ended["said"]), result)}
    return {**ended, "result": result}


@register.filter
def phrase_code(phrase: str) -> str:
    """Return the message code of a preset phrase."""
    return f"phrase.{phrase}"


@register.simple_tag
def say_of(code: str, name: str) -> SafeString:
    """Render the sentence with this code about a name, with the name in bold and isolated."""
    before, _, after = sentence(build_message(code, name=_PLACE)).partition(_PLACE)
    return SafeString(f"{escape(before)}<b><bdi>{escape(name)}</bdi></b>{escape(after)}")  # nosec B703  # escaped


@register.simple_tag
def words_script() -> SafeString:
    """Return the script with the sentences for the page's scripts, which must come after it."""
    return format_html('<script defer src="{}"></script>', address())

"""Messages for people: codes with parameters, rendered in each reader's language.

`build_message(code, **params)` builds a message. Templates render it with `{% say %}`, and the
scripts of pages with `static/js/shared/messages.js`. Both use the same table of sentences.
"""

from games.messages.table import (
    Counted,
    InContext,
    Message,
    Sentence,
    add_sentences,
    build_message,
    format_date,
    get_game_name,
    has_sentences,
    join_list,
    ngettext,
    pgettext,
    render,
    render_english,
    show_name,
)

__all__ = [
    "Counted",
    "InContext",
    "Message",
    "Sentence",
    "add_sentences",
    "build_message",
    "format_date",
    "get_game_name",
    "has_sentences",
    "join_list",
    "ngettext",
    "pgettext",
    "render",
    "render_english",
    "show_name",
]

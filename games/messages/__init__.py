"""Messages for people: codes with parameters, rendered in each reader's language.

`build_message(code, **params)` builds a message. Templates render it with `{% say %}`, and the
scripts of pages with `static/js/shared/messages.js`. Both use the same table of sentences.
"""

from games.messages.table import (
    Counted,
    Message,
    Sentence,
    add_sentences,
    build_message,
    get_game_name,
    ngettext,
    render,
    render_english,
)

__all__ = [
    "Counted",
    "Message",
    "Sentence",
    "add_sentences",
    "build_message",
    "get_game_name",
    "ngettext",
    "render",
    "render_english",
]

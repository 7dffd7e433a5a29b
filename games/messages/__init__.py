"""Messages for people: codes with parameters, rendered in the reader's language where they are
read.

`build_message(code, **params)` builds a message. Templates render it with `{% say %}`, the page's
scripts with `static/js/shared/messages.js`; both use one table of sentences.
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

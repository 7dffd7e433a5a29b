"""What is said to people: codes with parameters, and the sentences that are made of them where
they are read, in the reader's language.

Whoever has something to say gives `words(code, **params)`. A template reads it by `{% say %}`, the
page's scripts by `static/js/shared/messages.js`; both read one table.
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

"""What is said to people: codes with parameters, and the sentences that are made of them where
they are read, in the reader's language.

Whoever has something to say gives `words(code, **params)`. A template reads it by `{% say %}`, the
page's scripts by `static/js/shared/messages.js`; both read one table.
"""

from games.words.table import Counted, Sentence, Words, add, name_of, ngettext, plain, say, words

__all__ = ["Counted", "Sentence", "Words", "add", "name_of", "ngettext", "plain", "say", "words"]

"""The review in the admin: lists to find by, pages to look at, and where decisions are sent.

Nothing here decides anything, and nothing is edited: `games.review` does the one, `ReadOnly` sees
to the other.
"""

from games.admin import cases, decisions, matches, signs

__all__ = ["cases", "decisions", "matches", "signs"]

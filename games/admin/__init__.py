"""The review in the admin: lists to find by, pages to look at, and where decisions are sent.

Nothing is decided here (`games.review` does that), and nothing can be edited (`ReadOnly`).
"""

from games.admin import cases, decisions, matches, signs

__all__ = ["cases", "decisions", "matches", "signs"]

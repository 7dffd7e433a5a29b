"""The review in the admin: lists, pages, and the views that receive decisions.

`games.review` makes the decisions, and no row can be edited here (`ReadOnly`).
"""

from games.admin import cases, matches

__all__ = ["cases", "matches"]

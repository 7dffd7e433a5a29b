"""The review of players and matches in the Django admin.

The pages here only display rows and receive decisions. `games.review` makes the decisions, and no
row can be edited directly (`ReadOnly`).
"""

from games.admin import cases, matches

__all__ = ["cases", "matches"]

"""The review of players and matches in the Django admin.

These pages display stored objects and pass the moderators' decisions to `games.review`, which
carries them out. The pages do not edit objects directly (`ReadOnly`).
"""

from games.admin import cases, matches, rule_sheets

__all__ = ["cases", "matches", "rule_sheets"]

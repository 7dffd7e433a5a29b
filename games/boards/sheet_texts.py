"""The texts in the overlays of the rule sheets that come with the site, marked for translation.

`makemessages` does not read the overlays themselves. A sheet that somebody else added is shown as
it was written.
"""

from django.utils.translation import gettext_noop as _

TEXTS = frozenset((
    _("Breakthrough"),
    _("Bring one of your men to the other side of the board."),
    _("Connect Four"),
    _("Drop discs into the columns. Four in a line win."),
    _("Gomoku"),
    _("Place stones in turn. Five in a line win."),
    _("Hex 11"),
    _("Hex 7"),
    _("Connect your two sides with a chain of stones. There is no draw."),
    _("Nine-Board Tic-Tac-Toe"),
    _("Your cell sends the opponent to a small board. Three in a line on one of them win."),
    _("Reversi"),
    _("Enclose rows of the opponent's discs to turn them over. The majority wins."),
))  # fmt: skip
"""The titles and the summaries."""

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
    _("Get four of your discs in a line: across, up or diagonally."),
    _("Choose a column. Your disc falls to its lowest empty cell."),
    _("The next disc in the same column lands on top of it."),
    _("A full column takes no more discs."),
    _("Three in a line with an empty end are a threat: block it in time."),
    _("Four in a line win. Here they lie side by side."),
    _(
        "Four in a diagonal win too. If the board fills up without four in a line, it is "
        "a draw."
    ),
    _("Get five of your stones in a line: across, up or diagonally."),
    _("Players take turns to place a stone on any empty crossing. Black begins."),
    _("Three in a line with both ends open are a threat: next they become four."),
    _("Four in a line with both ends open cannot be stopped."),
    _("Five or more in a line win."),
    _("Connect your two sides of the board with a chain of stones."),
    _(
        "Red connects the top with the bottom, blue the left with the right. Place a "
        "stone on any empty cell."
    ),
    _("After the first stone, the second player may take it over instead of placing one."),
    _(
        "Two stones with two free cells between them are as good as connected: if one is "
        "taken, use the other."
    ),
    _("A chain from side to side wins. Somebody always makes one, so there is no draw."),
    _("Have more discs of your colour than your opponent when nobody can move."),
    _("The game begins with four discs. Black begins."),
    _(
        "Place a disc so that a row of the opponent's discs lies between two of yours: "
        "all of them turn over."
    ),
    _("You may only play where at least one disc turns over. On the board, dots show where."),
    _("Rows in all eight directions turn over. Who cannot turn over any disc must pass."),
    _("The game ends when nobody can move. Here black has more discs and wins."),
    _("Bring one of your men to the last row of the board."),
    _("Each player has two rows of men. White begins."),
    _("A man moves one step ahead, straight or diagonally, to an empty square."),
    _("It captures diagonally only, and nobody has to capture."),
    _("Whose man reaches the last row wins. There is no draw."),
    _("Get three in a line on one of the nine small boards."),
    _("The first mark may be in any cell of any board."),
    _("The cell of that mark says on which board the opponent must play now."),
    _(
        "And so on: each mark sends the other player to a board. If that board is full, "
        "any board will do."
    ),
    _("Three in a line on one small board win the game."),
))  # fmt: skip
"""The titles, the summaries and the lessons."""

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
    _("Atari Go"),
    _("Surround one chain of your opponent's stones. The first capture wins."),
    _("Be the first to capture a stone."),
    _("The empty crossings beside a stone are its liberties. This white stone has four."),
    _(
        "It has one liberty left. White can save it with another stone that makes its chain "
        "longer."
    ),
    _("Stones side by side are one chain and share their liberties. This chain has three."),
    _("Black has taken the last liberty of a white stone: it is captured, and black wins."),
    _("Who takes the last liberty of their own chain loses, unless the stone captures."),
    _("Kalaha"),
    _("Sow seeds around the board, and collect more than half of them in your store."),
    _("Collect more than half of the 48 seeds in your store."),
    _(
        "Red has the lower houses and the store on the right, blue the upper houses and the "
        "store on the left."
    ),
    _(
        "Choose one of your houses. Its seeds go one by one counter-clockwise into the next "
        "houses and your own store."
    ),
    _("If the last seed falls into your store, you move again."),
    _(
        "If it falls into an empty house of yours and there are seeds in the house opposite, "
        "you capture all of these."
    ),
    _(
        "The game ends when all houses of one side are empty after a move. Here blue has one "
        "seed left."
    ),
    _("The other player then keeps the seeds of the other side. The player with more seeds wins."),
    _("Lines of Action"),
    _("Join all your men in one group. The men in a line say how far you move along it."),
    _("Join all your men in one group. Neighbours in a diagonal are joined too."),
    _(
        "Black has men at the top and at the bottom, white at the left and at the right. "
        "Black begins."
    ),
    _(
        "A man moves straight or diagonally, exactly as many squares as there are men of both"
        " colours in that line."
    ),
    _("It may jump over men of its own colour, but not over your opponent's."),
    _("It captures a man of your opponent by landing on it. The man leaves the board."),
    _("Who cannot move loses, and a game of 200 moves is a draw."),
    _(
        "All black men are in one group: black wins. A move that completes both groups is a "
        "draw."
    ),
    _("Nine Men's Morris"),
    _("Three men in a line take one of the opponent's men. A player with two men left loses."),
    _("Leave your opponent with two men, or without a move."),
    _("The players place nine men each on the points, by turns. White begins."),
    _(
        "Three men of one colour in a line are a mill. Whoever closes a mill takes one of the"
        " opponent's men."
    ),
    _("Men in a mill are safe as long as there are others to take."),
    _(
        "When all men are placed, they move along the lines to the next point. A mill can be "
        "opened and closed again."
    ),
    _("A player with three men left may move to any empty point."),
    _(
        "A player with two men left loses, and so does one who cannot move. Fifty moves "
        "without a mill are a draw."
    ),
    _("Pentago"),
    _("Place a marble, then turn one of the four blocks by a quarter. Five in a line win."),
    _("Get five of your marbles in a line: across, up or diagonally."),
    _("The board has four blocks of nine cells. White begins."),
    _("First place a marble on any empty cell."),
    _(
        "Then turn one of the four blocks by a quarter to the left or to the right. The "
        "buttons show which one."
    ),
    _(
        "White has three marbles in the lowest row and two at the right edge. What will a "
        "turn of the lower right block do?"
    ),
    _("It completes a line: five in a row, column or diagonal win."),
    _(
        "Five before the turn win at once. If both players have five after a turn, or the "
        "board is full, it is a draw."
    ),
    _("Quarto"),
    _(
        "Place the piece that your opponent gives you. Four in a line with one thing in "
        "common win."
    ),
    _("Place the fourth piece of a line whose pieces have one thing in common."),
    _(
        "Each of the sixteen pieces is black or white, large or small, round or square, and "
        "solid or hollow."
    ),
    _("Red begins and gives Blue a piece."),
    _("Blue places it on any empty cell. Then Blue gives Red a piece."),
    _("These three in a line are hollow. A player who gets a hollow piece now can win."),
    _(
        "Four in a line with one thing in common win for the player who placed the last one. "
        "If the board fills up without them, it is a draw."
    ),
    # Translators: caption of the number of men that black has in hand
    _("Black"),
    # Translators: the action of giving the opponent this piece
    _("Give {places}"),
    # Translators: caption of the piece that the player must place
    _("In hand"),
    # Translators: a button for a turn in which the player does nothing
    _("Pass"),
    # Translators: a button: put a man on the board
    _("Place"),
    # Translators: put a man on this point of the board
    _("Place {places}"),
    # Translators: a button: capture a man
    _("Take"),
    # Translators: a button of Hex
    _("Take over the first stone"),
    # Translators: capture the man on this point
    _("Take {places}"),
    # Translators: caption of the number of men that white has in hand
    _("White"),
    # Translators: what the player has to do, after “Your turn.” or “Anna to move.”
    _("A man to take"),
    # Translators: what the player has to do, after “Your turn.” or “Anna to move.”
    _("A block to turn"),
    # Translators: what the player has to do, after “Your turn.” or “Anna to move.”
    _("A piece to give"),
    # Translators: what the player has to do, after “Your turn.” or “Anna to move.”
    _("A piece to place"),
    # Translators: names of pieces, as in “the cell has a red disc”. A man is a piece in draughts.
    _("black disc"),
    _("black man"),
    _("blue disc"),
    _("large hollow black block"),
    _("large hollow black disc"),
    _("large hollow white block"),
    _("large hollow white disc"),
    _("large solid black block"),
    _("large solid black disc"),
    _("large solid white block"),
    _("large solid white disc"),
    _("red disc"),
    _("small hollow black block"),
    _("small hollow black disc"),
    _("small hollow white block"),
    _("small hollow white disc"),
    _("small solid black block"),
    _("small solid black disc"),
    _("small solid white block"),
    _("small solid white disc"),
    _("white disc"),
    _("white man"),
    _("yellow disc"),
))  # fmt: skip
"""The titles, the summaries, the lessons, and the names of actions and pieces."""

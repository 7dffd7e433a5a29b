"""The bot for Tic-Tac-Toe, a solved game in which each role can force 50 points."""

from functools import cache

from games.bots.exact import ExactBot, NoticeChances, Outcome
from games.rules.tic_tac_toe import TicTacToe

_LIKED = {"mark 2 2": 4, "mark 1 1": 2, "mark 1 3": 2, "mark 3 1": 2, "mark 3 3": 2}


class TicTacToeBot(ExactBot[TicTacToe]):
    skills = {
        1: NoticeChances(own=0.5, other=0.1, ahead=0.0, has_taste=False),
        2: NoticeChances(own=0.83, other=0.3, ahead=0.0),
        3: NoticeChances(own=0.94, other=0.6, ahead=0.09),
        4: NoticeChances(own=1.0, other=0.9, ahead=0.32),
    }

    def forced(self, position: TicTacToe) -> tuple[Outcome, Outcome]:
        points = _forced(position)
        return (points, 2 * points - 100), (100 - points, 100 - 2 * points)

    def hope(self, position: TicTacToe, seat: int) -> float:
        return _hope(position, seat)

    def liking(self, action: str) -> int:
        return _LIKED.get(action, 1)


@cache
def _forced(position: TicTacToe) -> int:
    """Return the points that xplayer can force. The opponent gets the rest of the 100."""
    if position.goals is not None:
        return position.goals["xplayer"]
    best = max if position.turn == "xplayer" else min
    return best(_forced(position.play(action)) for action in position.legal())


@cache
def _hope(position: TicTacToe, seat: int) -> float:
    """Return the seat's mean points if it plays perfectly and its opponent plays at random."""
    role = position.roles[seat]
    if position.goals is not None:
        return position.goals[role]
    after = [position.play(action) for action in position.legal()]
    if position.turn != role:
        return sum(_hope(each, seat) for each in after) / len(after)
    worths = [(_forced(each) if seat == 0 else 100 - _forced(each), each) for each in after]
    most = max(worth for worth, _ in worths)
    return max(_hope(each, seat) for worth, each in worths if worth == most)


BOT = TicTacToeBot()

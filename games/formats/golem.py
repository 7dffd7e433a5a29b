"""Records in Little Golem's notation, for the game of lines between six by six points.

Columns are a to f from the left, rows 1 to 6 from the bottom; a line is its two points, `b5c5`. A
turn has a number; its lines are separated by commas, because completing a box earns another line.

    1. b5c5 2. c4c5 3. b4c4 4. b4b5, d3e3 5. f1f2

(littlegolem.net, forum of that game, topic 12, 2004.) The reader accepts the two points in either
order and with a hyphen, skips lines in square brackets, and does not need the numbers.
"""

import re

from games.formats.sheet import Sheet, build_refusal, get_game_of_format, list_positions
from games.messages.refusal import Refused

GAME = get_game_of_format("golem").slug
_COLUMNS = "abcdef"
_SIDE = len(_COLUMNS)
# A pattern that crosses lines would scan the rest of the text from the start of each line.
_TAG = re.compile(r"^[ \t]*\[[^\]\n]*\][ \t\r]*$", re.MULTILINE)
_TOKEN = re.compile(
    r"(?P<number>[0-9]{1,3}\.)|(?P<line>[a-f][1-6]-?[a-f][1-6])(?![a-z0-9-])|(?P<between>[\s,]+)",
    re.ASCII | re.IGNORECASE,
)


def write(sheet: Sheet) -> str:
    """Write the numbered turns. Raise `Refused` if the rules do not allow the actions."""
    before = list_positions(sheet.game, sheet.actions, sheet.options)
    turns: list[list[str]] = []
    role = None
    for position, action in zip(before[:-1], sheet.actions, strict=True):
        if position.turn != role:
            turns.append([])
            role = position.turn
        turns[-1].append(_line(action))
    said = (f"{number}. {', '.join(turn)}" for number, turn in enumerate(turns, 1))
    return "\n".join(said) + "\n"


def read(text: str) -> Sheet:
    """Read a record. Raise `Refused` if it, or its division into turns, breaks the rules."""
    text = _TAG.sub("", text)
    at, turn = 0, 0
    actions: list[str] = []
    turns: list[int] = []  # the number of the turn of each action
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise Refused("record-unreadable")
        if found["number"]:
            turn += 1
        elif found["line"]:
            actions.append(_action(found["line"].lower().replace("-", "")))
            turns.append(turn)
        at = found.end()
    if not actions:
        raise Refused("record-unreadable")
    before = list_positions(GAME, actions)
    for number in range(1, len(actions)):
        is_other = before[number].turn != before[number - 1].turn
        if turn and is_other != (turns[number] != turns[number - 1]):
            raise build_refusal(number + 1, _line(actions[number]))
    return Sheet(GAME, tuple(actions))


def _line(action: str) -> str:
    x1, y1, x2, y2 = map(int, action.split(" ")[1:])
    # Our rows count from the top, and theirs from the bottom.
    first, second = sorted(f"{_COLUMNS[x - 1]}{_SIDE + 1 - y}" for x, y in ((x1, y1), (x2, y2)))
    return first + second


def _action(line: str) -> str:
    points = sorted((_COLUMNS.index(line[i]) + 1, _SIDE + 1 - int(line[i + 1])) for i in (0, 2))
    return "draw {} {} {} {}".format(*points[0], *points[1])

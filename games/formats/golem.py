"""Records of the game of lines and boxes in Little Golem's notation.

The columns are a to f from the left, and the rows 1 to 6 from the bottom. A line is named by its
two end points: `b5c5`. Turns are numbered. A turn has several lines, separated by commas, if the
player completed a box.

    1. b5c5 2. c4c5 3. b4c4 4. b4b5, d3e3 5. f1f2

Source: littlegolem.net, forum of that game, topic 12, 2004. The reader accepts the two points in
either order and with a hyphen between them, ignores lines of text in square brackets, and does not
need the numbers.
"""

import re

from games.formats.sheet import Sheet, build_refusal, get_game_of_format, list_positions
from games.messages.refusal import Refused

GAME = get_game_of_format("golem").slug
_COLUMNS = "abcdef"
_SIDE = len(_COLUMNS)
# A pattern that could match across lines would scan the rest of the text once per line.
_TAG = re.compile(r"^[ \t]*\[[^\]\n]*\][ \t\r]*$", re.MULTILINE)
_TOKEN = re.compile(
    r"(?P<number>[0-9]{1,3}\.)|(?P<line>[a-f][1-6]-?[a-f][1-6])(?![a-z0-9-])|(?P<between>[\s,]+)",
    re.ASCII | re.IGNORECASE,
)


def write(sheet: Sheet) -> str:
    """Return the numbered turns. Raise `Refused` if an action is illegal."""
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
    """Read a record.

    Raise `Refused` if the text is unreadable or an action is illegal. If there are numbers, also
    raise it unless they are exactly where the turns begin. Their values do not matter.
    """
    text = _TAG.sub("", text)
    at, turn = 0, 0
    actions: list[str] = []
    turns: list[int] = []  # for each action, the number of its turn
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
    # This project counts rows from the top, and Little Golem counts them from the bottom.
    first, second = sorted(f"{_COLUMNS[x - 1]}{_SIDE + 1 - y}" for x, y in ((x1, y1), (x2, y2)))
    return first + second


def _action(line: str) -> str:
    points = sorted((_COLUMNS.index(line[i]) + 1, _SIDE + 1 - int(line[i + 1])) for i in (0, 2))
    return "draw {} {} {} {}".format(*points[0], *points[1])

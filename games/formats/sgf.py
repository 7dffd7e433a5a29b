"""SGF records of games that are played with stones on 15 by 15 crossings.

The format is FF[4] GM[4] (red-bean.com/sgf; 4 is gomoku). A stone is B or W with its column and
row, counted from the top left; `hh` is the centre.

In the opening, player1 places three stones. Then player2 either picks a colour, or places two more
stones and leaves the pick to player1. SGF has no property for the pick, so the root node has a
property of this project:
`PICK[3:white]` means that the role in control after three stones picked white, `PICK[-]` that
nobody has picked yet, and `PICK[plain]` that there was no opening. A record of four or more stones
without this property is read as if player1 had black.

Only the first variation is read. Handicaps, passes and other board sizes are refused.
"""

import re
from collections.abc import Iterator
from datetime import UTC
from typing import Protocol, runtime_checkable

from games.formats.sheet import Sheet, build_refusal, get_game_of_format, list_positions
from games.messages.refusal import Refused
from games.rules import IllegalAction

_RULES = get_game_of_format("sgf")
GAME = _RULES.slug
_LETTERS = "abcdefghijklmno"
_SIDE = len(_LETTERS)
_USUAL = (3, "white")  # the pick in records of four or more stones that do not name one
_PICK = re.compile(r"([35]):(black|white)", re.ASCII)
_HOW = {"resignation": "R", "time": "T"}
_MOST_LEVELS = 200  # the maximum depth of nested variations
_MOST_NODES = 1000
_TOKEN = re.compile(
    r"(?P<mark>[();])|(?P<name>[A-Z]{1,8})|\[(?P<value>(?:[^\]\\]|\\.)*)\]|(?P<blank>\s+)",
    re.DOTALL,
)

Node = dict[str, list[str]]


@runtime_checkable
class _Stones(Protocol):
    """The facts that a record needs about a position in addition to its actions."""

    @property
    def stone(self) -> str | None:
        """The colour of the next stone: "b", "w", or None."""

    black_seat: int | None
    """The role that has black, 0 or 1; None until a player picks."""


# -- writing


def write(sheet: Sheet) -> str:
    """Return the match as one variation. Raise `Refused` if an action is illegal."""
    before = list_positions(sheet.game, sheet.actions, sheet.options)
    nodes: list[str] = []
    pick = ""
    for position, action in zip(before[:-1], sheet.actions, strict=True):
        assert isinstance(position, _Stones)
        verb, *words = action.split(" ")
        if verb == "pick":
            pick = f"{len(nodes)}:{words[0]}"
        else:
            stone = (position.stone or "").upper()
            nodes.append(f";{stone}[{_LETTERS[int(words[0]) - 1]}{_LETTERS[int(words[1]) - 1]}]")
    last = before[-1]
    assert isinstance(last, _Stones)
    black = last.black_seat or 0
    root = {
        "FF": "4",
        "GM": "4",
        "CA": "UTF-8",
        "AP": "Parlour:1",
        "SZ": str(_SIDE),
        "RU": _RULES.name,
        "GN": sheet.match,
        "DT": f"{sheet.at.astimezone(UTC):%Y-%m-%d}" if sheet.at else "",
        "PB": sheet.names[black],
        "PW": sheet.names[1 - black],
        "PICK": pick or sheet.options or "-",
        "RE": _result(sheet, black),
        **_time(sheet.clock),
    }
    told = "".join(f"{name}[{_escaped(text)}]" for name, text in root.items() if text)
    return f"(;{told}\n{''.join(nodes)})\n"


def _result(sheet: Sheet, black: int) -> str:
    if not sheet.ended or sheet.goals is None:
        return "?"
    if sheet.ended in {"aborted", "voided"}:
        return "Void"
    own, other = sheet.goals[black], sheet.goals[1 - black]
    if own == other:
        return "Draw"
    return f"{'B' if own > other else 'W'}+{_HOW.get(sheet.ended, '')}"


def _time(clock: str) -> dict[str, str]:
    minutes, plus, seconds = clock.partition("+")
    return {"TM": str(int(minutes) * 60), "OT": f"{seconds} Fischer"} if plus else {}


def _escaped(text: str) -> str:
    plain = " ".join(text.split())
    return re.sub(r"([\]\\:])", r"\\\1", plain)


# -- reading


def read(text: str) -> Sheet:
    """Read the first variation. Raise `Refused` if it is not a valid record."""
    root, *others = _nodes(text)
    if root.get("GM", ["4"])[0].strip() != "4" or root.get("SZ", ["15"])[0].strip() != str(_SIDE):
        raise Refused("record-no-game")
    stones = [stone for node in (root, *others) for stone in _stones(node)]
    picked = _picked(root, len(stones))
    options = _options(root)
    position = _RULES.get_start(options)
    assert isinstance(position, _Stones)
    actions: list[str] = []
    for count in range(len(stones) + 1):
        coming = []
        if picked is not None and picked[0] == count:
            coming.append(f"pick {picked[1]}")
        if count < len(stones):
            coming.append(stones[count][1])
        for action in coming:
            is_stone = action.startswith("place")
            if is_stone and position.stone != stones[count][0]:
                raise build_refusal(count + 1, f"{stones[count][0].upper()} {action}")
            try:
                position = position.play(action)
            except IllegalAction:
                raise build_refusal(count + 1, action) from None
            assert isinstance(position, _Stones)
            actions.append(action)
    names = (_text(root, "PB"), _text(root, "PW"))
    names = names if position.black_seat != 1 else names[::-1]
    return Sheet(GAME, tuple(actions), names, options=options)


def _options(root: Node) -> str:
    text = root.get("PICK", [""])[0]
    return text if text in _RULES.options else ""


def _picked(root: Node, stones: int) -> tuple[int, str] | None:
    """Return the number of stones before the pick and the picked colour, or None without a pick."""
    if "PICK" not in root:
        return _USUAL if stones > _USUAL[0] else None
    text = root["PICK"][0].replace("\\", "")
    if text == "-" or text in _RULES.other_starts:
        return None
    found = _PICK.fullmatch(text)
    if found is None:
        raise Refused("record-unreadable")
    return int(found[1]), found[2]


def _stones(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the stones of a node, each as its colour ("b" or "w") and its action."""
    if node.keys() & {"AB", "AW", "AE"} or {"B", "W"} <= node.keys():
        raise Refused("record-unreadable")
    for colour in node.keys() & {"B", "W"}:
        place = node[colour][0].strip()
        if len(place) != 2 or len(node[colour]) != 1 or not set(place) <= set(_LETTERS):
            raise Refused("record-unreadable")
        x, y = (_LETTERS.index(letter) + 1 for letter in place)
        yield colour.lower(), f"place {x} {y}"


def _nodes(text: str) -> list[Node]:
    """Return the nodes of the first game's first variation, without recursion."""
    level, nodes, ended = 0, list[Node](), False
    name, named = "", False
    for kind, value in _tokens(text):
        if kind == "mark":
            name = ""
            level += {"(": 1, ")": -1, ";": 0}[value]
            ended = ended or value == ")"  # ignore the rest: other variations, or other games
            if not 0 <= level <= _MOST_LEVELS or (value == ";" and not level):
                raise Refused("record-unreadable")
            if value == ";" and not ended:
                nodes.append({})
        elif kind == "name":
            if not level or not nodes:
                raise Refused("record-unreadable")
            name, named = value, True
        else:
            if not name:
                raise Refused("record-unreadable")
            if not ended:
                known = nodes[-1].setdefault(name, [])
                if named and known:
                    raise Refused("record-unreadable")  # a node must not repeat a property
                known.append(value)
            named = False
        if len(nodes) > _MOST_NODES:
            raise Refused("record-unreadable")
    if level or not nodes:
        raise Refused("record-unreadable")
    return nodes


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise Refused("record-unreadable")
        at = found.end()
        if found.lastgroup != "blank":
            assert found.lastgroup is not None
            yield found.lastgroup, found[found.lastgroup]


def _text(node: Node, name: str) -> str:
    raw = node.get(name, [""])[0]
    plain = re.sub(r"\\(\r\n|\n\r|\r|\n)", "", raw)
    return " ".join(re.sub(r"\\(.)", r"\1", plain, flags=re.DOTALL).split())[:80]

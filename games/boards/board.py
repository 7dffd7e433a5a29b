"""The definition of a board: elements with their places, in the order of the game's diagram.

A new game adds a module with a `BOARD` to this package. The game needs no script or style of its
own if its elements have the kinds below. `games/boards/drawing.py` draws each kind, and
`static/css/board.css` defines the appearance of its marks.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from games.gdl.symbols import Symbol
from games.messages import Message, Sentence, build_message
from games.rules import Position

Kind = Literal[
    "cell", "stone", "box", "across", "down", "square", "crossing", "hexagon", "spot"
]  # fmt: skip
"""The kinds of elements. A cell holds a cross or a ring, a stone is on a crossing of a grid, and a
box gets an owner. An element "across" or "down" is a line between two points. The other kinds show
the board's own `symbols`; a spot is a place on a board that is no grid."""

EMPTY = "."
JOINT = " + "
"""The separator in the coordinates of an action that names several elements: "B2 + E2"."""
SHEET_KINDS: tuple[Kind, ...] = ("square", "crossing", "hexagon", "spot")
_FINE = 900.0  # the width of a board of which the captions have to be larger
COLUMNS = "ABCDEFGHIJKLMNO"
"""The column letters, from the left. Rows are numbered from the top, starting at 1."""


@dataclass(frozen=True)
class Element:
    """An element of a board. `x` and `y` are its centre, and `size` is its width and height.

    Lengths are in the board's units. A player acts on a single element with an `action`. Elements
    with a `grid` and a `cell` are chosen together, one from each grid. The action is then the
    board's `verb`, followed by the chosen cells in the order of the grids.
    """

    kind: Kind
    x: float
    y: float
    size: float
    place: str
    """The coordinates as in the captions of the board, such as "B2". They are not translated, and
    they name the element on screen and for screen readers."""
    action: str = ""
    grid: int = 0
    cell: str = ""
    called: str = ""
    """The code of a sentence that names the element, if its `place` alone is not enough."""

    @property
    def name(self) -> Message:
        """Return the element's name for display."""
        if self.called:
            return build_message(self.called, place=self.place)
        return build_message("said.action", action=self.place)


@dataclass(frozen=True)
class Button:
    """An action without an element. `label` is in English, marked for translation."""

    action: str
    label: str
    question: str = ""
    """A confirmation that the page requests if the player has enabled confirmations. It is in
    English, marked for translation."""
    mark: str = ""
    """The mark that is drawn next to the label."""
    symbol: Symbol | None = None
    """The symbol that is drawn next to the label, on boards with symbols."""


@dataclass(frozen=True)
class BoardLine:
    """A line that is part of the board itself."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str = ""
    """The CSS classes of a line that is not a plain one: "block", or "side" with a colour."""


@dataclass(frozen=True)
class Point:
    """A dot that is part of the board itself."""

    x: float
    y: float
    radius: float = 5


@dataclass(frozen=True)
class Caption:
    """A text or a number on the board."""

    x: float
    y: float
    text: Message | str


@dataclass(frozen=True)
class Square:
    """The outline of a square, a hexagon or a round spot; `x` and `y` are its centre."""

    kind: Kind
    x: float
    y: float
    size: float
    is_dark: bool = False


Decor = BoardLine | Point | Caption | Square


def name_place(column: int, row: int) -> str:
    """Name a place by its column and row, which count from 1: "H8"."""
    return f"{COLUMNS[column - 1]}{row}"


class Detail(NamedTuple):
    """An additional sentence about the end of a game.

    `code` is one of the board's codes. If the sentence is about a role, its `owner`, the board has
    sentences for the code with the suffixes `.won`, `.lost` and `.seen`. `won` and `lost` are the
    points of the owner and its opponent or, without an owner, of the first and the second role.
    """

    code: str
    owner: str | None = None
    won: int | None = None
    lost: int | None = None


class Path(NamedTuple):
    """An action that a player chooses by acting on several elements, one after the other."""

    action: str
    label: str | Message
    """The action's name for people, such as "B2-B3", or a sentence such as "Take B2"."""
    steps: tuple[int | tuple[int, ...], ...]
    """For each step, the index of an element, or of several of which any will do."""


def _no_prompt(position: Position, last: str) -> Message | None:
    return None


def _no_closing(position: Position) -> tuple[tuple[int, int], ...]:
    return ()


def _no_result(position: Position) -> str:
    return ""


def _no_details(position: Position) -> tuple[Detail, ...]:
    return ()


def _no_score(position: Position, role: str) -> int | None:
    return None


@dataclass(frozen=True)
class Board:
    """The board of a game: its drawing and its texts."""

    slug: str
    summary: str
    """A one-sentence description for people who do not know the game, marked for translation."""
    width: float
    height: float
    elements: tuple[Element, ...]
    words: Mapping[str, Sentence]
    """The name of each mark, marked for translation."""
    badge: Callable[[Position, str], str]
    """The mark of a role in a position, or '.' if it is not decided yet."""
    below: tuple[Decor, ...] = ()
    above: tuple[Decor, ...] = ()
    buttons: tuple[Button, ...] = ()
    verb: str = ""
    prompt: Callable[[Position, str], Message | None] = _no_prompt
    """The prompt after the `last` action, if "your turn" is not precise enough. For the code of the
    prompt, the board has sentences with the suffixes `.mine` (for the role in control), `.theirs`
    (for its opponent) and `.seen` (for watchers). The sentences can contain the names of the role
    in control, `{name}`, and its opponent, `{other}`."""
    hand: Callable[[Position], str] | None = None
    """The mark that the role in control would make now. The default is that role's badge."""
    closing: Callable[[Position], tuple[tuple[int, int], ...]] = _no_closing
    """Pairs of elements. A player who acts on the first element becomes the owner of the second."""
    result: Callable[[Position], str] = _no_result
    """The code of the sentence about the end of a game. If there is a winner, the board has
    sentences for the code with the suffixes `.won`, `.lost` and `.seen`. `{result}` in these
    sentences becomes "You won", "You lost", "Draw" or the like. If the code is "", the page uses a
    general sentence."""
    details: Callable[[Position], tuple[Detail, ...]] = _no_details
    """Additional sentences about a finished game."""
    score: Callable[[Position, str], int | None] = _no_score
    """The current score of a role, or None in games without a score."""
    beside: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The elements that an action can mark in addition to its own elements."""
    phrases: Mapping[str, Message] = field(default_factory=dict)
    """The descriptions of actions without elements."""
    opening: str = ""
    """A sentence that explains an unusual opening to players who meet it for the first time, marked
    for translation."""
    sentences: Mapping[str, Sentence] = field(default_factory=dict)
    """The board's sentences by code. Elsewhere, each of these codes has the prefix "<slug>."."""

    symbols: tuple[Symbol, ...] = ()
    """What elements can show, if they are of a kind without marks of its own."""
    places: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The elements of each action that no single element has."""
    paths: Callable[[Position], tuple[Path, ...]] | None = None
    """The legal actions with elements, on boards where one click is not enough to choose one. If
    several actions have the same elements, the board's buttons for them follow the last click."""
    has_hints: bool = False
    """Whether dots show the player which elements are open."""
    settled: Callable[[Position, str], tuple[int, ...]] | None = None
    """The elements that the last action has changed, if they are not those of `touched`."""

    @cached_property
    def traits(self) -> str:
        """Return the CSS classes that distinguish boards, such as `stones` or `wide`."""
        has_stones = any(element.kind == "stone" for element in self.elements)
        is_wide = self.width > 1.5 * self.height
        is_sheet = any(element.kind in SHEET_KINDS for element in self.elements)
        is_fine = is_sheet and max(self.width, self.height) > _FINE
        traits = {
            "stones": has_stones,
            "wide": is_wide,
            "sheet": is_sheet,
            "fine": is_fine,
            "hints": self.has_hints,
        }
        return " ".join(name for name, has in traits.items() if has)

    def touched(self, action: str) -> tuple[int, ...]:
        """Return the indices of the elements that the action can change, if any."""
        return _touched(self, action)

    def find_fresh(self, position: Position, action: str) -> tuple[int, ...]:
        """Return the indices of the elements to highlight after the action that led here."""
        return self.settled(position, action) if self.settled else self.touched(action)

    def list_buttons(self, position: Position) -> list[str]:
        """Return the legal actions that have a button and no element."""
        return [
            each.action
            for each in self.buttons
            if each.action not in self.places and position.may(each.action)
        ]

    def targets(self, position: Position) -> frozenset[int]:
        """Return the indices of the elements that legal actions name, or name first."""
        if self.paths:
            first = (path.steps[0] for path in self.paths(position))
            return frozenset(
                i for step in first for i in ((step,) if isinstance(step, int) else step)
            )
        return frozenset(chain.from_iterable(_own(self, a) for a in position.actions()))

    @cached_property
    def masks(self) -> dict[str, int]:
        """Return the masks of actions, for `packed_targets`, which adds them."""
        return {}

    def packed_targets(self, position: Position) -> str:
        """Return `targets` as text: one bit per element in order, four bits per hex digit."""
        elements = position.open
        if elements is None:
            return _packed_targets(self, position)
        return f"{int(elements.ljust(4 * self._digits, '0'), 2):0{self._digits}x}"

    def say(self, action: str) -> Message:
        """Name the action for people: "H8", "B2 + E2", "picks black".

        The frames of a match, the list of moves and the analysis use these names. To confirm an
        action, pages join the names of its elements instead. An unknown action is returned
        unchanged.
        """
        return _say(self, action)

    def mark_of(self, position: Position) -> str:
        """Return the mark that the role in control would make.

        Return '.' if it is not decided yet, or if the game is over.
        """
        if position.turn is None:
            return EMPTY
        return self.hand(position) if self.hand else self.badge(position, position.turn)

    def mark_of_move(self, after: Position, role: str, action: str) -> str:
        """Return the mark of a move in the list of moves.

        This is the role's mark or, if the role does not have one yet, the mark that the move left
        on the board.
        """
        badge, touched = self.badge(after, role), self.touched(action)
        return after.diagram[touched[0]] if badge == EMPTY and touched else badge

    def own(self, action: str) -> tuple[int, ...]:
        """Return the indices of the elements that the action names, or () if it names none."""
        index = self._by_action.get(action)
        if index is not None:
            return (index,)
        if action in self.places:
            return self.places[action]
        verb, *words = action.split(" ")
        if not self.verb or verb != self.verb or len(words) % 2:
            return ()
        cells = [" ".join(words[i : i + 2]) for i in range(0, len(words), 2)]
        found = [self._by_cell.get((grid, cell)) for grid, cell in enumerate(cells, 1)]
        return tuple(i for i in found if i is not None) if None not in found else ()

    @cached_property
    def _digits(self) -> int:
        """The number of hexadecimal digits that have a bit for each element."""
        return -(-len(self.elements) // 4)

    @cached_property
    def _by_action(self) -> dict[str, int]:
        return {e.action: i for i, e in enumerate(self.elements) if e.action}

    @cached_property
    def _by_cell(self) -> dict[tuple[int, str], int]:
        return {(e.grid, e.cell): i for i, e in enumerate(self.elements) if e.grid}

    def __hash__(self) -> int:
        return hash(self.slug)


@lru_cache(maxsize=16384)
def _touched(board: Board, action: str) -> tuple[int, ...]:
    return board.own(action) + board.beside.get(action, ())


@lru_cache(maxsize=4096)
def _say(board: Board, action: str) -> Message:
    if action in board.phrases:
        return board.phrases[action]
    places = [board.elements[i].place for i in board.own(action)]
    return build_message("said.action", action=JOINT.join(places) or action)


@lru_cache(maxsize=1024)
def _own(board: Board, action: str) -> tuple[int, ...]:
    return board.own(action)


@lru_cache(maxsize=8192)
def _packed_targets(board: Board, position: Position) -> str:
    if board.paths:
        bits = _mask(board, board.targets(position))
    else:
        bits, masks = 0, board.masks
        for action in position.actions():
            if action not in masks:
                masks[action] = _mask(board, board.own(action))
            bits |= masks[action]
    return f"{bits:0{board._digits}x}"


def _mask(board: Board, elements: Collection[int]) -> int:
    """Return a number with the bits of these elements, of which the first one has the highest."""
    highest = 4 * board._digits - 1
    return sum(1 << highest - i for i in set(elements))

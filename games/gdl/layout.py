"""The layout of a sheet: what its board looks like, and how each action is chosen on it.

The layout follows from the sheet and its network. An overlay corrects it; the format of overlays is
in `games/gdl/overlay.py`.

The board is the relation with the most places: two of its arguments are coordinates, and each place
always has one symbol at most. With three or four coordinates, there are several grids side by side.
Without such a relation, it is one with a place and a symbol. Otherwise every action is a button.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from games.gdl.acts import ActionPath, find_acts, infer_patterns, join_parts, match_pattern
from games.gdl.errors import SheetError
from games.gdl.network import Network
from games.gdl.overlay import EMPTY_OVERLAY, Cells, Overlay, read_pattern
from games.gdl.plan import Label, Plan, Spot, name_key, name_single
from games.gdl.relations import MOST_PLACES, BoardPatterns, Relations
from games.gdl.sheet_position import PASS
from games.gdl.symbols import (
    COLOUR_MARKS,
    EMPTY_MARK,
    Symbol,
    choose_symbols,
    find_empty_symbols,
    infer_role_marks,
)
from games.gdl.terms import Atom, RuleSheet, get_name, render_term
from games.rules.position import NOOP


@dataclass(frozen=True, eq=False)
class Layout:
    """How to draw a sheet's positions, and how to choose its actions."""

    roles: tuple[str, str]
    cells: Cells
    is_grid: bool
    is_checkered: bool
    spots: tuple[Spot, ...]
    """The places in the order of the diagram; a single one if the sheet has no board."""
    captions: tuple[Label, ...]
    lines: tuple[tuple[int, int, str], ...]
    """Pairs of places that a line connects, and its colour or ""."""
    symbols: tuple[Symbol, ...]
    named: Mapping[str, Symbol]
    """The symbols by their constants in the sheet."""
    drawn: Mapping[int, tuple[int, str]]
    """For each fluent that is drawn, its place and the character of its symbol."""
    badges: Mapping[str, str]
    """The character of each role's mark."""
    scored: Mapping[int, tuple[str, int]]
    """For each fluent that gives a score, the role and the score."""
    counted: Mapping[str, str]
    """For each role whose score is a number of symbols, the characters to count."""
    acts: Mapping[str, ActionPath]
    line: int
    overlay: Overlay
    fluents: int
    """The number of fluents of a state."""

    @cached_property
    def _codes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        # Later symbols cover earlier ones at the same place.
        order = {each.mark: i for i, each in enumerate(self.symbols)}
        every = sorted(self.drawn.items(), key=lambda item: order.get(item[1][1], -1))
        return (
            np.array([fluent for fluent, _ in every], np.intp),
            np.array([place for _, (place, _) in every], np.intp),
            np.array([ord(mark) for _, (_, mark) in every], np.uint32),
        )

    @cached_property
    def _kinds(self) -> Mapping[str, frozenset[str]]:
        """The kinds of each symbol for lines; a symbol that is not here is one of its own."""
        if not self.overlay.is_alike:
            return {}
        return {
            symbol.mark: frozenset(re.split("[- ]", name)) for name, symbol in self.named.items()
        }

    def read_diagram(self, state: bytes) -> str:
        """Return the character of each place. A state has a bit for each fluent."""
        fluents, places, marks = self._codes
        diagram = np.full(len(self.spots), ord(EMPTY_MARK), np.uint32)
        if len(fluents):
            shown = self._unpack(state)[fluents].nonzero()[0]
            diagram[places[shown]] = marks[shown]
        return diagram.tobytes().decode("utf-32-le")

    def get_score(self, state: bytes, diagram: str, role: str) -> int | None:
        """Return the score of a role, or None if the sheet has none."""
        if role in self.counted:
            return sum(diagram.count(mark) for mark in self.counted[role])
        if not self.scored:
            return None
        bits = self._unpack(state)
        scores = [n for i, (who, n) in self.scored.items() if who == role and bits[i]]
        return scores[0] if scores else None

    def _unpack(self, state: bytes) -> np.ndarray:
        return np.unpackbits(np.frombuffer(state, np.uint8), count=self.fluents)

    def find_line(self, diagram: str) -> tuple[int, ...]:
        """Return the places of the lines of at least `line` symbols of a kind; () without any."""
        if not self.line or not self.is_grid:
            return ()
        by_place = {
            (spot.column, spot.row): i for i, spot in enumerate(self.spots) if not spot.is_beside
        }
        blocks = self.overlay.blocks
        size = blocks if blocks >= self.line else MOST_PLACES  # within which a line must be
        diagonal = ((1, -1),) if self.cells == "hexagon" else ((1, 1), (1, -1))
        found: set[int] = set()
        for (column, row), first in by_place.items():
            if diagram[first] == EMPTY_MARK:
                continue
            for (dx, dy), kind in product(
                ((1, 0), (0, 1), *diagonal), self._kinds.get(diagram[first], diagram[first])
            ):
                run = [first]
                while (
                    after := by_place.get((x := column + len(run) * dx, y := row + len(run) * dy))
                ) is not None and kind in self._kinds.get(diagram[after], diagram[after]):
                    if (x // size, y // size) != (column // size, row // size):
                        break
                    run.append(after)
                if len(run) >= self.line:
                    found.update(run)
        return tuple(sorted(found))


def infer_layout(sheet: RuleSheet, network: Network, overlay: Overlay = EMPTY_OVERLAY) -> Layout:
    """Return the layout of a sheet. Raise `SheetError` if the overlay does not fit the sheet."""
    for role in (*overlay.roles, *overlay.scores):
        if role not in network.roles:
            raise SheetError(f"the overlay names {role!r}, which is no role of the sheet")
    facts = [read_pattern(each) for each in network.fluents]
    samples = _unpack_samples(network)
    relations = Relations(sheet, facts, network.initial, samples, _list_actions(network))
    patterns = BoardPatterns(overlay.board) if overlay.board else relations.find_board()
    found = [_read_layers(fact, patterns) for fact in facts]
    if overlay.board and not any(found):
        raise SheetError(f"board: no fact of the sheet matches {render_term(overlay.board[0])}")
    is_grid = any("column" in each for each in found if each)
    if is_grid and any("place" in each for each in found if each):
        raise SheetError("board: some patterns have ?place and others ?column and ?row")
    if overlay.beside and not is_grid:
        raise SheetError("beside: the board is no grid")
    found = [
        values or _read_beside(fact, overlay.beside)
        for values, fact in zip(found, facts, strict=True)
    ]
    board = Plan(overlay, relations, patterns, [each for each in found if each], is_grid)
    role_marks = infer_role_marks(network.roles, overlay)
    names = list(dict.fromkeys(_name_symbol(each) for each in found if each))
    empty = find_empty_symbols(
        _name_symbol(each)
        for each, holds in zip(found, network.initial, strict=True)
        if each and holds
    )
    for symbol in overlay.glyphs:
        if symbol not in names:
            raise SheetError(f"glyphs: {symbol!r} is on no place of the board")
    symbols = choose_symbols(names, empty, network.roles, role_marks, overlay)
    drawn = {
        fluent: (board.by_key[name_key(each)], symbols[symbol].mark)
        for fluent, each in enumerate(found)
        if each and (symbol := _name_symbol(each)) in symbols
    }
    acts = find_acts(
        relations.actions, board.grid, infer_patterns(relations, patterns, board.grid), overlay
    )
    return Layout(
        roles=network.roles,
        cells=overlay.cells or "square",
        is_grid=is_grid,
        is_checkered=overlay.is_checkered,
        spots=board.spots,
        captions=board.captions,
        lines=board.lines,
        symbols=_select_symbols(symbols),
        named=symbols,
        drawn=drawn,
        badges={
            role: COLOUR_MARKS[mark] for role, mark in zip(network.roles, role_marks, strict=True)
        },
        scored=_find_scores(facts, relations, overlay),
        counted=_find_counted(overlay, symbols),
        acts=acts,
        line=overlay.line,
        overlay=overlay,
        fluents=len(network.fluents),
    )


def _list_actions(network: Network) -> tuple[str, ...]:
    """Return the actions of both roles as positions name them."""
    found = {each: None for actions in network.actions for each in actions if each != NOOP}
    return (*found, f"{PASS} {NOOP}") if PASS in found else (*found, PASS)


def _select_symbols(symbols: Mapping[str, Symbol]) -> tuple[Symbol, ...]:
    return tuple({symbol.mark: symbol for symbol in symbols.values()}.values())


def _unpack_samples(network: Network) -> np.ndarray:
    size = len(network.fluents)
    packed = np.frombuffer(b"".join(network.samples), np.uint8)
    return np.unpackbits(packed.reshape(-1, -(-size // 8)), axis=1, count=size).view(np.bool_)


def _read_layers(fact: Atom, patterns: BoardPatterns) -> dict[str, str] | None:
    """Return the values of the variables of the first layer that a fact matches."""
    for layer in patterns.layers:
        values: dict[str, str] = {}
        if match_pattern(layer, fact, values):
            values = join_parts(values)
            values.setdefault("symbol", get_name(layer))
            if patterns.is_split:
                values["panel"] = f"{get_name(layer)} {values.get('panel', '')}".strip()
            if "column" not in values:
                values.setdefault("place", get_name(layer))
            return values
    return None


def _read_beside(fact: Atom, beside: Sequence[tuple[Atom, str]]) -> dict[str, str] | None:
    """Return the values of the first pattern of facts beside the grid that a fact matches."""
    for number, (pattern, _) in enumerate(beside):
        values: dict[str, str] = {}
        if match_pattern(pattern, fact, values):
            if not any(name.startswith("symbol") for name in values):
                values["symbol"] = values.get("place", get_name(pattern))
            values.setdefault("place", name_single(number))
            return values
    return None


def _name_symbol(values: Mapping[str, str]) -> str:
    return " ".join(values[name] for name in sorted(values) if name.startswith("symbol"))


def _find_scores(
    facts: Sequence[Atom], relations: "Relations", overlay: Overlay
) -> dict[int, tuple[str, int]]:
    patterns = {role: each for role, each in overlay.scores.items() if not isinstance(each, tuple)}
    found: dict[int, tuple[str, int]] = {}
    if not overlay.scores:
        patterns = relations.find_scores()
    for role, pattern in patterns.items():
        for fluent, fact in enumerate(facts):
            values: dict[str, str] = {}
            if match_pattern(pattern, fact, values) and values["n"].lstrip("-").isdigit():
                found[fluent] = role, int(values["n"])
        if not any(who == role for who, _ in found.values()):
            raise SheetError(f"scores: no fact of the sheet matches {render_term(pattern)}")
    return found


def _find_counted(overlay: Overlay, symbols: Mapping[str, Symbol]) -> dict[str, str]:
    found = {}
    for role, names in overlay.scores.items():
        if not isinstance(names, tuple):
            continue
        for name in names:
            if name not in symbols:
                raise SheetError(f"scores: {name!r} is on no place of the board")
        found[role] = "".join(dict.fromkeys(symbols[name].mark for name in names))
    return found

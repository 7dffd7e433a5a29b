"""The relations of a sheet's states: which of them is the board, and which are scores.

Samples of states show which facts exclude each other. Arguments are the coordinates of a board if
no state of the samples has two facts with the same ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from games.gdl.domains import find_chains, is_flat, order_constants
from games.gdl.overlay import read_pattern
from games.gdl.terms import (
    Atom,
    Compound,
    RuleSheet,
    Variable,
    find_variables,
    get_args,
    get_name,
)

MOST_PLACES = 625
_LEAST_PLACES = 4  # of a grid
_MOST_PANELS = 49
_EDGE = 1.5  # the length of a line between two points, in cells
_ROW_NAMES = frozenset(("row", "r", "y", "rank"))
_COLUMN_NAMES = frozenset(("column", "col", "c", "x", "file"))
_Args = tuple[str, ...]
_Shape = tuple[str, int]
"""The name of a relation, and the number of its arguments."""


@dataclass(frozen=True)
class BoardPatterns:
    """Patterns of the facts to draw, as in an overlay.

    The variables of inferred ones can have parts: `?panel.1` and `?panel.2` are `?panel` together.
    """

    layers: tuple[Atom, ...] = ()
    is_split: bool = False
    """Whether each relation has a grid of its own."""
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Where the places of a board are that is no grid, in cells; {} if that is not known."""


@dataclass(frozen=True)
class _Grid:
    """A relation with coordinates."""

    shape: _Shape
    column: int
    row: int
    panels: tuple[int, ...]
    """The positions of the arguments that say on which of several grids a fact is."""
    places: frozenset[_Args]
    symbols: int
    peak: int
    """The number of facts of the fullest state."""


class Relations:
    """The relations of a state, and what their arguments are."""

    def __init__(
        self,
        sheet: RuleSheet,
        facts: Sequence[Atom],
        initial: NDArray[np.bool_],
        samples: NDArray[np.bool_],
        actions: tuple[str, ...],
    ) -> None:
        self.sheet = sheet
        self.actions = {
            each: read_pattern(f"({each})" if " " in each else each) for each in actions
        }
        """The actions of both roles, and what they are as terms."""
        self.chains = find_chains(sheet)
        self.has_samples = len(samples) > 0
        states = np.vstack([initial[None, :], samples])
        self.args: dict[_Shape, list[_Args]] = {}
        fluents: dict[_Shape, list[int]] = {}
        for fluent, fact in enumerate(facts):
            if get_args(fact) and is_flat(get_args(fact)):
                shape = get_name(fact), len(get_args(fact))
                self.args.setdefault(shape, []).append(tuple(str(e) for e in get_args(fact)))
                fluents.setdefault(shape, []).append(fluent)
        self._states = {shape: states[:, columns] for shape, columns in fluents.items()}
        """For each relation, which of its facts each sample has. The first one is the start."""

    def find_board(self) -> BoardPatterns:
        """Return the patterns of the facts to draw; without any, there is no board."""
        grids = list(self._find_grids())
        grids = [each for each in grids if not self._is_constant(each.shape)] or grids
        most = max((each.peak for each in grids), default=0)
        edges = self._find_edges()
        if edges and self._get_peak(edges) > most:
            return self._make_edges(edges, grids)
        lists = self._find_lists()
        is_sparse = self.has_samples and bool(lists) and 4 * most < self._get_peak(lists[0][0])
        if lists and (not grids or is_sparse):
            shape, place = lists[0]
            names = dict.fromkeys(range(shape[1]), "symbol") | {place: "place"}
            return BoardPatterns((_make_pattern(shape, names),))
        if not grids:
            return BoardPatterns(tuple(self._list_numbers()))
        main = max(
            (each for each in grids if 2 * each.peak >= most),
            key=lambda each: (len(each.places), each.shape[1] > 2, -each.symbols),
        )
        if main.shape[1] == 2:
            # Relations such as (white 3 4) and (black 3 4) are symbols of one board.
            others = [each for each in grids if self._is_on(each, main)]
            return BoardPatterns(tuple(map(self._make_grid, others)))
        boards = [main, *(each for each in grids if self._is_apart(each, main))]
        if len(boards) > 1:
            return BoardPatterns(tuple(map(self._make_grid, boards)), is_split=True)
        return BoardPatterns(tuple(map(self._make_grid, [main, *self._find_marks(main)])))

    # -- properties of relations

    def _get_domain(self, shape: _Shape, i: int) -> set[str]:
        return {each[i] for each in self.args[shape]}

    def order(self, values: Iterable[str]) -> _Args:
        return order_constants(set(values), self.chains)

    def _get_peak(self, shape: _Shape) -> int:
        return int(self._states[shape].sum(axis=1).max())

    def _is_constant(self, shape: _Shape) -> bool:
        """Return whether all samples have the same facts."""
        return self.has_samples and bool((self._states[shape] == self._states[shape][0]).all())

    def _count_facts(self, shape: _Shape, positions: Sequence[int]) -> NDArray[np.int64]:
        """Return how many facts with the same arguments at some positions each sample has.

        There is a row for each sample and a column for each combination of arguments.
        """
        keys: dict[_Args, int] = {}
        columns = [
            keys.setdefault(tuple(each[i] for i in positions), len(keys))
            for each in self.args[shape]
        ]
        return _add_columns(self._states[shape], columns, len(keys))

    def _is_key(self, shape: _Shape, positions: Sequence[int]) -> bool:
        """Return whether facts of one state always differ at some of these positions."""
        return bool((self._count_facts(shape, positions) <= 1).all())

    def _is_uncrowded(self, shape: _Shape, positions: Sequence[int]) -> bool:
        """Return whether few facts have the same arguments: a piece can be on top of a mark."""
        counts = self._count_facts(shape, positions)
        return self.has_samples and 10 * int(counts[counts > 1].sum()) < 3 * int(counts.sum())

    def _is_full(self, shape: _Shape, positions: Sequence[int]) -> bool:
        """Return whether each state has one fact for each combination of these arguments."""
        return bool((self._count_facts(shape, positions) == 1).all())

    # -- grids

    def _find_grids(self) -> Iterator[_Grid]:
        """Yield the relations with coordinates."""
        for shape in self.args:
            ordered = [
                i
                for i in range(shape[1])
                if len(self.order(domain := self._get_domain(shape, i))) > 1
                and not domain & set(self.sheet.roles)
            ]
            pairs = [pair for pair in combinations(ordered, 2) if self._is_grid(shape, pair)]
            exact = [pair for pair in pairs if self._is_key(shape, pair)]
            panels = None
            if not exact and not self._is_edges(shape):
                panels = self._find_panels(shape, ordered)
                exact = [pair for pair in pairs if shape[1] > 2 and self._is_uncrowded(shape, pair)]
            if panels:
                yield panels
            elif exact:
                pair = max(exact, key=lambda each: self._rate_axes(shape, each))
                yield self._describe(shape, pair, ())

    def _find_panels(self, shape: _Shape, ordered: Sequence[int]) -> _Grid | None:
        """Return a relation whose facts are on several grids, such as the quarters of a board."""
        for count in (3, 4):
            for group in combinations(ordered, count):
                named = [
                    next((i for i in group if self._find_variable_names(shape, i) & names), -1)
                    for names in (_COLUMN_NAMES, _ROW_NAMES)
                ]
                pair = (min(named), max(named)) if -1 not in named else group[-2:]
                panels = tuple(i for i in group if i not in pair)
                places = self._get_places(shape, group)
                if (
                    shape[1] > count
                    and len(self._get_places(shape, panels)) <= _MOST_PANELS
                    and _LEAST_PLACES <= len(places) <= MOST_PLACES
                    and self.has_samples
                    and self._is_key(shape, group)
                ):
                    return self._describe(shape, (pair[0], pair[1]), panels)
        return None

    def _rate_axes(self, shape: _Shape, pair: tuple[int, int]) -> tuple[bool, int]:
        """Return whether the actions name most of the places, and how many places there are."""
        places = self._get_places(shape, pair)
        named = places & {each for pair in self._named_pairs for each in (pair, pair[::-1])}
        return 5 * len(named) > 3 * len(places), len(places)

    @cached_property
    def _named_pairs(self) -> set[_Args]:
        """The pairs of arguments next to each other in any action."""
        return {pair for action in self.actions for pair in pairwise(action.split(" ")[1:])}

    def _describe(self, shape: _Shape, pair: tuple[int, int], panels: tuple[int, ...]) -> _Grid:
        column, row = self._turn(shape, *pair)
        rest = [i for i in range(shape[1]) if i not in (*pair, *panels)]
        return _Grid(
            shape,
            column,
            row,
            panels,
            frozenset(self._get_places(shape, (*panels, column, row))),
            len(self._get_places(shape, rest)),
            self._get_peak(shape),
        )

    def _get_places(self, shape: _Shape, positions: Sequence[int]) -> set[_Args]:
        return {tuple(each[i] for i in positions) for each in self.args[shape]}

    def _is_grid(self, shape: _Shape, pair: tuple[int, int]) -> bool:
        places = self._get_places(shape, pair)
        if not _LEAST_PLACES <= len(places) <= MOST_PLACES:
            return False
        if shape[1] > 2:
            # A relation such as (score 1 2 white) would have many places and few symbols.
            return 2 * len(places) > len(self.order(place[0] for place in places))
        # (heap 2 5) says how many there are: each first argument has one second argument.
        others = sum(each[1] == 2 for each in self.args)
        return not self._is_full(shape, (0,)) or (others > 1 and not self.has_samples)

    def _turn(self, shape: _Shape, i: int, j: int) -> tuple[int, int]:
        """Return the positions of the column and of the row."""
        first, second = self._find_variable_names(shape, i), self._find_variable_names(shape, j)
        if first & _ROW_NAMES and second & _COLUMN_NAMES:
            return j, i
        if first & _COLUMN_NAMES:
            return i, j
        is_letter = [next(iter(self._get_domain(shape, k))).isalpha() for k in (i, j)]
        if is_letter == [False, True]:
            return j, i
        single = [set(a) for a in self._list_single_arguments()]
        one, other = self._get_domain(shape, i), self._get_domain(shape, j)
        return (j, i) if one != other and other in single and one not in single else (i, j)

    def is_named_by_rows(self, layer: Atom) -> bool:
        """Return whether the sheet writes the row before the column, as in a matrix."""
        names = list(find_variables(layer))
        return "row" in names and names.index("row") < names.index("column")

    def _list_single_arguments(self) -> list[list[str]]:
        found: dict[str, list[str]] = {}
        for action in self.actions:
            words = action.split(" ")
            if len(words) == 2:
                found.setdefault(words[0], []).append(words[1])
        return list(found.values())

    def _find_variable_names(self, shape: _Shape, i: int) -> set[str]:
        """Return the names, without digits, of the variables that rules have at a position."""
        found = set()
        for rule in self.sheet.rules:
            for atom in (rule.head, *(each.atom for each in rule.body)):
                fact = get_args(atom)[0] if get_name(atom) in ("true", "next", "init") else ""
                if isinstance(fact, Compound) and (fact.name, len(fact.args)) == shape:
                    each = fact.args[i]
                    if isinstance(each, Variable):
                        found.add(each.name.rstrip("0123456789'_+-"))
        return found

    def _make_grid(self, grid: _Grid) -> Atom:
        names = dict.fromkeys(range(grid.shape[1]), "symbol")
        names |= {grid.column: "column", grid.row: "row"}
        names |= dict.fromkeys(grid.panels, "panel")
        return _make_pattern(grid.shape, names)

    # -- several relations on one board, or several boards

    def _is_on(self, grid: _Grid, main: _Grid) -> bool:
        """Return whether a relation of two arguments has its facts on a board."""
        return grid.shape[1] == 2 and 2 * len(grid.places & main.places) >= len(grid.places)

    def _find_marks(self, main: _Grid) -> Iterator[_Grid]:
        """Yield the relations that mark places of a board where nothing else is, such as holes."""
        if main.panels or not self.has_samples:
            return
        for shape in self.args:
            column, row = (0, 1) if main.column < main.row else (1, 0)
            if shape[1] == 2 and (places := self._get_places(shape, (column, row))) <= main.places:
                grid = _Grid(shape, column, row, (), frozenset(places), 1, self._get_peak(shape))
                if self._is_beneath(grid, main):
                    yield grid

    def _is_beneath(self, grid: _Grid, main: _Grid) -> bool:
        """Return whether no state has facts of both relations at the same place."""
        columns = {place: i for i, place in enumerate(main.places)}
        counts = [
            _add_columns(
                self._states[each.shape],
                [columns[args[each.column], args[each.row]] for args in self.args[each.shape]],
                len(columns),
            )
            for each in (main, grid)
        ]
        return bool((counts[0] + counts[1] <= 1).all())

    def _is_apart(self, grid: _Grid, main: _Grid) -> bool:
        """Return whether a relation is another board: two games that are played side by side.

        Each then has actions that neither change the other one nor depend on it.
        """
        if grid.shape == main.shape or grid.shape[1] < 3 or not self.has_samples:
            return False
        names = grid.shape[0], main.shape[0]
        own, others = (self.get_actions(each) for each in names)
        read = [{r for a in each for r in self._reads.get(a, ())} for each in (own, others)]
        return bool(own and others and not own & others) and not (
            names[1] in read[0] or names[0] in read[1]
        )

    def get_actions(self, name: str) -> frozenset[str]:
        """Return the names of the actions that the next facts of a relation depend on."""
        return frozenset(
            each.removeprefix("does ")
            for each in self._reach(f"next {name}")
            if each.startswith("does ")
        )

    @cached_property
    def _reads(self) -> dict[str, frozenset[str]]:
        """For each action, the names of the relations of a state that its legality depends on."""
        actions = {action.split(" ")[0] for action in self.actions}
        return {
            action: frozenset(
                each.removeprefix("true ")
                for each in self._reach(f"legal {action}")
                if each.startswith("true ")
            )
            for action in actions
        }

    def _reach(self, start: str) -> set[str]:
        """Return everything that a relation, a kind of fact or an action depends on."""
        reached: set[str] = set()
        left = [start]
        while left:
            for name in self._uses.get(left.pop(), ()):
                if name not in reached:
                    reached.add(name)
                    left.append(name)
        return reached

    @cached_property
    def _uses(self) -> dict[str, set[str]]:
        uses: dict[str, set[str]] = {}
        for rule in self.sheet.rules:
            uses.setdefault(_name_kind(rule.head), set()).update(
                _name_kind(literal.atom) for literal in rule.body
            )
        return uses

    # -- lines between points

    def _is_edges(self, shape: _Shape) -> bool:
        """Return whether a relation connects neighbours: (line 1 1 1 2)."""
        if shape[1] < 4:
            return False
        axes = [
            self.order(self._get_domain(shape, i) | self._get_domain(shape, i + 2)) for i in (0, 1)
        ]
        if not all(axes):
            return False
        steps = {
            tuple(abs(axes[i].index(each[i]) - axes[i].index(each[i + 2])) for i in (0, 1))
            for each in self.args[shape]
        }
        return steps == {(0, 1), (1, 0)}

    def _find_edges(self) -> _Shape | None:
        return next((shape for shape in self.args if self._is_edges(shape)), None)

    def _make_edges(self, shape: _Shape, grids: Iterable[_Grid]) -> BoardPatterns:
        """Return the patterns of lines between points, and of what is in the squares of them."""
        names = {i: "place" if i < 4 else "symbol" for i in range(shape[1])}
        layers = [_make_pattern(shape, names)]
        columns, rows = (
            self.order(self._get_domain(shape, i) | self._get_domain(shape, i + 2)) for i in (0, 1)
        )
        where = {
            " ".join(each[:4]): (
                _EDGE * (columns.index(each[0]) + columns.index(each[2])) / 2,
                -_EDGE * (rows.index(each[1]) + rows.index(each[3])) / 2,
            )
            for each in self.args[shape]
        }
        for grid in grids:
            squares = {place: self._find_square(place, columns, rows) for place in grid.places}
            if grid.shape[1] == 3 and all(squares.values()):
                pair = {grid.column: "place", grid.row: "place"}
                layers.append(_make_pattern(grid.shape, dict.fromkeys(range(3), "symbol") | pair))
                for (column, row), square in squares.items():
                    key = (column, row) if grid.column < grid.row else (row, column)
                    assert square is not None
                    where[" ".join(key)] = square
                break
        return BoardPatterns(tuple(layers), positions=where)

    def _find_square(self, place: _Args, columns: _Args, rows: _Args) -> tuple[float, float] | None:
        """Return the centre of the square whose first corner is a place."""
        column, row = place
        if column not in columns[:-1] or row not in rows[:-1]:
            return None
        return _EDGE * (columns.index(column) + 0.5), -_EDGE * (rows.index(row) + 0.5)

    # -- lists

    def _find_lists(self) -> list[tuple[_Shape, int]]:
        """Return relations with a place and a symbol, or with a place only, and the position of it.

        Each place has one symbol at most, and the actions name most of the places. The best
        relation comes first.
        """
        words = {word for action in self.actions for word in action.split(" ")[1:]}
        found = []
        for shape in self.args:
            for place in range(shape[1] if shape[1] <= 3 else 0):
                places = self._get_domain(shape, place)
                is_list = 1 < len(places) <= MOST_PLACES and not places & set(self.sheet.roles)
                is_counter = self.has_samples and self._get_peak(shape) < 2
                if (
                    is_list
                    and not is_counter
                    and 2 * len(places & words) >= len(places)
                    and self._is_key(shape, (place,))
                ):
                    found.append((shape, place))
                    break
        return sorted(
            found,
            key=lambda each: (
                not self._is_full(each[0], (each[1],)),
                -len(self._get_domain(*each)),
                each[0][1],
            ),
        )

    def _list_numbers(self) -> Iterator[Atom]:
        """Yield patterns of what a state has one of: (payoff 5), or (payoff white 5)."""
        if not self.has_samples:
            return
        roles = set(self.sheet.roles)
        for shape in self.args:
            if shape[1] == 1 and self._is_key(shape, ()) and not self._get_domain(shape, 0) & roles:
                yield Compound(shape[0], (Variable("symbol"),))
        pairs = [shape for shape in self.args if shape[1] == 2 and self._is_key(shape, (0,))]
        for shape in sorted(pairs, key=lambda each: -len(self._get_domain(each, 0)))[:1]:
            yield Compound(shape[0], (Variable("place"), Variable("symbol")))

    def find_scores(self) -> dict[str, Atom]:
        """Return the pattern of each role's score, if a relation has a number for each role."""
        for shape, args in self.args.items():
            if shape[1] != 2 or {each[0] for each in args} != set(self.sheet.roles):
                continue
            if all(each[1].isdigit() for each in args):
                return {
                    role: Compound(shape[0], (role, Variable("n"))) for role in self.sheet.roles
                }
        return {}


def _add_columns(held: NDArray[np.bool_], columns: Sequence[int], count: int) -> NDArray[np.int64]:
    """Add the columns of a matrix that have the same number."""
    found = np.zeros((count, len(held)), np.int64)
    np.add.at(found, np.array(columns, np.intp), held.T)
    return found.T


def _make_pattern(shape: _Shape, names: Mapping[int, str]) -> Atom:
    """Return a pattern with these names of variables. Equal names get numbers."""
    counts = {name: sum(each == name for each in names.values()) for name in names.values()}
    seen: dict[str, int] = {}
    variables = []
    for i in range(shape[1]):
        name = names[i]
        number = seen[name] = seen.get(name, 0) + 1
        if name == "symbol":
            name += str(number) if number > 1 else ""
        elif counts[name] > 1:
            name += f".{number}"
        variables.append(Variable(name))
    return Compound(shape[0], tuple(variables))


def _name_kind(atom: Atom) -> str:
    """Return the name of a relation, with that of its fact or action if it is one of GDL's own."""
    name, args = get_name(atom), get_args(atom)
    position = {"true": 0, "next": 0, "does": 1, "legal": 1}.get(name)
    if position is None:
        return name
    inner = args[position]
    return name if isinstance(inner, Variable) else f"{name} {get_name(inner)}"

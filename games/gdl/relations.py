"""The relations of a sheet's states: which of them is the board, and which are scores."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from games.gdl.domains import find_chains, is_flat, order_constants
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
_ROW_NAMES = frozenset(("row", "r", "y", "rank"))
_COLUMN_NAMES = frozenset(("column", "col", "c", "x", "file"))
_Args = tuple[str, ...]
_Shape = tuple[str, int]
"""The name of a relation, and the number of its arguments."""


class Relations:
    """The relations of a state, and what their arguments are."""

    def __init__(
        self,
        sheet: RuleSheet,
        facts: Sequence[Atom],
        initial: Sequence[bool],
        actions: tuple[str, ...],
    ) -> None:
        self.sheet = sheet
        self.actions = actions
        self.chains = find_chains(sheet)
        self.args: dict[_Shape, list[_Args]] = {}
        self.first: dict[_Shape, list[_Args]] = {}
        for fact, holds in zip(facts, initial, strict=True):
            if not get_args(fact) or not is_flat(get_args(fact)):
                continue
            shape = get_name(fact), len(get_args(fact))
            args = tuple(str(each) for each in get_args(fact))
            self.args.setdefault(shape, []).append(args)
            if holds:
                self.first.setdefault(shape, []).append(args)

    def find_board(self) -> tuple[Atom, ...]:
        """Return the patterns of the facts to draw, () if there is no board."""
        grids = list(self._find_grids())
        if grids:
            (shape, column, row) = max(grids, key=lambda each: self._measure(*each))
            if shape[1] > 2:
                return (self._make_grid(shape, column, row),)
            # Relations such as (white 3 4) and (black 3 4) are symbols of one board.
            return tuple(self._make_grid(*each) for each in grids if each[0][1] == 2)
        lists = list(self._find_lists())
        if not lists:
            return ()
        shape, place = max(lists, key=lambda each: len(self._get_domain(each[0], each[1])))
        variables = [Variable("symbol" if i != place else "place") for i in range(shape[1])]
        return (Compound(shape[0], tuple(variables)),)

    def _get_domain(self, shape: _Shape, i: int) -> set[str]:
        return {each[i] for each in self.args[shape]}

    def order(self, values: Iterable[str]) -> _Args:
        return order_constants(set(values), self.chains)

    def _find_grids(self) -> Iterator[tuple[_Shape, int, int]]:
        """Yield the relations with two coordinates, and the positions of column and row."""
        for shape, args in self.args.items():
            if shape[1] < 2:
                continue
            ordered = [i for i in range(shape[1]) if len(self.order(e[i] for e in args)) > 1]
            pairs = combinations(ordered, 2)
            fitting = [pair for pair in pairs if self._is_grid(shape, *pair)]
            if fitting:
                pair = max(fitting, key=lambda p: len({(e[p[0]], e[p[1]]) for e in args}))
                yield shape, *self._turn(shape, *pair)

    def _is_grid(self, shape: _Shape, i: int, j: int) -> bool:
        args, first = self.args[shape], self.first.get(shape, [])
        places = {(each[i], each[j]) for each in args}
        starts = [(each[i], each[j]) for each in first]
        if not _LEAST_PLACES <= len(places) <= MOST_PLACES or len(set(starts)) < len(starts):
            return False
        if self._get_domain(shape, i) & set(self.sheet.roles):
            return False
        if shape[1] > 2:
            # A relation such as (score 1 2 white) would have many places and few symbols.
            return 2 * len(places) > len(self.order(p[0] for p in places))
        # (heap 2 5) says how many there are: each first argument has one second argument.
        is_number = (
            len({each[0] for each in first}) == len(first) == len(self._get_domain(shape, i))
        )
        others = sum(each[1] == 2 for each in self.args)
        return not (is_number and others == 1)

    def _measure(self, shape: _Shape, i: int, j: int) -> tuple[int, int]:
        return len({(each[i], each[j]) for each in self.args[shape]}), shape[1]

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

    def _make_grid(self, shape: _Shape, column: int, row: int) -> Atom:
        names = {column: "column", row: "row"}
        others = [i for i in range(shape[1]) if i not in names]
        for number, i in enumerate(others):
            names[i] = f"symbol{number + 1 if number else ''}"
        return Compound(shape[0], tuple(Variable(names[i]) for i in range(shape[1])))

    def _find_lists(self) -> Iterator[tuple[_Shape, int]]:
        """Yield relations with a place and a symbol, or with a place only, and the position of it.

        At the start, each place has one symbol at most, and some action must name the places.
        """
        words = {word for action in self.actions for word in action.split(" ")[1:]}
        for shape, args in self.args.items():
            if shape[1] > 2:
                continue
            for place in range(shape[1]):
                places = {each[place] for each in args}
                starts = [each[place] for each in self.first.get(shape, [])]
                is_list = 1 < len(places) <= MOST_PLACES and not places & set(self.sheet.roles)
                if is_list and len(set(starts)) == len(starts) and places <= words:
                    yield shape, place
                    break

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

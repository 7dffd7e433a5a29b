"""How each action of a sheet is chosen: by clicks on places of its board, or with a button."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from games.gdl.errors import SheetError
from games.gdl.overlay import Overlay, read_pattern
from games.gdl.sheet_position import PASS
from games.gdl.terms import (
    Atom,
    Clause,
    Compound,
    Term,
    Variable,
    find_variables,
    get_args,
    get_name,
    render_term,
)
from games.rules.position import NOOP

_COMPASS = {
    "n": (0, 1), "north": (0, 1), "up": (0, 1), "s": (0, -1), "south": (0, -1), "down": (0, -1),
    "e": (1, 0), "east": (1, 0), "right": (1, 0), "w": (-1, 0), "west": (-1, 0), "left": (-1, 0),
    "ne": (1, 1), "northeast": (1, 1), "nw": (-1, 1), "northwest": (-1, 1),
    "se": (1, -1), "southeast": (1, -1), "sw": (-1, -1), "southwest": (-1, -1),
}  # fmt: skip
"""Directions as steps to the right and upwards."""


@dataclass(frozen=True, slots=True)
class ActionPath:
    """How an action is chosen, and what it is called."""

    path: tuple[tuple[int, ...], ...]
    """The places to click, one after the other. Any of a group of places will do. () for a button.
    """
    label: str
    choice: str = ""
    """The label of its button: for an action without places, or if several actions have the same
    places."""
    area: tuple[int, ...] = ()
    """Places that it changes although they are not clicked."""
    sentence: str = ""
    """The sentence that names it, such as "Take {places}", if that is its label."""
    params: Mapping[str, str] = field(default_factory=dict)
    """The words for the names in braces."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of a board for actions: by coordinates, or by name."""

    columns: Sequence[str]
    rows: Sequence[str]
    by_key: Mapping[str, int]
    """The index of each place, by its column and row, as in "a 1", or by its name."""
    labels: Sequence[str]
    column_labels: Mapping[str, str]
    row_labels: Mapping[str, str]
    steps: tuple[int, int]
    """Whether the columns go to the right (1) or to the left (-1), and the rows up or down."""


def match_pattern(pattern: Term, term: Term, found: dict[str, str]) -> bool:
    """Return whether a term matches a pattern, and add the values of its variables to `found`."""
    if isinstance(pattern, Variable):
        found[pattern.name] = render_term(term)
        return True
    if isinstance(pattern, str) or isinstance(term, str):
        return pattern == term
    if isinstance(term, Variable) or pattern.name != term.name:
        return False
    return len(pattern.args) == len(term.args) and all(
        match_pattern(each, arg, found) for each, arg in zip(pattern.args, term.args, strict=True)
    )


def find_acts(
    actions: Iterable[str], grid: Grid, patterns: Sequence[tuple[Atom, str]], overlay: Overlay
) -> dict[str, ActionPath]:
    """Return how each action is chosen. `patterns` come after those of the overlay."""
    given = [(PASS if each == NOOP else each, name) for each, name in overlay.actions]
    every = [*given, *patterns]
    found: dict[str, ActionPath] = {}
    used: set[int] = set()
    for action in actions:
        term = read_pattern(f"({action})" if " " in action else action)
        path: tuple[tuple[int, ...], ...] = ()
        label = sentence = ""
        params: dict[str, str] = {}
        area: tuple[int, ...] = ()
        rest = [render_term(each) for each in get_args(term)]
        for number, (pattern, name) in enumerate(every):
            values: dict[str, str] = {}
            if not match_pattern(pattern, term, values):
                continue
            used.add(number)
            steps = find_path(values, grid, overlay.directions)
            if steps is None:
                continue
            path = steps
            area = _find_area(values, grid, overlay)
            places = _name_places(path, values, grid)
            rest = [
                value
                for variable, value in values.items()
                if not _is_place(variable) and not (variable == "direction" and len(path) > 1)
            ]
            params = {each: overlay.words.get(word, word) for each, word in values.items()}
            params["places"] = places
            sentence = name
            label = _fill(name, params) if name else places
            break
        words = [overlay.words.get(each, each) for each in rest]
        if not label and not path:
            label = " ".join([overlay.words.get(get_name(term), get_name(term)), *words])
            label = label[:1].upper() + label[1:]
            sentence = label if term == PASS else ""
        choice = label if not path else " ".join(words) or get_name(term)
        found[action] = ActionPath(
            path, label, choice[:1].upper() + choice[1:], area, sentence, params
        )
    for number, (pattern, _) in enumerate(given):
        if number not in used and pattern != PASS:
            raise SheetError(f"actions: {render_term(pattern)} is no action of the sheet")
    return _distinguish(found)


def _find_area(values: Mapping[str, str], grid: Grid, overlay: Overlay) -> tuple[int, ...]:
    """Return the places of the area that the values of a pattern name."""
    places = overlay.areas.get(values.get("area", ""), ())
    for place in places:
        if place not in grid.by_key:
            raise SheetError(f"areas: {place!r} is no place of the board")
    return tuple(grid.by_key[place] for place in places)


def _is_place(name: str) -> bool:
    return name.rstrip("0123456789") in ("column", "row", "place")


def find_path(
    values: Mapping[str, str], grid: Grid, directions: Mapping[str, tuple[int, int]]
) -> tuple[tuple[int, ...], ...] | None:
    """Return the groups of places that the values of a pattern name, or None if one is unknown."""
    path: list[tuple[int, ...]] = []
    for number in ("", *map(str, range(2, 10))):
        column, row = values.get(f"column{number}"), values.get(f"row{number}")
        place = values.get(f"place{number}")
        if column is not None and row is not None:
            place = f"{column} {row}"
        if place is not None:
            group = [grid.by_key[place]] if place in grid.by_key else []
        elif column is not None:
            group = [
                i for row in grid.rows if (i := grid.by_key.get(f"{column} {row}")) is not None
            ]
        elif row is not None:
            group = [
                i for each in grid.columns if (i := grid.by_key.get(f"{each} {row}")) is not None
            ]
        else:
            continue
        if not group:
            return None
        path.append(tuple(group))
    if "direction" in values and path and "column" in values and "row" in values:
        beside = _find_beside(values, grid, directions)
        if beside is not None:
            path.append((beside,))
    return tuple(path)


def _find_beside(
    values: Mapping[str, str], grid: Grid, directions: Mapping[str, tuple[int, int]]
) -> int | None:
    """Return the place to which a direction leads from the last place of an action."""
    number = max((each[6:] for each in values if each.startswith("column")), default="")
    column, row = values[f"column{number}"], values[f"row{number}"]
    direction = values["direction"]
    if direction in directions:
        right, up = directions[direction]
    elif direction in _COMPASS:
        right, up = (a * b for a, b in zip(_COMPASS[direction], grid.steps, strict=True))
    else:
        return None
    if column not in grid.columns or row not in grid.rows:
        return None
    x, y = grid.columns.index(column) + right, grid.rows.index(row) + up
    if not (0 <= x < len(grid.columns) and 0 <= y < len(grid.rows)):
        return None
    return grid.by_key.get(f"{grid.columns[x]} {grid.rows[y]}")


def _name_places(path: Sequence[tuple[int, ...]], values: Mapping[str, str], grid: Grid) -> str:
    names = []
    for group in path:
        if len(group) == 1:
            names.append(grid.labels[group[0]])
        elif "row" in values:
            names.append(grid.row_labels[values["row"]])
        else:
            names.append(grid.column_labels[values["column"]])
    return "–".join(names)  # noqa: RUF001  # as in the names of lines elsewhere


def _fill(sentence: str, params: Mapping[str, str]) -> str:
    """Replace the names in braces by their words."""
    for name, word in params.items():
        sentence = sentence.replace(f"{{{name}}}", word)
    return sentence


def _distinguish(acts: dict[str, ActionPath]) -> dict[str, ActionPath]:
    """Give actions with the same label different ones, and drop choices that are not needed."""
    paths = Counter(act.path for act in acts.values())
    begun = {act.path[:end] for act in acts.values() for end in range(1, len(act.path))}
    labels = Counter(_lengthen(act, paths) for act in acts.values())
    choices = Counter((act.path, act.choice) for act in acts.values())
    found = {}
    for action, act in acts.items():
        label = _lengthen(act, paths)
        if labels[label] > 1:
            label = action
        needs_choice = not act.path or paths[act.path] > 1 or act.path in begun
        is_clear = choices[act.path, act.choice] == 1
        found[action] = ActionPath(
            act.path,
            label,
            (act.choice if is_clear else action) if needs_choice else "",
            act.area,
            act.sentence if label == act.label else "",
            act.params,
        )
    return found


def _lengthen(act: ActionPath, paths: Mapping[tuple[tuple[int, ...], ...], int]) -> str:
    """Return the label of an action, with its choice if others have the same places."""
    is_alone = not act.path or paths[act.path] == 1 or act.choice.lower() in act.label.lower()
    return act.label if is_alone else f"{act.label} {act.choice.lower()}"


# -- inference


def infer_patterns(
    rules: Iterable[Clause], actions: Iterable[str], layers: Sequence[Atom], grid: Grid
) -> list[tuple[Atom, str]]:
    """Return patterns for the actions, from the rules that say when they are legal.

    Arguments that a rule also uses as a place of the board are places. If the rules say less than
    that, they are the arguments whose values are those of the board's axes or places.
    """
    is_row_first = any(_is_row_first(layer) for layer in layers)
    shapes: dict[tuple[str, int], list[tuple[str, ...]]] = {}
    for action in actions:
        term = read_pattern(f"({action})" if " " in action else action)
        args = tuple(render_term(each) for each in get_args(term))
        shapes.setdefault((get_name(term), len(args)), []).append(args)
    legal = [each for each in rules if get_name(each.head) == "legal" and each.body]
    found: list[tuple[Atom, str]] = []
    for (name, arity), values in shapes.items():
        if not arity:
            continue
        steps = _find_steps_in_rules(legal, name, arity, layers)
        by_values = _find_steps_in_values(values, arity, grid, is_row_first)
        if len(by_values) > len(steps):
            steps = by_values
        free = [i for i in range(arity) if not any(i in step for step in steps)]
        variables = {i: f"_{i}" for i in free}
        is_grid = bool(grid.rows)
        for number, step in enumerate(sorted(steps, key=max)):
            suffix = str(number + 1) if number else ""
            kinds = ("column", "row") if is_grid else ("place",)
            for kind, i in zip(kinds, step, strict=False):
                if i >= 0:
                    variables[i] = f"{kind}{suffix}"
        others = [i for i in free if {each[i] for each in values} <= set(_COMPASS)]
        if steps and is_grid and len(others) == 1:
            variables[others[0]] = "direction"
        found.append((Compound(name, tuple(Variable(variables[i]) for i in range(arity))), ""))
    return found


def _is_row_first(layer: Atom) -> bool:
    names = list(find_variables(layer))
    return "row" in names and names.index("row") < names.index("column")


def _find_steps_in_rules(
    rules: Iterable[Clause], name: str, arity: int, layers: Sequence[Atom]
) -> list[tuple[int, ...]]:
    """Return the positions of the arguments that rules use as places: (column, row) or (place,).

    -1 stands for a missing one: (2, -1) is a column.
    """
    found: dict[tuple[int, ...], None] = {}
    for rule in rules:
        action = get_args(rule.head)[1] if len(get_args(rule.head)) > 1 else ""
        args = () if isinstance(action, Variable) else get_args(action)
        if isinstance(action, Variable) or get_name(action) != name or len(args) != arity:
            continue
        for place in _find_places(rule, layers):
            positions = [
                [i for i, each in enumerate(args) if each == Variable(variable)] or [-1]
                for variable in place
            ]
            found.update(dict.fromkeys(product(*positions)))
    whole = [step for step in found if -1 not in step]
    steps: list[tuple[int, ...]] = []
    for step in sorted(whole, key=lambda step: (max(step) - min(step), min(step))):
        if not any(set(step) & set(each) for each in steps):
            steps.append(step)
    return steps or [step for step in found if max(step) >= 0][:1]


def _find_places(rule: Clause, layers: Sequence[Atom]) -> Iterator[tuple[str, ...]]:
    """Yield the names of the variables that a rule has as places of the board."""
    for literal in rule.body:
        if get_name(literal.atom) != "true":
            continue
        fact = get_args(literal.atom)[0]
        for layer in layers:
            values: dict[str, Term] = {}
            if isinstance(fact, Variable) or not _pair_terms(layer, fact, values):
                continue
            kinds = ("place",) if "place" in find_variables(layer) else ("column", "row")
            names = (values.get(kind) for kind in kinds)
            yield tuple(each.name if isinstance(each, Variable) else "" for each in names)


def _pair_terms(pattern: Term, term: Term, found: dict[str, Term]) -> bool:
    """Match like `match_pattern`, but let variables of the term match anything."""
    if isinstance(pattern, Variable):
        found[pattern.name] = term
        return True
    if isinstance(term, Variable):
        return True
    if isinstance(pattern, str) or isinstance(term, str):
        return pattern == term
    return (
        pattern.name == term.name
        and len(pattern.args) == len(term.args)
        and all(_pair_terms(a, b, found) for a, b in zip(pattern.args, term.args, strict=True))
    )


def _find_steps_in_values(
    values: Sequence[tuple[str, ...]], arity: int, grid: Grid, is_row_first: bool
) -> list[tuple[int, ...]]:
    """Return the positions of the arguments whose values are places, from the left."""
    steps: list[tuple[int, ...]] = []
    i = 0
    while i < arity:
        if not grid.rows:
            if all(each[i] in grid.by_key for each in values):
                steps.append((i,))
        elif i + 1 < arity:
            step = (i + 1, i) if is_row_first else (i, i + 1)
            if all(f"{each[step[0]]} {each[step[1]]}" in grid.by_key for each in values):
                steps.append(step)
                i += 1
        i += 1
    if not steps and grid.rows and arity == 1 and {each[0] for each in values} == set(grid.columns):
        return [(0, -1)]
    return steps

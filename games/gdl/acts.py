"""How each action of a sheet is chosen: by clicks on places of its board, or with a button."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from games.gdl.errors import SheetError
from games.gdl.overlay import Overlay
from games.gdl.relations import BoardPatterns, Relations
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
    """The index of each place, by its column and row, as in "a 1", or by its name. If several grids
    stand side by side, the key begins with the grid."""
    labels: Sequence[str]
    column_labels: Mapping[str, str]
    row_labels: Mapping[str, str]
    steps: tuple[int, int]
    """Whether the columns go to the right (1) or to the left (-1), and the rows up or down."""

    def find(self, keys: Iterable[str]) -> list[int]:
        """Return the places that have one of these keys."""
        return [i for key in keys if (i := self.by_key.get(key.strip())) is not None]


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


@dataclass(frozen=True, slots=True)
class ActionPattern:
    """A pattern of actions, as in an overlay."""

    atom: Atom
    sentence: str = ""
    panel: str = ""
    """The grid that the actions are on, if each of several grids has its own actions."""


def join_parts(values: Mapping[str, str]) -> dict[str, str]:
    """Join the values of variables with parts: those of `?panel.1` and `?panel.2` are `?panel`."""
    if not any("." in name for name in values):
        return dict(values)
    parts: dict[str, list[str]] = {}
    for name in values:
        parts.setdefault(name.partition(".")[0], []).append(name)
    return {
        whole: " ".join(values[name] for name in sorted(names)) for whole, names in parts.items()
    }


def find_acts(
    actions: Mapping[str, Atom], grid: Grid, patterns: Sequence[ActionPattern], overlay: Overlay
) -> dict[str, ActionPath]:
    """Return how each action is chosen. `patterns` come after those of the overlay."""
    given = [ActionPattern(PASS if a == NOOP else a, name) for a, name in overlay.actions]
    every = [*given, *patterns]
    found: dict[str, ActionPath] = {}
    used: set[int] = set()
    for action, term in actions.items():
        path: tuple[tuple[int, ...], ...] = ()
        label = sentence = ""
        params: dict[str, str] = {}
        area: tuple[int, ...] = ()
        rest = [render_term(each) for each in get_args(term)]
        for number, pattern in enumerate(every):
            values: dict[str, str] = {}
            if not match_pattern(pattern.atom, term, values):
                continue
            used.add(number)
            values = join_parts(values)
            if pattern.panel:
                values["panel"] = f"{pattern.panel} {values.get('panel', '')}".strip()
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
            sentence = pattern.sentence
            label = _fill(sentence, params) if sentence else places
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
    names = {action.split(" ")[0] for action in found}
    for name in overlay.prompts:
        if name not in names:
            raise SheetError(f"prompts: {name!r} is no action of the sheet")
    for number, pattern in enumerate(given):
        if number not in used and pattern.atom != PASS:
            raise SheetError(f"actions: {render_term(pattern.atom)} is no action of the sheet")
    return _distinguish(found)


def _find_area(values: Mapping[str, str], grid: Grid, overlay: Overlay) -> tuple[int, ...]:
    """Return the places of the area that the values of a pattern name."""
    places = overlay.areas.get(values.get("area", ""), ())
    for place in places:
        if place not in grid.by_key:
            raise SheetError(f"areas: {place!r} is no place of the board")
    return tuple(grid.by_key[place] for place in places)


def _is_place(name: str) -> bool:
    return name.rstrip("0123456789") in ("panel", "column", "row", "place")


def find_path(
    values: Mapping[str, str], grid: Grid, directions: Mapping[str, tuple[int, int]]
) -> tuple[tuple[int, ...], ...] | None:
    """Return the groups of places that the values of a pattern name, or None if one is unknown."""
    path: list[tuple[int, ...]] = []
    for number in ("", *map(str, range(2, 10))):
        column, row = values.get(f"column{number}"), values.get(f"row{number}")
        place = values.get(f"place{number}")
        panel = values.get(f"panel{number}", values.get("panel", ""))
        if column is not None and row is not None:
            place = f"{panel} {column} {row}".strip()
        if place is not None:
            group = [grid.by_key[place]] if place in grid.by_key else []
        elif column is not None:
            group = grid.find([f"{panel} {column} {each}" for each in grid.rows])
        elif row is not None:
            group = grid.find([f"{panel} {each} {row}" for each in grid.columns])
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
    panel = values.get(f"panel{number}", values.get("panel", ""))
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
    return grid.by_key.get(f"{panel} {grid.columns[x]} {grid.rows[y]}".strip())


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


_Step = tuple[tuple[str, int], ...]
"""The coordinates of one place, each with the position of its argument."""


def infer_patterns(
    relations: Relations, patterns: BoardPatterns, grid: Grid
) -> list[ActionPattern]:
    """Return patterns for the actions, from the rules that say when they are legal.

    Arguments that a rule also uses as a place of the board are places. If the rules say less than
    that, they are the arguments whose values are those of the board's axes or places.
    """
    shapes: dict[tuple[str, int], list[tuple[str, ...]]] = {}
    for term in relations.actions.values():
        args = tuple(render_term(each) for each in get_args(term))
        shapes.setdefault((get_name(term), len(args)), []).append(args)
    legal = [each for each in relations.sheet.rules if get_name(each.head) == "legal" and each.body]
    found: list[ActionPattern] = []
    for (name, arity), values in shapes.items():
        if not arity:
            continue
        layers = patterns.layers
        if patterns.is_split:
            changed = [x for x in layers if name in relations.get_actions(get_name(x))]
            layers = tuple(changed[:1]) or layers[:1]
        panel = get_name(layers[0]) if patterns.is_split else ""
        steps = _find_steps_in_rules(legal, name, arity, layers)
        by_values = _find_steps_in_values(values, arity, grid, layers, panel)
        if len(by_values) > len(steps):
            steps = by_values
        free = [i for i in range(arity) if not any(i == at for step in steps for _, at in step)]
        variables = {i: f"_{i}" for i in free}
        for number, step in enumerate(sorted(steps, key=lambda each: max(at for _, at in each))):
            suffix = str(number + 1) if number else ""
            for slot, i in step:
                whole, point, part = slot.partition(".")
                variables[i] = f"{whole}{suffix}{point}{part}"
        others = [i for i in free if {each[i] for each in values} <= set(_COMPASS)]
        if steps and grid.rows and len(others) == 1:
            variables[others[0]] = "direction"
        atom = Compound(name, tuple(Variable(variables[i]) for i in range(arity)))
        found.append(ActionPattern(atom, panel=panel))
    return found


def _list_slots(layer: Atom) -> list[str]:
    """Return the variables of a layer for the place of a fact, in the order of its arguments."""
    kinds = ("panel", "column", "row", "place")
    return [each for each in find_variables(layer) if each.partition(".")[0] in kinds]


def _find_steps_in_rules(
    rules: Iterable[Clause], name: str, arity: int, layers: Sequence[Atom]
) -> list[_Step]:
    """Return the arguments that rules use as places. A step can lack some of the coordinates."""
    found: dict[_Step, None] = {}
    whole = 0
    for rule in rules:
        action = get_args(rule.head)[1] if len(get_args(rule.head)) > 1 else ""
        args = () if isinstance(action, Variable) else get_args(action)
        if isinstance(action, Variable) or get_name(action) != name or len(args) != arity:
            continue
        for place in _find_places(rule, layers):
            positions = [
                [(slot, i) for i, each in enumerate(args) if each == Variable(variable)]
                for slot, variable in place.items()
            ]
            found.update(dict.fromkeys(product(*filter(None, positions))))
            whole = max(whole, len(place))
    steps: list[_Step] = []
    places = [{at for _, at in step} for step in found]
    for step, _ in sorted(
        zip(found, places, strict=True), key=lambda each: (_spread(each[1]), sorted(each[1]))
    ):
        is_free = not {at for _, at in step} & {at for each in steps for _, at in each}
        if len(step) == whole and is_free and whole:
            steps.append(step)
    return steps or [step for step in found if step][:1]


def _spread(positions: set[int]) -> int:
    return max(positions) - min(positions) if positions else 0


def _find_places(rule: Clause, layers: Sequence[Atom]) -> Iterator[dict[str, str]]:
    """Yield the names of the variables that a rule has as places of the board."""
    for literal in rule.body:
        if get_name(literal.atom) != "true":
            continue
        fact = get_args(literal.atom)[0]
        for layer in layers:
            values: dict[str, Term] = {}
            if isinstance(fact, Variable) or not _pair_terms(layer, fact, values):
                continue
            found = {slot: values.get(slot) for slot in _list_slots(layer)}
            yield {s: each.name if isinstance(each, Variable) else "" for s, each in found.items()}


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
    values: Sequence[tuple[str, ...]],
    arity: int,
    grid: Grid,
    layers: Sequence[Atom],
    panel: str,
) -> list[_Step]:
    """Return the arguments whose values are places, from the left."""
    slots = _list_slots(layers[0]) if layers else []
    steps: list[_Step] = []
    i = 0
    while slots and i + len(slots) <= arity:
        step = tuple((slot, i + k) for k, slot in enumerate(slots))
        if all(_make_key(step, each, panel) in grid.by_key for each in values):
            steps.append(step)
            i += len(slots)
        else:
            i += 1
    if not steps and grid.rows and arity == 1 and {each[0] for each in values} == set(grid.columns):
        return [(("column", 0),)]
    return steps


def _make_key(step: _Step, values: Sequence[str], panel: str) -> str:
    """Return the key of the place that some arguments of an action name."""
    found = join_parts({slot: values[i] for slot, i in step})
    if "place" in found:
        return found["place"]
    panel = f"{panel} {found.get('panel', '')}".strip()
    return f"{panel} {found['column']} {found['row']}".strip()

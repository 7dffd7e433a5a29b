"""The plan of a board: where its places are, what they are called, and which lines connect them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, pi, sin, sqrt

from games.gdl.acts import Grid
from games.gdl.domains import sort_constants
from games.gdl.errors import SheetError
from games.gdl.overlay import Axis, Overlay
from games.gdl.relations import MOST_PLACES, BoardPatterns, Relations
from games.gdl.terms import Atom, get_args, get_name, render_term

ROW_HEIGHT = sqrt(3) / 2  # of hexagons whose width is 1
_GAP = 1.0  # between grids that stand side by side
_SQUARE = re.compile(r"([a-z])([1-9]\d?)")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a board. `x` and `y` are its centre, in cells from the left and from the top."""

    key: str
    """Its column and row in the sheet, as in "a 1", or its name. Those of several grids that stand
    side by side begin with the grid."""
    x: float
    y: float
    label: str
    column: int = 0
    """The index of its column, from the left, or 0 on a board that is no grid."""
    row: int = 0
    """The index of its row, from the top."""
    is_beside: bool = False
    """Whether it is next to the grid."""


@dataclass(frozen=True, slots=True)
class Label:
    """A caption at the edge of a board; `x` and `y` as those of a `Spot`."""

    x: float
    y: float
    text: str


class Plan:
    """The places of a board, and what is written around them."""

    def __init__(
        self,
        overlay: Overlay,
        relations: Relations,
        patterns: BoardPatterns,
        found: Sequence[Mapping[str, str]],
        is_grid: bool,
    ) -> None:
        self.overlay = overlay
        self.relations = relations
        self.captions: tuple[Label, ...] = ()
        self.lines: tuple[tuple[int, int, str], ...] = ()
        keys = dict.fromkeys(map(name_key, found))
        if len(keys) > MOST_PLACES:
            raise SheetError(f"the board has {len(keys)} places, and {MOST_PLACES} are allowed")
        if is_grid:
            self._place_grid(patterns.layers, [each for each in found if "column" in each])
            self._place_beside([each["place"] for each in found if "column" not in each])
        else:
            self._place_list(sort_constants(keys), patterns.positions)
        self._connect()

    def _place_grid(self, layers: Sequence[Atom], found: Sequence[Mapping[str, str]]) -> None:
        columns = self._order("columns", {each["column"] for each in found})
        rows = self._order("rows", {each["row"] for each in found})
        is_matrix = any(self.relations.is_named_by_rows(layer) for layer in layers)
        is_rightward = self.overlay.columns.side != "right"
        side = self.overlay.rows.side or ("top" if is_matrix else "bottom")
        from_left = columns if is_rightward else columns[::-1]
        from_top = rows if side == "top" else rows[::-1]
        names = _label_axis(self.overlay.columns, columns, "letters")
        numbers = _label_axis(self.overlay.rows, rows, "numbers")
        between = "." if not any(each.isalpha() for each in "".join(names.values())) else ""
        shifts = self._find_shifts(len(rows))
        height = ROW_HEIGHT if self.overlay.cells == "hexagon" else 1.0
        keys = {name_key(each) for each in found}
        panels = sort_constants({each.get("panel", "") for each in found})
        corners = _arrange_panels(panels, len(columns), len(rows), is_matrix)
        spots: list[Spot] = []
        captions: list[Label] = []
        for number, panel in enumerate(panels, 1):
            left, top = corners[panel]
            placed = []
            for y, row in enumerate(from_top):
                for x, column in enumerate(from_left):
                    key = f"{panel} {column} {row}".strip()
                    if key in keys:
                        label = f"{names[column]}{between}{numbers[row]}"
                        placed.append(
                            Spot(
                                key,
                                left * (len(columns) + _GAP) + x + 0.5 + shifts[y],
                                top * (len(rows) + _GAP) + (y + 0.5) * height,
                                f"{number}-{label}" if len(panels) > 1 else label,
                                left * (len(columns) + 1) + x,
                                top * (len(rows) + 1) + y,
                            )
                        )
            spots += placed
            captions += self._caption(placed, left, top, from_left, from_top, names, numbers)
        self.spots = tuple(spots)
        self.captions = tuple(captions)
        self.by_key = {spot.key: i for i, spot in enumerate(spots)}
        self.grid = Grid(
            columns=columns,
            rows=rows,
            by_key=self.by_key,
            labels=[spot.label for spot in spots],
            column_labels=names,
            row_labels=numbers,
            steps=(1 if is_rightward else -1, -1 if side == "top" else 1),
        )

    def _place_beside(self, names: Sequence[str]) -> None:
        """Add the places next to the grid: single ones to the right, and lists below."""
        captions = {name_single(i): said for i, (_, said) in enumerate(self.overlay.beside)}
        found = sort_constants(dict.fromkeys(names))
        singles = [name for name in found if name in captions]
        lists = [name for name in found if name not in captions]
        if not found:
            return
        width = max(spot.x for spot in self.spots) + 0.5
        bottom = max(spot.y for spot in self.spots) + 0.5
        right = width + (1.4 if singles else 0)
        most = max(int(right), ceil(len(lists) / 2)) if len(lists) > right else int(right)
        shift = max(0.0, (min(most, len(lists)) - right) / 2)
        spots = [replace(spot, x=spot.x + shift) for spot in self.spots]
        texts = [replace(each, x=each.x + shift) for each in self.captions]
        for i, name in enumerate(singles):
            x, y = width + shift + 0.9, 0.5 + 1.5 * i
            spots.append(Spot(name, x, y, captions[name] or f"+{i + 1}", is_beside=True))
            if captions[name]:
                texts.append(Label(x, y + 0.73, captions[name]))
        for i, name in enumerate(lists):
            x, y = i % most + 0.5, bottom + 0.75 + i // most
            spots.append(Spot(name, x, y, _name(name, self.overlay.words), is_beside=True))
        self.spots, self.captions = tuple(spots), tuple(texts)
        self.by_key.update({spot.key: i for i, spot in enumerate(spots)})
        self.grid = replace(self.grid, labels=[spot.label for spot in spots])

    def _order(self, what: str, values: set[str]) -> Sequence[str]:
        given = (self.overlay.columns if what == "columns" else self.overlay.rows).values
        if given:
            missing = sorted(values - set(given))
            if missing:
                raise SheetError(f"{what}: the values do not have {missing[0]!r}")
            return [each for each in given if each in values]
        return self.relations.order(values) or sort_constants(values)

    def _find_shifts(self, rows: int) -> list[float]:
        """Return how far each row is from the left, in cells; 0 unless the cells are hexagons."""
        if self.overlay.cells != "hexagon":
            return [0.0] * rows
        match self.overlay.rows.shift or "right":
            case "right":
                return [i / 2 for i in range(rows)]
            case "left":
                return [(rows - 1 - i) / 2 for i in range(rows)]
            case "odd":
                return [0.5 * (i % 2 == 0) for i in range(rows)]
        return [0.5 * (i % 2 == 1) for i in range(rows)]

    def _caption(
        self,
        spots: Sequence[Spot],
        left: int,
        top: int,
        from_left: Sequence[str],
        from_top: Sequence[str],
        names: Mapping[str, str],
        numbers: Mapping[str, str],
    ) -> list[Label]:
        """Write the names of columns above the first row, and those of rows to the left."""
        found: list[Label] = []
        shifts = self._find_shifts(len(from_top))
        height = ROW_HEIGHT if self.overlay.cells == "hexagon" else 1.0
        x0, y0 = left * (len(from_left) + _GAP), top * (len(from_top) + _GAP)
        if self.overlay.columns.labels != "none":
            used = {spot.column - left * (len(from_left) + 1) for spot in spots}
            above = -0.38 if self.overlay.cells == "hexagon" else -0.25
            for x, column in enumerate(from_left):
                if x in used:
                    found.append(Label(x0 + x + 0.5 + shifts[0], y0 + above, names[column]))
        if self.overlay.rows.labels != "none":
            for y, row in enumerate(from_top):
                found.append(Label(x0 + shifts[y] - 0.25, y0 + (y + 0.5) * height, numbers[row]))
        return found

    def _place_list(
        self, names: Sequence[str], positions: Mapping[str, tuple[float, float]]
    ) -> None:
        given = self.overlay.places or positions
        for name in given:
            if name not in names and names:
                raise SheetError(f"places: {name!r} is no place of the board")
        missing = [each for each in names if each not in given]
        if given and missing:
            raise SheetError(f"places: {missing[0]!r} has no position")
        links = [] if given else self._find_links(set(names))
        where = given or _place_by_name(names)
        where = where or (_place_in_circle(names) if links else _place_in_rows(names))
        words = self.overlay.words
        left = min((x for x, _ in where.values()), default=0.0)
        top = min((y for _, y in where.values()), default=0.0)
        self.spots = tuple(
            Spot(name, where[name][0] - left + 0.5, where[name][1] - top + 0.5, _name(name, words))
            for name in names
        ) or (Spot("", 0.5, 0.5, ""),)
        self.by_key = {name: i for i, name in enumerate(names)}
        labels = [spot.label for spot in self.spots]
        self.grid = Grid((), (), self.by_key, labels, {}, {}, (1, 1))
        if names and not positions:
            self.captions = tuple(Label(s.x, s.y + 0.67, s.label) for s in self.spots)
        self.lines = tuple((self.by_key[a], self.by_key[b], "") for a, b in links)

    def _find_links(self, names: set[str]) -> list[tuple[str, str]]:
        """Return the pairs of places that the sheet's own facts connect.

        Facts about numbers say how to count.
        """
        if all(name.isdigit() for name in names):
            return []
        found: dict[tuple[str, str], None] = {}
        for rule in self.relations.sheet.rules:
            args = get_args(rule.head)
            if not rule.body and len(args) == 2 and set(map(render_term, args)) <= names:
                one, other = sorted(map(render_term, args))
                if one != other and get_name(rule.head) not in ("init", "role"):
                    found[one, other] = None
        return list(found)

    def _connect(self) -> None:
        for line in self.overlay.lines:
            for end in line[:2]:
                if end not in self.by_key:
                    raise SheetError(f"lines: {end!r} is no place of the board")
        for point in self.overlay.points:
            if point not in self.by_key:
                raise SheetError(f"points: {point!r} is no place of the board")
        if self.overlay.lines:
            self.lines = tuple(
                (self.by_key[a], self.by_key[b], colour) for a, b, colour in self.overlay.lines
            )
        elif self.overlay.cells == "crossing" and self.grid.rows:
            at = {
                (spot.column, spot.row): i
                for i, spot in enumerate(self.spots)
                if not spot.is_beside
            }
            self.lines = tuple(
                (i, other, "")
                for (x, y), i in at.items()
                for beside in ((x + 1, y), (x, y + 1))
                if (other := at.get(beside)) is not None
            )


def _name(name: str, words: Mapping[str, str]) -> str:
    return words.get(name, name)


def _label_axis(axis: Axis, values: Sequence[str], default: str) -> dict[str, str]:
    """Return the label of each value. Values without visible labels have those of the default."""
    kind = axis.labels if axis.labels not in ("", "none") else default
    if kind == "values":
        return {value: value.upper() if len(value) == 1 else value for value in values}
    if kind == "letters":
        return {value: _name_column(i) for i, value in enumerate(values)}
    return {value: str(i) for i, value in enumerate(values, 1)}


def _name_column(i: int) -> str:
    """Return "A" for 0, "Z" for 25, and "AA" for 26."""
    return ("" if i < 26 else _name_column(i // 26 - 1)) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 26]


def _arrange_panels(
    panels: Sequence[str], columns: int, rows: int, is_matrix: bool
) -> dict[str, tuple[int, int]]:
    """Return the column and the row of each of several grids that stand side by side."""
    parts = [panel.split(" ") for panel in panels]
    if all(len(each) == 2 for each in parts):
        axes = [sort_constants({each[i] for each in parts}) for i in (0, 1)]
        found = [(axes[0].index(one), axes[1].index(other)) for one, other in parts]
        if is_matrix:
            return dict(zip(panels, [(x, y) for y, x in found], strict=True))
        return {
            panel: (x, len(axes[1]) - 1 - y) for panel, (x, y) in zip(panels, found, strict=True)
        }
    width = min(
        range(1, len(panels) + 1),
        key=lambda n: max(n * (columns + _GAP), 1.3 * ceil(len(panels) / n) * (rows + _GAP)),
    )
    return {panel: (i % width, i // width) for i, panel in enumerate(panels)}


def _place_by_name(names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Place names such as "b3" by their letter and number. Return {} if some are different.

    If each column has numbers from one on, but not equally many, the columns are centred.
    """
    columns: dict[str, list[int]] = {}
    for name in names:
        match = _SQUARE.fullmatch(name)
        if match is None:
            return {}
        columns.setdefault(match[1], []).append(int(match[2]))
    if len(columns) < 2 or max(map(len, columns.values())) < 2:
        return {}
    is_whole = all(sorted(each) == list(range(1, len(each) + 1)) for each in columns.values())
    highest = max(map(max, columns.values()))
    places = {}
    for x, column in enumerate(sorted(columns)):
        shift = (highest - max(columns[column])) / 2 if is_whole else 0
        for number in columns[column]:
            places[f"{column}{number}"] = 1.1 * x, 1.3 * (highest - number - shift)
    return places


def _place_in_rows(names: Sequence[str]) -> dict[str, tuple[float, float]]:
    width = len(names) if len(names) <= 6 else ceil(sqrt(1.5 * len(names)))
    return {name: (1.2 * (i % width), 1.5 * (i // width)) for i, name in enumerate(names)}


def _place_in_circle(names: Sequence[str]) -> dict[str, tuple[float, float]]:
    radius = max(1.2, 1.5 * len(names) / (2 * pi))
    angles = [2 * pi * i / len(names) - pi / 2 for i in range(len(names))]
    return {
        name: (round(radius * cos(angle), 2), round(radius * sin(angle), 2))
        for name, angle in zip(names, angles, strict=True)
    }


def name_key(values: Mapping[str, str]) -> str:
    """Return the key of the place that the values of a pattern name."""
    if "place" in values:
        return values["place"]
    return f"{values.get('panel', '')} {values['column']} {values['row']}".strip()


def name_single(number: int) -> str:
    """Return the key of the only place of a pattern in the overlay's `beside`."""
    return f"beside {number}"

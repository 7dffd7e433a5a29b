"""Grounding: from the rules of a sheet to a network without variables.

clingo derives every atom that can ever hold, if each fluent that is ever true may be true in any
state, and each legal action may be done in any state. It gets generated names only, because the
text of a program for clingo can contain scripts.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import clingo
import numpy as np
import rustworkx

from games.gdl.errors import SheetError
from games.gdl.gates import Gates
from games.gdl.network import FALSE, TRUE, Network
from games.gdl.rewriting import GUARD, PART, rewrite_rules
from games.gdl.terms import (
    Atom,
    Clause,
    Compound,
    RuleSheet,
    Term,
    Variable,
    get_args,
    get_name,
    name_action,
    render_term,
)

MOST_ATOMS = 60_000
MOST_GROUND_RULES = 1_000_000
MANY_GROUND_RULES = 30_000
"""With more than these, the rules are rewritten. This adds rules where it does not help, as in
rows of stones, so that sheets with fewer rules are left as they are."""
LONGEST_ACTION = 64  # characters: the length of the database's column
MOST_FLUENTS = 7_200  # a notation has a character for six of them, and the database stores 1,200

_UNUSED = ("base", "input")
_OUTPUTS = ("legal", "next", "terminal", "goal", "init")
_Body = tuple[int, ...]


def build_network(sheet: RuleSheet) -> Network:
    """Return the network of a sheet. Raise `SheetError` if it is too large."""
    return _Builder(sheet.roles, _ground(sheet)).build()


class _Ground:
    """The ground program: what each atom is called, and the bodies of its rules."""

    def __init__(self) -> None:
        self.atoms: dict[str, dict[tuple[Term, ...], int]] = defaultdict(dict)
        """For each relation, the atom of each tuple of arguments; 0 if it always holds."""
        self.bodies: dict[int, list[_Body]] = defaultdict(list)
        self.guards: set[int] = set()
        """The atoms that hold wherever they are needed."""


class _Observer:
    """Collects the rules that clingo reports while it grounds."""

    def __init__(self, bodies: dict[int, list[_Body]], most: int) -> None:
        self._bodies = bodies
        self._most = most
        self._count = 0
        self.is_too_large = False

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._count += 1
        if self._count > self._most:
            self.is_too_large = True
            raise RuntimeError("too many ground rules")
        if not choice and head:
            self._bodies[head[0]].append(tuple(body))


class _Names:
    """Generated names for the symbols of a sheet, and back."""

    def __init__(self) -> None:
        self._short: dict[tuple[str, str], str] = {}
        self.long: dict[str, str] = {}

    def shorten(self, kind: str, name: str) -> str:
        """Return the generated name of a relation (`r`), function (`f`) or constant (`c`)."""
        short = self._short.get((kind, name))
        if short is None:
            short = self._short[kind, name] = f"{kind}{len(self._short)}"
            self.long[short] = name
        return short

    def read(self, symbol: clingo.Symbol) -> Term:
        name = self.long[symbol.name]
        if not symbol.arguments:
            return name
        return Compound(name, tuple(map(self.read, symbol.arguments)))


def _ground(sheet: RuleSheet) -> _Ground:
    """Return the ground program. If the rules as they are have many instances, rewrite them."""
    rules = _select_rules(sheet.rules)
    try:
        return _run_clingo(rules, MANY_GROUND_RULES)
    except SheetError:
        rewritten = _select_rules(rewrite_rules(rules, _OUTPUTS))
        return _run_clingo(rewritten, MOST_GROUND_RULES)


def _run_clingo(rules: Iterable[Clause], most_rules: int) -> _Ground:
    names = _Names()
    program = "\n".join(_translate(rules, names))
    ground = _Ground()
    observer = _Observer(ground.bodies, most_rules)
    control = clingo.Control(["--warn=none"], logger=lambda *_: None, message_limit=0)
    control.register_observer(observer, replace=True)  # type: ignore[arg-type]  # it hears rules only
    control.add("base", [], program)
    try:
        control.ground([("base", [])])
    except RuntimeError:
        if observer.is_too_large:
            raise SheetError(f"the sheet has more than {most_rules:,} ground rules") from None
        raise
    count = 0
    for atom in control.symbolic_atoms:
        name = names.long[atom.symbol.name]
        if name.startswith(GUARD):
            ground.guards.add(atom.literal)
            continue
        if name.startswith(PART):
            continue
        count += 1
        if count > MOST_ATOMS:
            raise SheetError(f"the sheet has more than {MOST_ATOMS:,} atoms")
        arguments = tuple(map(names.read, atom.symbol.arguments))
        ground.atoms[name][arguments] = 0 if atom.is_fact else atom.literal
    return ground


def _select_rules(rules: Iterable[Clause]) -> list[Clause]:
    """Return the rules that the outputs of the network depend on."""
    by_head: dict[str, list[Clause]] = defaultdict(list)
    for rule in rules:
        by_head[get_name(rule.head)].append(rule)
    needed: set[str] = set()
    left = list(_OUTPUTS)
    while left:
        name = left.pop()
        if name in needed:
            continue
        needed.add(name)
        left += [get_name(each.atom) for rule in by_head[name] for each in rule.body]
    return [
        rule
        for rule in rules
        if get_name(rule.head) in needed and get_name(rule.head) not in _UNUSED
    ]


def _translate(rules: Iterable[Clause], names: _Names) -> Iterable[str]:
    """Yield the program for clingo."""
    true, does = names.shorten("r", "true"), names.shorten("r", "does")
    following, initial = names.shorten("r", "next"), names.shorten("r", "init")
    legal = names.shorten("r", "legal")
    yield f"{{{true}(X)}} :- {following}(X)."
    yield f"{{{true}(X)}} :- {initial}(X)."
    yield f"{{{does}(X,Y)}} :- {legal}(X,Y)."
    for rule in rules:
        variables: dict[str, str] = {}
        head = _write_atom(rule.head, names, variables)
        body = []
        for literal in rule.body:
            if get_name(literal.atom) == "distinct":
                one, other = (_write(each, names, variables) for each in get_args(literal.atom))
                body.append(f"{one}{'!=' if literal.is_positive else '='}{other}")
            else:
                sign = "" if literal.is_positive else "not "
                body.append(sign + _write_atom(literal.atom, names, variables))
        yield f"{head} :- {','.join(body)}." if body else f"{head}."


def _write_atom(atom: Atom, names: _Names, variables: dict[str, str]) -> str:
    short = names.shorten("r", get_name(atom))
    args = [_write(each, names, variables) for each in get_args(atom)]
    return f"{short}({','.join(args)})" if args else short


def _write(term: Term, names: _Names, variables: dict[str, str]) -> str:
    if isinstance(term, Variable):
        return variables.setdefault(term.name, f"V{len(variables)}")
    if isinstance(term, str):
        return names.shorten("c", term)
    args = ",".join(_write(each, names, variables) for each in term.args)
    return f"{names.shorten('f', term.name)}({args})"


class _Builder:
    """Builds the gates of a ground program."""

    def __init__(self, roles: tuple[str, str], ground: _Ground) -> None:
        self._roles = roles
        self._ground = ground
        self._fluents = sorted(ground.atoms["true"], key=lambda args: _order(args[0]))
        does = ground.atoms["does"]
        self._actions = tuple(
            sorted((args for args in does if args[0] == role), key=lambda args: _order(args[1]))
            for role in roles
        )
        self._check_sizes()
        inputs = [
            *(ground.atoms["true"][args] for args in self._fluents),
            *(does[args] for actions in self._actions for args in actions),
        ]
        self._literals: dict[int, int] = {0: TRUE, **dict.fromkeys(ground.guards, TRUE)}
        self._literals.update((atom, 2 * node) for node, atom in enumerate(inputs, 1))
        self._gates = Gates(1 + len(inputs))

    def _check_sizes(self) -> None:
        if len(self._fluents) > MOST_FLUENTS:
            raise SheetError(f"a state has more than {MOST_FLUENTS:,} fluents")
        for role, actions in zip(self._roles, self._actions, strict=True):
            if not actions:
                raise SheetError(f"{role} never has a legal action")
            for _, action in actions:
                if len(name_action(action)) > LONGEST_ACTION:
                    raise SheetError(
                        f"the action ({name_action(action)[:40]}… has more than {LONGEST_ACTION} "
                        "characters"
                    )
        for named, _ in self._ground.atoms["does"]:
            if named not in self._roles:
                raise SheetError(f"`legal` names {render_term(named)}, which is not a role")

    def build(self) -> Network:
        for group in self._sort_atoms():
            self._define(group)
        ground = self._ground
        legal = [[self._get("legal", args) for args in actions] for actions in self._actions]
        following = [self._get("next", args) for args in self._fluents]
        terminal = self._get("terminal", ())
        goals = [self._read_goals(role) for role in self._roles]
        gates = self._gates.arrange(
            legal=[*legal[0], *legal[1], terminal],
            goals=[literal for each in goals for _, literal in each],
            following=following,
        )
        fluents = [args[0] for args in self._fluents]
        control = [
            fluents.index(fluent) if (fluent := Compound("control", (role,))) in fluents else -1
            for role in self._roles
        ]
        return Network(
            roles=self._roles,
            fluents=tuple(map(render_term, fluents)),
            actions=(
                tuple(name_action(args[1]) for args in self._actions[0]),
                tuple(name_action(args[1]) for args in self._actions[1]),
            ),
            is_and=gates.is_and,
            start=gates.start,
            inputs=gates.inputs,
            level=gates.level,
            loops=gates.loops,
            legal_gates=gates.legal_gates,
            goal_gates=gates.goal_gates,
            initial=np.array([args in ground.atoms["init"] for args in self._fluents], np.bool_),
            legal=(
                np.array([gates.move(each) for each in legal[0]], np.int32),
                np.array([gates.move(each) for each in legal[1]], np.int32),
            ),
            next=np.array([gates.move(each) for each in following], np.int32),
            terminal=gates.move(terminal),
            goals=(
                tuple((points, gates.move(literal)) for points, literal in goals[0]),
                tuple((points, gates.move(literal)) for points, literal in goals[1]),
            ),
            control=(control[0], control[1]),
        )

    def _get(self, name: str, args: tuple[Term, ...]) -> int:
        atom = self._ground.atoms[name].get(args)
        return FALSE if atom is None else self._literals[atom]

    def _read_goals(self, role: str) -> list[tuple[int, int]]:
        found = []
        for args in sorted(self._ground.atoms["goal"], key=lambda args: _order(args[1])):
            if args[0] != role:
                continue
            points = args[1]
            if not (isinstance(points, str) and points.isdigit() and int(points) <= 100):
                raise SheetError(f"the goal {render_term(points)} is not a number from 0 to 100")
            found.append((int(points), self._get("goal", args)))
        if not found:
            raise SheetError(f"{role} has no goal")
        return found

    def _sort_atoms(self) -> list[list[int]]:
        """Return the atoms in groups that depend on each other, what is needed first."""
        bodies = self._ground.bodies
        named = {
            atom
            for name in ("legal", "next", "terminal", "goal")
            for atom in self._ground.atoms[name].values()
            if atom
        }
        graph: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph(multigraph=False)
        nodes: dict[int, int] = {}

        def find(atom: int) -> int:
            if atom not in nodes:
                nodes[atom] = graph.add_node(atom)
                left.append(atom)
            return nodes[atom]

        left: list[int] = []
        for atom in sorted(named):
            find(atom)
        while left:
            atom = left.pop()
            if atom in self._literals:
                continue  # a fluent or an action
            needs = {abs(each) for body in bodies.get(atom, ()) for each in body}
            graph.add_edges_from_no_data([(nodes[atom], find(each)) for each in sorted(needs)])
        groups = rustworkx.strongly_connected_components(graph)
        return [[graph[node] for node in group] for group in groups]

    def _define(self, group: list[int]) -> None:
        """Define atoms that depend on each other, or one atom that does not."""
        atom = group[0]
        if len(group) == 1 and not any(atom in body for body in self._ground.bodies.get(atom, ())):
            if atom not in self._literals:
                self._literals[atom] = self._compute(atom)
            return
        members = sorted(group)
        # A body that reads no member must stay outside the loop: other rules can share its gate,
        # and the part of the network that needs them can be another one than that of the loop.
        inside = set(group)
        for member in members:
            for body in self._ground.bodies.get(member, ()):
                if inside.isdisjoint(body):
                    self._conjoin(body)
        literals = self._gates.open_loop(len(members))
        self._literals.update(zip(members, literals, strict=True))
        self._gates.close_loop(literals, [self._list_causes(member) for member in members])

    def _compute(self, atom: int) -> int:
        return self._gates.disjoin(self._list_causes(atom))

    def _list_causes(self, atom: int) -> list[int]:
        """Return the literals of the bodies of an atom's rules."""
        return [self._conjoin(body) for body in self._ground.bodies.get(atom, ())]

    def _conjoin(self, body: _Body) -> int:
        literals = self._literals
        return self._gates.conjoin(
            literals[each] if each > 0 else literals[-each] ^ 1 for each in body
        )


def _order(term: Term) -> Any:
    """Return a key that sorts terms by their parts, and numbers by their value."""
    if isinstance(term, Compound):
        return (1, term.name, tuple(map(_order, term.args)))
    text = str(term)
    return (0, "", int(text), text) if text.isdigit() else (0, text, 0, text)

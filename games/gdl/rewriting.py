"""Rewriting rules, so that they have fewer ground instances.

A rule has an instance for each combination of values of its variables. A sheet that keeps a cell
unless a move changes it often says "a cell stays as it is if a move leaves it alone", with an
instance for each fact, each move and each piece. Split in two, it has one for each cell and move
("some move leaves this cell alone"), and one for each fact:

    next(cell(X,Y,P)) :- true(cell(X,Y,P)), does(R,move(A,B)), differs(A,B,X,Y).

    left_alone(X,Y)   :- does(R,move(A,B)), differs(A,B,X,Y).
    next(cell(X,Y,P)) :- true(cell(X,Y,P)), left_alone(X,Y).

The parts are the nodes of a tree decomposition of the rule's variables; see M. Bichler, M. Morak
and S. Woltran, "lpopt: A Rule Optimization Tool for Answer Set Programming" (LOPSTR 2016).

Before that, relations that all other rules use with constants only get a guard, so that they are
not computed for anything else, and a relation is replaced by the body of its only rule if the parts
then have fewer variables: "four pieces that share a property" is a relation of four pieces, but the
rule "four pieces in a row share a property" needs to look at one piece after the other only.
"""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from games.gdl.terms import (
    Atom,
    Clause,
    Compound,
    Literal,
    Term,
    Variable,
    find_variables,
    get_args,
    get_name,
)

GUARD = "guard "
"""How the names of guards begin. A guard binds variables of a part that only other parts bind. It
holds wherever the rule can hold, so that the network can do without it."""
PART = "part "
"""How the names of parts begin."""
_SAME = "the same"
_MOST_UNFOLDED = 4  # atoms of a rule
_MOST_VARIABLES = 40  # of a rule that is split


def rewrite_rules(rules: Sequence[Clause], outputs: Container[str]) -> list[Clause]:
    """Return rules for the same outputs, with new relations for the parts of the old rules."""
    narrowed = narrow_rules(rules, outputs)
    by_head: dict[str, list[Clause]] = defaultdict(list)
    for rule in narrowed:
        by_head[get_name(rule.head)].append(rule)
    single = {name: found[0] for name, found in by_head.items() if len(found) == 1}
    splitter = _Splitter()
    for rule in narrowed:
        splitter.add(_unfold(rule, single))
    return splitter.rules


def narrow_rules(rules: Sequence[Clause], outputs: Container[str]) -> list[Clause]:
    """Let the rules of a relation apply only to the constants with which other rules use it.

    "Red has three stones in the cells a, b and c" is otherwise computed for any three cells.
    """
    used: dict[str, list[tuple[Term, ...]]] = defaultdict(list)
    for rule in rules:
        for literal in rule.body:
            name, args = get_name(literal.atom), get_args(literal.atom)
            if name == get_name(rule.head):
                # A recursive rule hands its own arguments on.
                args = tuple(
                    _SAME if a == b and isinstance(a, Variable) else a
                    for a, b in zip(args, get_args(rule.head), strict=True)
                )
            used[name].append(args)
    constants: dict[str, dict[int, set[str]]] = {}
    for name, calls in used.items():
        fixed = {
            i: {str(each) for each in column if each is not _SAME}
            for i, column in enumerate(zip(*calls, strict=True))
            if all(isinstance(each, str) for each in column)
        }
        constants[name] = {} if name in outputs else fixed
    found: list[Clause] = []
    guards: dict[Clause, None] = {}
    for rule in rules:
        added = []
        for i, values in constants.get(get_name(rule.head), {}).items() if rule.body else ():
            argument = get_args(rule.head)[i]
            if isinstance(argument, Variable):
                name = f"{GUARD}{get_name(rule.head)} {i}"
                added.append(Literal(Compound(name, (argument,)), True, rule.line))
                for value in sorted(values):
                    guards[Clause(Compound(name, (value,)), (), rule.line)] = None
        found.append(Clause(rule.head, (*added, *rule.body), rule.line))
    return [*guards, *found]


def _unfold(rule: Clause, single: Mapping[str, Clause]) -> Clause:
    """Replace atoms of a rule by the body of their only rule if its parts become smaller."""
    for _ in range(_MOST_UNFOLDED):
        width = _measure(rule)
        for literal in rule.body:
            only = single.get(get_name(literal.atom))
            if only is None or not only.body or not literal.is_positive or width < 4:
                continue
            other = _replace(rule, literal, only)
            if other is not None and _measure(other) < width:
                rule = other
                break
        else:
            break
    return rule


def _measure(rule: Clause) -> int:
    """Return how many variables the largest part of a rule has."""
    left = [_decompose(rule)]
    width = 0
    while left:
        part = left.pop()
        if part is None:
            return _MOST_VARIABLES
        width = max(width, len(part.variables))
        left += part.children
    return width


def _replace(rule: Clause, literal: Literal, only: Clause) -> Clause | None:
    """Return a rule with the body of another one instead of an atom.

    Return None if the head of the other one is more than a list of different variables.
    """
    params = get_args(only.head)
    names = [each.name for each in params if isinstance(each, Variable)]
    if len(set(names)) < len(params):
        return None
    values: dict[str, Term] = dict(zip(names, get_args(literal.atom), strict=True))
    taken = set(_order_names(rule))
    for name in _order_names(only):
        if name not in values:
            new = next(each for i in range(10**6) if (each := f"{name}_{i}") not in taken)
            taken.add(new)
            values[name] = Variable(new)
    body = [
        Literal(_substitute(each.atom, values), each.is_positive, each.line)  # type: ignore[arg-type]
        for each in only.body
    ]
    at = rule.body.index(literal)
    return Clause(rule.head, (*rule.body[:at], *body, *rule.body[at + 1 :]), rule.line)


def _substitute(term: Term, values: Mapping[str, Term]) -> Term:
    if isinstance(term, Variable):
        return values[term.name]
    if isinstance(term, str):
        return term
    return Compound(term.name, tuple(_substitute(each, values) for each in term.args))


@dataclass
class _Part:
    """A node of a tree decomposition."""

    variables: set[str]
    literals: list[Literal] = field(default_factory=list)
    children: list["_Part"] = field(default_factory=list)


class _Splitter:
    def __init__(self) -> None:
        self.rules: list[Clause] = []
        self._names: dict[tuple[object, ...], str] = {}

    def add(self, rule: Clause) -> None:
        root = _decompose(rule) if len(rule.body) > 1 else None
        if root is None or not root.children:
            self.rules.append(rule)
            return
        body = self._write(rule, root)
        self.rules.append(Clause(rule.head, tuple(body), rule.line))

    def _write(self, rule: Clause, part: _Part) -> list[Literal]:
        """Add the rules of the parts below a part, and return the body of the part itself."""
        body = list(part.literals)
        for child in part.children:
            inner = self._write(rule, child)
            used = {name for literal in inner for name in _find_names(literal)}
            kept = [name for name in _order_names(rule) if name in used & part.variables]
            body.append(self._name(PART, kept, inner, rule.line))
        bound = {n for each in body if _binds(each) for n in _find_names(each)}
        wanted = {n for each in body for n in _find_names(each)} - bound
        for literal in rule.body:
            if _binds(literal) and (found := wanted.intersection(_find_names(literal))):
                kept = [n for n in _order_names(rule) if n in _find_names(literal)]
                kept = [n for n in kept if n in part.variables]
                body.append(self._name(GUARD, kept, [literal], rule.line))
                wanted -= found
        return body

    def _name(self, kind: str, kept: Sequence[str], body: Sequence[Literal], line: int) -> Literal:
        """Return an atom that holds if a body does, and add its rule if it is a new one."""
        numbers: dict[str, Term] = {}
        for name in (*kept, *(name for literal in body for name in _find_names(literal))):
            numbers.setdefault(name, Variable(f"v{len(numbers)}"))
        renamed = [
            Literal(_substitute(each.atom, numbers), each.is_positive, 0)  # type: ignore[arg-type]
            for each in body
        ]
        key = (kind, len(kept), frozenset((each.atom, each.is_positive) for each in renamed))
        if key not in self._names:
            self._names[key] = f"{kind}{len(self._names)}"
            head = _make_atom(self._names[key], [f"v{i}" for i in range(len(kept))])
            self.rules.append(Clause(head, tuple(renamed), line))
        return Literal(_make_atom(self._names[key], kept), True, line)


def _decompose(rule: Clause) -> _Part | None:
    """Return the parts of a rule as a tree; the root has the variables of the head."""
    head = {name for term in get_args(rule.head) for name in find_variables(term)}
    order = _order_names(rule)
    if len(order) > _MOST_VARIABLES:
        return None
    inner = [name for name in order if name not in head]
    near: dict[str, set[str]] = {name: set() for name in order}
    for names in (head, *(set(_find_names(each)) for each in rule.body)):
        for name in names:
            near[name] |= names - {name}
    root = _Part(set(head))
    parts: dict[str, _Part] = {}
    left = list(inner)
    while left:
        name = min(left, key=lambda each: (_count_missing(near, each), len(near[each])))
        left.remove(name)
        beside = near.pop(name)
        parts[name] = _Part({name, *beside})
        for other in beside:
            near[other] |= beside - {other}
            near[other].discard(name)
    eliminated = list(parts)
    for literal in rule.body:
        names = set(_find_names(literal))
        owner = next((each for each in eliminated if each in names), None)
        (parts[owner] if owner else root).literals.append(literal)
    for i, name in enumerate(eliminated):
        above = next((each for each in eliminated[i + 1 :] if each in parts[name].variables), None)
        (parts[above] if above else root).children.append(parts[name])
    _join_parts(root)
    return root


def _count_missing(near: dict[str, set[str]], name: str) -> int:
    """Return how many pairs of neighbours of a variable are not yet neighbours themselves."""
    beside = near[name]
    return sum(len(beside - near[other]) - 1 for other in beside)


def _join_parts(part: _Part) -> None:
    """Join each part with a part below it if one of them has all variables of the other."""
    for child in part.children:
        _join_parts(child)
    changed = True
    while changed:
        changed = False
        is_idle = not part.literals and len(part.children) == 1
        for child in part.children:
            if is_idle or child.variables <= part.variables or part.variables <= child.variables:
                part.variables |= child.variables
                part.literals += child.literals
                part.children.remove(child)
                part.children += child.children
                changed = True
                break


def _order_names(rule: Clause) -> list[str]:
    """Return the names of a rule's variables in the order in which they occur."""
    terms = (term for atom in (rule.head, *(x.atom for x in rule.body)) for term in get_args(atom))
    return list(dict.fromkeys(name for term in terms for name in find_variables(term)))


def _find_names(literal: Literal) -> list[str]:
    return [name for term in get_args(literal.atom) for name in find_variables(term)]


def _binds(literal: Literal) -> bool:
    return literal.is_positive and get_name(literal.atom) != "distinct"


def _make_atom(name: str, variables: Sequence[str]) -> Atom:
    return Compound(name, tuple(map(Variable, variables))) if variables else name

"""Checks that a sheet follows the specification of GDL.

See N. Love, T. Hinrichs, D. Haley, E. Schkufza and M. Genesereth, "General Game Playing: Game
Description Language Specification" (Stanford, 2008). Harmless habits of published sheets are
accepted: relations that no rule defines, rules that occur twice, unused rules.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from games.gdl.errors import SheetError
from games.gdl.reader import decode_text, read_rules
from games.gdl.terms import (
    Atom,
    Clause,
    Compound,
    Literal,
    RuleSheet,
    Term,
    Variable,
    find_variables,
    get_args,
    get_name,
    render_term,
)

KEYWORDS = {
    "role": 1, "init": 1, "true": 1, "does": 2, "next": 1, "legal": 2, "goal": 2, "terminal": 0,
    "distinct": 2, "base": 1, "input": 2,
}  # fmt: skip
"""The number of arguments of each of GDL's own relations."""

_NEEDED = ("role", "init", "legal", "next", "terminal", "goal")
_IN_BODIES_ONLY = ("true", "does", "distinct")
_IN_HEADS_ONLY = ("init", "next")
_LONGEST_NAME = 64

_Graph = Mapping[str, set[str]]


def read_sheet(text: str | bytes) -> RuleSheet:
    """Read a sheet and check it. Raise `SheetError` with the line of the first mistake."""
    decoded = decode_text(text)
    rules = tuple(read_rules(decoded))
    if not rules:
        raise SheetError("the sheet has no rules")
    for rule in rules:
        _check_positions(rule)
        _check_safety(rule)
    _check_arities(rules)
    defined = {get_name(rule.head) for rule in rules}
    for name in _NEEDED:
        if name not in defined:
            raise SheetError(f"the sheet has no rule for `{name}`")
    sheet = RuleSheet(decoded, _find_roles(rules), rules)
    _check_dependencies(rules)
    return sheet


def _find_roles(rules: Iterable[Clause]) -> tuple[str, str]:
    found: dict[str, int] = {}
    for rule in rules:
        if get_name(rule.head) != "role":
            continue
        (role,) = get_args(rule.head)
        if rule.body or not isinstance(role, str):
            raise SheetError("a role must be a fact with a constant: (role white)", rule.line)
        found.setdefault(role, rule.line)
        if len(found) > 2:
            raise SheetError("the sheet has more than two roles", rule.line)
    if len(found) < 2:
        raise SheetError("the sheet has one role, and two are needed")
    first, second = found
    return first, second


def _check_positions(rule: Clause) -> None:
    """Check where GDL's own relations stand, and how many arguments they have."""
    _check_keyword(rule.head, rule.line)
    name = get_name(rule.head)
    if name in _IN_BODIES_ONLY:
        raise SheetError(f"`{name}` cannot be the head of a rule", rule.line)
    for literal in rule.body:
        _check_keyword(literal.atom, literal.line)
        if get_name(literal.atom) in _IN_HEADS_ONLY:
            raise SheetError(
                f"`{get_name(literal.atom)}` cannot stand in the body of a rule", literal.line
            )
    for atom in (rule.head, *(literal.atom for literal in rule.body)):
        for term in get_args(atom):
            _check_names(term, rule.line)


def _check_keyword(atom: Atom, line: int) -> None:
    wanted = KEYWORDS.get(get_name(atom))
    if wanted is not None and len(get_args(atom)) != wanted:
        raise SheetError(
            f"`{get_name(atom)}` takes {wanted} {'argument' if wanted == 1 else 'arguments'}, and "
            f"here it has {len(get_args(atom))}",
            line,
        )


def _check_names(term: Term, line: int) -> None:
    name = term if isinstance(term, str) else term.name
    if len(name) > _LONGEST_NAME:
        raise SheetError(f"a name has more than {_LONGEST_NAME} characters", line)
    if isinstance(term, Compound):
        for each in term.args:
            _check_names(each, line)


def _check_safety(rule: Clause) -> None:
    """Check that a positive literal binds each variable."""
    bound = {
        name
        for literal in rule.body
        if literal.is_positive and get_name(literal.atom) != "distinct"
        for term in get_args(literal.atom)
        for name in find_variables(term)
    }
    for literal in rule.body:
        if literal.is_positive and get_name(literal.atom) != "distinct":
            continue
        for name in chain.from_iterable(map(find_variables, get_args(literal.atom))):
            if name not in bound:
                shown = render_term(literal.atom)
                shown = shown if literal.is_positive else f"(not {shown})"
                raise SheetError(f"?{name} in {shown} is not bound", literal.line)
    for name in chain.from_iterable(map(find_variables, get_args(rule.head))):
        if name not in bound:
            raise SheetError(f"?{name} in {render_term(rule.head)} is not bound", rule.line)


def _check_arities(rules: Iterable[Clause]) -> None:
    """Check that each relation always has the same number of arguments."""
    found: dict[str, tuple[int, int]] = {}
    for rule in rules:
        for atom, line in ((rule.head, rule.line), *((x.atom, x.line) for x in rule.body)):
            count, first = found.setdefault(get_name(atom), (len(get_args(atom)), line))
            if count != len(get_args(atom)):
                raise SheetError(
                    f"`{get_name(atom)}` has {len(get_args(atom))} arguments here and {count} in "
                    f"line {first}",
                    line,
                )


def _check_dependencies(rules: tuple[Clause, ...]) -> None:
    """Check what relations may depend on: negation in strata, and `does` for `next` only."""
    uses: dict[str, set[str]] = defaultdict(set)
    for rule in rules:
        uses[get_name(rule.head)].update(get_name(literal.atom) for literal in rule.body)
    reached = {name: _reach(uses, name) for name in uses}
    by_head: dict[str, list[Clause]] = defaultdict(list)
    for rule in rules:
        by_head[get_name(rule.head)].append(rule)
    for rule in rules:
        head = get_name(rule.head)
        for literal in rule.body:
            name = get_name(literal.atom)
            if (
                not literal.is_positive
                and head in reached.get(name, ())
                and _needs(by_head, literal.atom, rule)
            ):
                raise SheetError(
                    f"`{head}` depends on its own negation, through `{name}`", literal.line
                )
            if (
                head in reached.get(name, ())
                and literal.is_positive
                and _grows(rule, literal, reached)
            ):
                raise SheetError(
                    f"{render_term(rule.head)} grows without end: it contains more than "
                    f"{render_term(literal.atom)}, on which it depends",
                    rule.line,
                )
    first_line: dict[str, int] = {}
    for rule in rules:
        first_line.setdefault(get_name(rule.head), rule.line)
    for head, wrong in (
        ("legal", ("does",)), ("terminal", ("does",)), ("goal", ("does",)),
        ("init", ("does", "true", "legal")),
    ):  # fmt: skip
        for name in wrong:
            if name in reached.get(head, ()):
                raise SheetError(f"`{head}` must not depend on `{name}`", first_line.get(head))


def _reach(uses: _Graph, start: str) -> set[str]:
    """Return everything that `start` depends on. `start` itself is in it only if on a cycle."""
    found: set[str] = set()
    left = list(uses.get(start, ()))
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left.extend(uses.get(name, ()))
    return found


def _needs(by_head: Mapping[str, Sequence[Clause]], atom: Atom, wanted: Clause) -> bool:
    """Return whether an atom can depend on a rule.

    Published sheets say "the goal is 0 if it is not 100": a relation that depends on its negation,
    but with other constants.
    """
    found: set[Clause] = set()
    left = [atom]
    while left:
        each = left.pop()
        for rule in by_head.get(get_name(each), ()):
            if rule not in found and _can_be_equal(rule.head, each):
                if rule == wanted:
                    return True
                found.add(rule)
                left += [literal.atom for literal in rule.body]
    return False


def _can_be_equal(one: Term, other: Term) -> bool:
    """Return whether some values of their variables might make two terms equal."""
    if isinstance(one, Variable) or isinstance(other, Variable):
        return True
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return (
        one.name == other.name
        and len(one.args) == len(other.args)
        and all(map(_can_be_equal, one.args, other.args))
    )


def _grows(rule: Clause, literal: Literal, reached: _Graph) -> bool:
    """Return whether a rule of a cycle puts what it depends on into a larger term.

    It does so if a variable of the literal stands deeper in the head than in the literal, and no
    literal outside the cycle binds it.
    """
    head = get_name(rule.head)
    limited = {
        name
        for each in rule.body
        if each.is_positive
        and get_name(each.atom) != "distinct"
        and head not in reached.get(get_name(each.atom), ())
        for term in get_args(each.atom)
        for name in find_variables(term)
    }
    inner: dict[str, int] = {}
    for name, depth in _measure_depths(get_args(literal.atom)):
        inner[name] = max(depth, inner.get(name, 0))
    return any(
        name in inner and depth > inner[name] and name not in limited
        for name, depth in _measure_depths(get_args(rule.head))
    )


def _measure_depths(terms: Iterable[Term], depth: int = 0) -> Iterator[tuple[str, int]]:
    for term in terms:
        if isinstance(term, Variable):
            yield term.name, depth
        elif isinstance(term, Compound):
            yield from _measure_depths(term.args, depth + 1)

"""The terms and rules of a sheet, as immutable values."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True)
class Compound:
    """A name with arguments, such as `(cell 1 1 b)`."""

    name: str
    args: tuple["Term", ...]


Term = str | Variable | Compound
"""A constant is a plain string in lower case."""
Atom = str | Compound


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom of a rule's body, or its negation. `distinct` is an atom with two arguments."""

    atom: Atom
    is_positive: bool
    line: int


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule `(<= head body…)`, or a fact if the body is empty. `or` is already expanded."""

    head: Atom
    body: tuple[Literal, ...]
    line: int


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """A checked sheet: the text as given, the two roles and the rules in the text's order."""

    text: str
    roles: tuple[str, str]
    rules: tuple[Clause, ...]


def render_term(term: Term) -> str:
    """Write a term in KIF: "(cell 1 1 b)"."""
    if isinstance(term, Compound):
        return f"({' '.join([term.name, *map(render_term, term.args)])})"
    return f"?{term.name}" if isinstance(term, Variable) else term


def name_action(term: Term) -> str:
    """Write an action without its outermost parentheses: "place 3 4"."""
    return render_term(term).removeprefix("(").removesuffix(")")


def get_name(atom: Atom) -> str:
    return atom.name if isinstance(atom, Compound) else atom


def get_args(atom: Atom) -> tuple[Term, ...]:
    return atom.args if isinstance(atom, Compound) else ()


def find_variables(term: Term) -> Iterator[str]:
    """Yield the name of each variable of a term, in order, with repetitions."""
    if isinstance(term, Variable):
        yield term.name
    elif isinstance(term, Compound):
        for each in term.args:
            yield from find_variables(each)

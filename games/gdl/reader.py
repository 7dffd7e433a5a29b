"""Reading a sheet: from KIF, the syntax of GDL, to rules."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from games.gdl.errors import SheetError
from games.gdl.terms import Atom, Clause, Compound, Literal, Term, Variable

LONGEST_TEXT = 64 * 1024  # bytes
MOST_RULES = 5000  # after the expansion of `or`
DEEPEST = 100  # parentheses inside parentheses
_MOST_ALTERNATIVES = 512  # bodies that the `or`s of one rule expand to
_MOST_LITERALS = 20_000  # in all bodies of one rule together

_TOKEN = re.compile(r"[()]|[^\s()]+", re.ASCII)  # other spaces are refused
_SYMBOL = re.compile(r"[!#-&*-:<-~]+")  # printable ASCII except quotes, parentheses and ";"


@dataclass(frozen=True, slots=True)
class Form:
    """A symbol, or a list of forms, with the line where it begins."""

    line: int
    symbol: str = ""
    items: tuple["Form", ...] = ()

    @property
    def head(self) -> str:
        """Return the first symbol of a list, or "" if the form is not such a list."""
        return self.items[0].symbol if self.items else ""


def decode_text(text: str | bytes) -> str:
    """Return the text of a sheet. Only its comments may have characters beyond ASCII.

    Raise `SheetError` if the text is too long.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > LONGEST_TEXT:
        raise SheetError(f"the sheet has {len(data):,} bytes, and {LONGEST_TEXT:,} are allowed")
    decoded = text if isinstance(text, str) else data.decode("utf-8", "replace")
    return decoded.removeprefix("\N{BYTE ORDER MARK}")


def read_rules(text: str) -> list[Clause]:
    """Read the rules and facts of a sheet. Raise `SheetError` with the line of a mistake."""
    rules: list[Clause] = []
    seen: set[tuple[Atom, tuple[tuple[Atom, bool], ...]]] = set()
    for form in read_forms(text):
        for rule in _read_rule(form):
            key = (rule.head, tuple((each.atom, each.is_positive) for each in rule.body))
            if key in seen:
                continue
            seen.add(key)
            rules.append(rule)
            if len(rules) > MOST_RULES:
                raise SheetError(f"the sheet has more than {MOST_RULES:,} rules", form.line)
    return rules


def read_forms(text: str) -> list[Form]:
    """Read the lists and symbols of a text. Nesting is bounded, and needs no recursion."""
    found: list[Form] = []
    opened: list[tuple[int, list[Form]]] = []
    for line, part in _split_tokens(text):
        if part == "(":
            if len(opened) == DEEPEST:
                raise SheetError(f"more than {DEEPEST} parentheses are open", line)
            opened.append((line, []))
            continue
        if part == ")":
            if not opened:
                raise SheetError("this parenthesis closes nothing", line)
            begun, items = opened.pop()
            form = Form(begun, items=tuple(items))
        else:
            if not _SYMBOL.fullmatch(part):
                raise SheetError(f"{part[:40]!a} is not a symbol of GDL", line)
            form = Form(line, part.lower())
        (opened[-1][1] if opened else found).append(form)
    if opened:
        raise SheetError("this parenthesis is never closed", opened[-1][0])
    return found


def _split_tokens(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        for token in _TOKEN.findall(line.partition(";")[0]):
            yield number, token


def _read_rule(form: Form) -> Iterator[Clause]:
    if form.head != "<=":
        yield Clause(_read_atom(form), (), form.line)
        return
    if len(form.items) < 2:
        raise SheetError("a rule needs a head: (<= head body)", form.line)
    head = _read_atom(form.items[1])
    for body in _expand_all(form.items[2:], form.line):
        yield Clause(head, body, form.line)


Body = tuple[Literal, ...]


def _expand_all(forms: Sequence[Form], line: int) -> list[Body]:
    """Return the bodies that the conjunction of these forms stands for, without `or`."""
    return _join([_expand(form) for form in forms], line)


def _join(parts: Sequence[list[Body]], line: int) -> list[Body]:
    """Return each combination of a body from every part, as one body."""
    count, length = 1, 0
    for part in parts:
        count *= len(part)
        length += max(map(len, part), default=0)
        if count > _MOST_ALTERNATIVES or count * length > _MOST_LITERALS:
            raise SheetError("the `or`s of this rule have too many combinations", line)
    return [tuple(each for part in chosen for each in part) for chosen in product(*parts)]


def _expand(form: Form) -> list[Body]:
    match form.head:
        case "or":
            bodies = [body for each in form.items[1:] for body in _expand(each)]
            if len(bodies) > _MOST_ALTERNATIVES:
                raise SheetError("this `or` has too many alternatives", form.line)
            return bodies
        case "and":
            return _expand_all(form.items[1:], form.line)
        case "not":
            if len(form.items) != 2:
                raise SheetError("`not` takes one argument", form.line)
            return _negate(form.items[1])
    return [(Literal(_read_atom(form), True, form.line),)]


def _negate(form: Form) -> list[Body]:
    match form.head:
        case "not" if len(form.items) == 2:
            return _expand(form.items[1])
        case "or":
            return _join([_negate(each) for each in form.items[1:]], form.line)
        case "and":
            return [body for each in form.items[1:] for body in _negate(each)]
    return [(Literal(_read_atom(form), False, form.line),)]


def _read_atom(form: Form) -> Atom:
    term = _read_term(form)
    if isinstance(term, Variable):
        raise SheetError(f"?{term.name} stands where a relation is expected", form.line)
    name = term.name if isinstance(term, Compound) else term
    if name in ("<=", "not", "or", "and"):
        raise SheetError(f"`{name}` cannot stand here", form.line)
    return term


def _read_term(form: Form) -> Term:
    if form.symbol:
        if form.symbol.startswith("?"):
            if form.symbol == "?":
                raise SheetError("a variable needs a name after the question mark", form.line)
            return Variable(form.symbol[1:])
        return form.symbol
    if not form.items:
        raise SheetError("() is empty", form.line)
    first = form.items[0]
    if not first.symbol or first.symbol.startswith("?"):
        raise SheetError("a list must begin with the name of a relation or function", form.line)
    if len(form.items) == 1:
        return first.symbol  # published sheets write (terminal) for terminal
    return Compound(first.symbol, tuple(map(_read_term, form.items[1:])))

"""A slow interpreter of GDL, to compare compiled sheets with.

It shares nothing with `games.gdl`: it has its own reader, proves goals from the top down, and never
grounds a rule. Terms are tuples and strings; a variable is a string that begins with "?".
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TypeAlias

Term: TypeAlias = "str | tuple[Term, ...]"
State = frozenset[Term]
Binding = dict[str, Term]


def read(text: str) -> list[Term]:
    """Read all lists of a text."""
    stack: list[list[Term]] = [[]]
    for line in text.splitlines():
        for token in re.findall(r"[()]|[^\s()]+", line.split(";")[0].lower()):
            if token == "(":
                stack.append([])
            elif token == ")":
                closed = tuple(stack.pop())
                stack[-1].append(closed)
            else:
                stack[-1].append(token)
    return stack[0]


def write(term: Term) -> str:
    return term if isinstance(term, str) else f"({' '.join(map(write, term))})"


def parse(text: str) -> Term:
    return read(text)[0]


class Interpreter:
    """A sheet. Actions are texts without the outermost parentheses, such as "mark 1 1"."""

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[tuple[Term, tuple[Term, ...]]]] = defaultdict(list)
        for form in read(text):
            is_rule = form[0] == "<="
            head = form[1] if is_rule else form
            self._rules[_name(head)].append((head, tuple(form[2:]) if is_rule else ()))
        self.roles = tuple(str(head[1]) for head, _ in self._rules["role"])
        self._static = self._find_static()
        self._state: State = frozenset()
        self._facts: Mapping[str, list[Term]] = {}
        self._done: list[Term] = []
        self._known: dict[Term, list[Term]] = {}
        self._lasting: dict[Term, list[Term]] = {}
        self._depths: dict[Term, int] = {}  # of the goals that are being proved
        self._lowest: list[float] = [inf]  # for each of them, the depth of what it waits for

    def start(self) -> State:
        self._enter(frozenset(), {})
        return frozenset(found[1] for found in self._prove_all(("init", "?f")))

    def legal(self, state: State, role: str) -> set[str]:
        self._enter(state, {})
        return {_bare(found[2]) for found in self._prove_all(("legal", role, "?a"))}

    def next(self, state: State, actions: Mapping[str, str]) -> State:
        self._enter(state, actions)
        return frozenset(found[1] for found in self._prove_all(("next", "?f")))

    def is_terminal(self, state: State) -> bool:
        self._enter(state, {})
        return bool(self._prove_all("terminal"))

    def goals(self, state: State, role: str) -> set[int]:
        self._enter(state, {})
        return {int(str(found[2])) for found in self._prove_all(("goal", role, "?n"))}

    def _enter(self, state: State, actions: Mapping[str, str]) -> None:
        done: list[Term] = [
            ("does", role, parse(f"({text})" if " " in text else text))
            for role, text in actions.items()
        ]
        if state == self._state and done == self._done:
            return
        self._state, self._done = state, done
        facts = defaultdict(list)
        for fluent in state:
            facts[_name(fluent)].append(fluent)
        self._facts = facts
        self._known = {}

    def _find_static(self) -> set[str]:
        """Return the relations that depend on no state and no action."""
        uses = {
            name: {each for _, body in rules for literal in body for each in _list_names(literal)}
            for name, rules in self._rules.items()
        }
        moving = {"true", "does"}
        while True:
            more = {name for name, used in uses.items() if used & moving} - moving
            if not more:
                return set(uses) - moving
            moving |= more

    def _prove_all(self, goal: Term) -> list[Term]:
        """Return all instances of a goal that hold. The answers to each goal are kept.

        A goal that is asked again while it is being proved gets the answers known so far, and is
        proved again until it finds nothing new. Answers that depend on a goal which is still being
        proved are not kept.
        """
        goal = _canonical(goal)
        memory = self._lasting if _name(goal) in self._static else self._known
        if goal in self._depths:
            self._lowest[-1] = min(self._lowest[-1], self._depths[goal])
            return memory[goal]
        if goal in memory:
            return memory[goal]
        depth = self._depths[goal] = len(self._depths)
        memory[goal] = []
        lowest: float = inf
        while True:
            before = len(memory[goal])
            self._lowest.append(inf)
            memory[goal] = list(self._find_answers(goal, memory[goal]))
            lowest = min(lowest, self._lowest.pop())
            if lowest > depth or len(memory[goal]) == before:
                break
        del self._depths[goal]
        if lowest >= depth:
            return memory[goal]
        self._lowest[-1] = min(self._lowest[-1], lowest)
        return memory.pop(goal)

    def _find_answers(self, goal: Term, known: list[Term]) -> dict[Term, None]:
        found = dict.fromkeys(known)
        for head, body in self._rules[_name(goal)]:
            renamed = _rename((head, *body))
            binding = _unify(goal, renamed[0], {})
            if binding is not None:
                for each in self._prove(renamed[1:], binding):
                    found[_substitute(goal, each)] = None
        return found

    def _prove(self, body: tuple[Term, ...], binding: Binding) -> Iterator[Binding]:
        if not body:
            yield binding
            return
        literal, rest = _choose(body, binding)
        for each in self._prove_one(_substitute(literal, binding), binding):
            yield from self._prove(rest, each)

    def _prove_one(self, literal: Term, binding: Binding) -> Iterator[Binding]:
        name = _name(literal)
        if name == "distinct":
            if literal[1] != literal[2]:
                yield binding
        elif name == "or":
            for each in literal[1:]:
                yield from self._prove((each,), binding)
        elif name == "and":
            yield from self._prove(tuple(literal[1:]), binding)
        elif name == "not":
            if next(self._prove((literal[1],), {}), None) is None:
                yield binding
        else:
            answers: Sequence[Term]
            if name == "true":
                literal = literal[1]
                answers = self._facts.get(_name(literal), ())
            elif name == "does":
                answers = self._done
            else:
                answers = self._prove_all(literal)
            words = [(i, word) for i, word in enumerate(literal) if _is_word(word)]
            for answer in answers:
                if len(answer) != len(literal) or any(answer[i] != word for i, word in words):
                    continue  # most answers fail here, without the work of unifying
                found = _unify(literal, answer, binding)
                if found is not None:
                    yield found


def _choose(body: tuple[Term, ...], binding: Binding) -> tuple[Term, tuple[Term, ...]]:
    """Take the first literal that can be proved now: tests wait until they are bound."""
    for index, literal in enumerate(body):
        if _name(literal) not in ("not", "distinct") or not _has_variables(
            _substitute(literal, binding)
        ):
            return literal, body[:index] + body[index + 1 :]
    raise ValueError(f"unsafe: {write(body)}")


def _name(term: Term) -> str:
    return term if isinstance(term, str) else str(term[0])


def _bare(term: Term) -> str:
    return term if isinstance(term, str) else " ".join(map(write, term))


def _list_names(literal: Term) -> Iterator[str]:
    if _name(literal) in ("not", "or", "and"):
        for each in literal[1:]:
            yield from _list_names(each)
    else:
        yield _name(literal)


def _is_word(term: Term) -> bool:
    return isinstance(term, str) and term[0] != "?"


def _has_variables(term: Term) -> bool:
    return term[0] == "?" if isinstance(term, str) else any(map(_has_variables, term))


_counter = 0


def _rename(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Give the variables of a rule new names."""
    global _counter  # noqa: PLW0603  # the names must be new in the whole program
    _counter += 1
    return _suffix(terms, f"#{_counter}")  # type: ignore[return-value]  # a tuple stays one


def _suffix(term: Term, suffix: str) -> Term:
    if isinstance(term, str):
        return term + suffix if term[0] == "?" else term
    return tuple(_suffix(each, suffix) for each in term)


def _canonical(term: Term) -> Term:
    """Name the variables of a goal by their order, so that equal goals are equal."""
    names: dict[str, str] = {}

    def rename(each: Term) -> Term:
        if isinstance(each, str):
            return names.setdefault(each, f"?{len(names)}") if each[0] == "?" else each
        return tuple(map(rename, each))

    return rename(term)


def _substitute(term: Term, binding: Binding) -> Term:
    if isinstance(term, str):
        while term in binding:
            found = binding[term]
            if not isinstance(found, str):
                return _substitute(found, binding)
            term = found
        return term
    return tuple(_substitute(each, binding) for each in term)


def _unify(one: Term, other: Term, binding: Binding) -> Binding | None:
    """Return the binding, with what makes two terms equal, or None if nothing does."""
    one, other = _find_value(one, binding), _find_value(other, binding)
    if isinstance(one, str) and one[0] == "?":
        return binding if one == other else {**binding, one: other}
    if isinstance(other, str) and other[0] == "?":
        return {**binding, other: one}
    if isinstance(one, str) or isinstance(other, str):
        return binding if one == other else None
    if len(one) != len(other):
        return None
    found: Binding | None = binding
    for left, right in zip(one, other, strict=True):
        found = _unify(left, right, found)
        if found is None:
            return None
    return found


def _find_value(term: Term, binding: Binding) -> Term:
    """Return what a variable stands for. The variables inside a list stay."""
    while isinstance(term, str) and term in binding:
        term = binding[term]
    return term

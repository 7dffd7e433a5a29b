"""A slow interpreter of GDL, to compare compiled sheets with.

It shares nothing with `games.gdl`: it has its own reader, proves goals from the top down (recursive
relations as a whole), and never grounds a rule. Terms are tuples and strings; a variable is a
string that begins with "?". Rules are safe, so that all answers are ground, and variables are bound
to ground terms only.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
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


class Facts:
    """Ground terms, which are found by those of their parts that are known."""

    def __init__(self, terms: Iterable[Term] = ()) -> None:
        self.terms = dict.fromkeys(terms)
        self._indexes: dict[tuple[int, ...], dict[Term, list[Term]]] = {}

    def add(self, term: Term) -> None:
        if term not in self.terms:
            self.terms[term] = None
            for places, index in self._indexes.items():
                index[_key(term, places)].append(term)

    def find(self, goal: Term) -> Collection[Term]:
        """Return the terms that agree with the parts of a goal that have no variables.

        The returned list grows when more terms are added.
        """
        if not _has_variables(goal):
            return (goal,) if goal in self.terms else ()
        places = tuple([i for i, part in enumerate(goal) if not _has_variables(part)])
        index = self._indexes.get(places)
        if index is None:
            index = self._indexes[places] = defaultdict(list)
            for term in self.terms:
                index[_key(term, places)].append(term)
        return index[_key(goal, places)]


def _key(term: Term, places: tuple[int, ...]) -> Term:
    return tuple([term[i] for i in places])


_NONE = Facts()


class Interpreter:
    """A sheet. Actions are texts without the outermost parentheses, such as "mark 1 1"."""

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[tuple[Term, tuple[Term, ...]]]] = defaultdict(list)
        given = defaultdict(list)
        for form in read(text):
            if form[0] == "<=":
                self._rules[_name(form[1])].append((form[1], tuple(form[2:])))
            else:
                given[_name(form)].append(form)
        self._given = {name: Facts(terms) for name, terms in given.items()}
        self.roles = tuple(str(role[1]) for role in given["role"])
        uses = {
            name: {each for _, body in rules for literal in body for each in _list_names(literal)}
            for name, rules in self._rules.items()
        }
        reached = {name: _find_reached(name, uses) for name in uses}
        self._static = {name for name in uses if not reached[name] & {"true", "does"}}
        self._recursive = {name for name in uses if name in reached[name]}
        self._state: State = frozenset()
        self._facts: Mapping[str, Facts] = {}
        self._done = _NONE
        self._known: dict[Term, Facts] = {}
        self._lasting: dict[Term, Facts] = {}
        self._depths: dict[Term, int] = {}  # of the goals that are being proved
        self._lowest: list[float] = [inf]  # for each of them, the depth of what it waits for

    def start(self) -> State:
        self._enter(frozenset(), {})
        return frozenset(found[1] for found in self._list_all(("init", "?f")))

    def legal(self, state: State, role: str) -> set[str]:
        self._enter(state, {})
        return {_bare(found[2]) for found in self._list_all(("legal", role, "?a"))}

    def next(self, state: State, actions: Mapping[str, str]) -> State:
        self._enter(state, actions)
        return frozenset(found[1] for found in self._list_all(("next", "?f")))

    def is_terminal(self, state: State) -> bool:
        self._enter(state, {})
        return bool(self._list_all("terminal"))

    def goals(self, state: State, role: str) -> set[int]:
        self._enter(state, {})
        return {int(str(found[2])) for found in self._list_all(("goal", role, "?n"))}

    def _enter(self, state: State, actions: Mapping[str, str]) -> None:
        done: list[Term] = [
            ("does", role, parse(f"({text})" if " " in text else text))
            for role, text in actions.items()
        ]
        if state == self._state and done == list(self._done.terms):
            return
        self._state, self._done = state, Facts(done)
        facts = defaultdict(list)
        for fluent in state:
            facts[_name(fluent)].append(fluent)
        self._facts = {name: Facts(fluents) for name, fluents in facts.items()}
        self._known = {}

    def _list_all(self, goal: Term) -> Collection[Term]:
        """Return all instances of a goal that hold."""
        return self._prove_all(goal).find(goal)

    def _prove_all(self, goal: Term) -> Facts:
        """Return terms among which are all instances of a goal that hold. They are kept.

        A goal that is asked again while it is being proved gets the answers known so far, and is
        proved again until it finds nothing new. Answers that depend on a goal which is still being
        proved are not kept.
        """
        name = _name(goal)
        if name not in self._rules:
            return self._given.get(name, _NONE)
        if name in self._recursive and not isinstance(goal, str):
            goal = (name, *"?" * (len(goal) - 1))
        goal = _generalise(goal)
        memory = self._lasting if name in self._static else self._known
        if goal in self._depths:
            self._lowest[-1] = min(self._lowest[-1], self._depths[goal])
            return memory[goal]
        if goal in memory:
            return memory[goal]
        depth = self._depths[goal] = len(self._depths)
        facts = memory[goal] = Facts(self._given.get(name, _NONE).terms)
        lowest: float = inf
        while True:
            before = len(facts.terms)
            self._lowest.append(inf)
            self._add_answers(goal, facts)
            lowest = min(lowest, self._lowest.pop())
            if lowest > depth or len(facts.terms) == before:
                break
        del self._depths[goal]
        if lowest < depth:
            self._lowest[-1] = min(self._lowest[-1], lowest)
            del memory[goal]
        return facts

    def _add_answers(self, goal: Term, facts: Facts) -> None:
        is_closed = not _has_variables(goal)
        for head, body in self._rules[_name(goal)]:
            binding: Binding = {}
            if _may_answer(head, goal, binding):
                for each in self._prove(body, binding):
                    facts.add(_substitute(head, each))
                    if is_closed:
                        return  # one proof is enough

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
            if name == "true":
                literal = literal[1]
                facts = self._facts.get(_name(literal), _NONE)
            elif name == "does":
                facts = self._done
            else:
                facts = self._prove_all(literal)
            for fact in facts.find(literal):
                found = dict(binding)
                if _match(literal, fact, found):
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


def _find_reached(name: str, uses: Mapping[str, set[str]]) -> set[str]:
    """Return the relations that a relation depends on, itself only if it is recursive."""
    reached, todo = set[str](), [name]
    while todo:
        more = uses.get(todo.pop(), set()) - reached
        reached |= more
        todo += more
    return reached


def _has_variables(term: Term) -> bool:
    if isinstance(term, str):
        return term[0] == "?"
    for part in term:  # noqa: SIM110  # `any` would take twice as long
        if part[0] == "?" if isinstance(part, str) else _has_variables(part):
            return True
    return False


def _generalise(goal: Term) -> Term:
    """Drop the names of the variables, so that goals with the same answers are equal."""
    if isinstance(goal, str):
        return "?" if goal[0] == "?" else goal
    return tuple([_generalise(part) for part in goal])


def _substitute(term: Term, binding: Binding) -> Term:
    if isinstance(term, str):
        return binding.get(term, term)
    return tuple(
        [
            binding.get(part, part) if isinstance(part, str) else _substitute(part, binding)
            for part in term
        ]
    )


def _may_answer(head: Term, goal: Term, binding: Binding) -> bool:
    """Return whether the head may become an instance of the goal. Bind what the goal knows."""
    if goal == "?":
        return True
    if isinstance(head, str):
        if head[0] != "?":
            return head == goal
        return _has_variables(goal) or binding.setdefault(head, goal) == goal
    if isinstance(goal, str) or len(head) != len(goal):
        return False
    return all(_may_answer(*parts, binding) for parts in zip(head, goal, strict=True))


def _match(term: Term, fact: Term, binding: Binding) -> bool:
    """Return whether a fact is an instance of a term, and bind the variables of the term."""
    if isinstance(term, str):
        return binding.setdefault(term, fact) == fact if term[0] == "?" else term == fact
    if isinstance(fact, str) or len(term) != len(fact):
        return False
    return all(_match(*parts, binding) for parts in zip(term, fact, strict=True))

"""Checks of a sheet: its required relations, and mistakes."""

import time

import pytest

from games.gdl.checks import read_sheet
from games.gdl.errors import SheetError
from games.gdl.reader import LONGEST_TEXT
from tests.builders.gdl_sheets import NATIVE, RACE, SHIPPED


@pytest.mark.parametrize("slug", [*SHIPPED, *NATIVE])
def test_the_sheets_here_are_sound(slug: str) -> None:
    sheet = read_sheet({**NATIVE, **SHIPPED}[slug].read_bytes())
    assert len(sheet.roles) == 2


def test_roles_are_in_the_order_of_the_text() -> None:
    assert read_sheet(RACE).roles == ("left", "right")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("(role third)", "the sheet has more than two roles"),
        ("(<= (role ?x) (other ?x ?y))", "a role must be a fact with a constant"),
        ("(<= (true (heap 1)) (role left))", "`true` cannot be the head of a rule"),
        ("(<= (does left noop) (role left))", "`does` cannot be the head of a rule"),
        ("(<= p (next (heap 1)))", "`next` cannot stand in the body of a rule"),
        ("(<= p (init (heap 1)))", "`init` cannot stand in the body of a rule"),
        ("(<= p (true (heap 1) 2))", "`true` takes 1 argument, and here it has 2"),
        ("(<= (goal left) (role left))", "`goal` takes 2 arguments, and here it has 1"),
        ("(less 1 2)", "`less` has 2 arguments here and 3 in line 5"),
        ("(<= (p ?x) (role ?y))", "?x in (p ?x) is not bound"),
        ("(<= p (not (true (heap ?x))))", "?x in (not (true (heap ?x))) is not bound"),
        ("(<= p (distinct ?x left))", "?x in (distinct ?x left) is not bound"),
        ("(p ?x)", "?x in (p ?x) is not bound"),
        ("(<= p (not p))", "`p` depends on its own negation, through `p`"),
        ("(<= p q) (<= q (not p))", "`q` depends on its own negation, through `p`"),
        (
            "(<= (score ?p 0) (role ?p) (less ?n 1 1) (not (score ?p ?n)))",
            "`score` depends on its own negation, through `score`",
        ),
        ("(<= p (does left noop)) (<= terminal p)", "`terminal` must not depend on `does`"),
        ("(<= (legal left x) (does right noop))", "`legal` must not depend on `does`"),
        ("(<= (goal left 7) (does right noop))", "`goal` must not depend on `does`"),
        ("(<= (init (heap 1)) (true (heap 2)))", "`init` must not depend on `true`"),
        ("(q a) (<= (q (s ?x)) (q ?x))", "(q (s ?x)) grows without end"),
        (f"({'n' * 65} 1) (<= p (role {'n' * 65}))", "a name has more than 64 characters"),
    ],
)
def test_a_broken_sheet_is_refused(more: str, words: str) -> None:
    with pytest.raises(SheetError) as refused:
        read_sheet(f"{RACE}\n{more}")
    assert refused.value.reason.startswith(words)
    assert refused.value.line is not None


@pytest.mark.parametrize("name", ["role", "init", "legal", "next", "goal", "terminal"])
def test_nothing_may_be_missing(name: str) -> None:
    text = RACE.replace(f"({name} ", "(renamed ").replace(f"{name} (true", "renamed (true")
    with pytest.raises(SheetError, match=f"the sheet has no rule for `{name}`"):
        read_sheet(text)


def test_one_role_is_not_enough() -> None:
    with pytest.raises(SheetError, match="the sheet has one role, and two are needed"):
        read_sheet(RACE.replace("(role right)", ""))


def test_an_empty_sheet_is_refused() -> None:
    with pytest.raises(SheetError, match="the sheet has no rules"):
        read_sheet("; nothing\n")


@pytest.mark.parametrize(
    "more",
    [
        "(<= (base (heap ?n)) (less ?h ?x ?n)) (<= (input ?p noop) (role ?p))",
        "(unused 1 2 3)",
        "(<= (input ?p noop) (role ?p)) (<= (base (did ?p ?a)) (input ?p ?a))",
        "(wide (f a) a) (<= (wide (f ?x) (f ?x)) (wide (f ?x) ?x))",
        "(<= p (undefined 1))",
        "(<= (closer ?x ?z) (less ?x 1 ?y) (closer ?y ?z)) (<= (closer ?x ?y) (less ?x 1 ?y))",
        "(<= (wrapped (f ?x)) (less ?x 1 ?y) (wrapped (f ?y)))",
        "(<= p (not (true (heap ?x))) (less ?x 1 ?y))",
        "(init (heap 5))",
        "(<= (score ?p 0) (role ?p) (not (score ?p 1))) (<= (score ?p 1) (true (control ?p)))",
    ],
)
def test_what_is_harmless_is_accepted(more: str) -> None:
    read_sheet(f"{RACE}\n{more}")


def test_checks_take_little_time() -> None:
    line = "(<= (p{0} ?x) (p{1} ?x) (not (q{0} ?x)) (less ?x 1 ?y))\n"
    more = "".join(line.format(number, number + 1) for number in range(900))
    text = (RACE + more)[:LONGEST_TEXT].rpartition("\n")[0]
    begun = time.process_time()
    read_sheet(text)
    assert time.process_time() - begun < 5

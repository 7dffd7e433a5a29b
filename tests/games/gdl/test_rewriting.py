"""Rules that are split have the same meaning, and fewer instances."""

import random

import pytest

from games.gdl import grounding
from games.gdl.checks import read_sheet
from games.gdl.grounding import build_network
from games.gdl.machine import Machine
from games.gdl.rewriting import GUARD, PART, narrow_rules, rewrite_rules
from games.gdl.terms import get_name, render_term
from tests.builders.gdl_sheets import NATIVE, RACE, SHIPPED

# A piece of five kinds walks on a square of twenty-five cells.
WALK = """
(role left) (role right) (init (control left))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (number ?a) (succ ?a ?b)) (<= (number ?b) (succ ?a ?b))
(kind left red) (kind left green) (kind right blue) (kind right white) (kind right black)
(other left right) (other right left)
(init (cell 1 1 red)) (init (cell 2 1 green)) (init (cell 5 5 blue)) (init (cell 2 5 white))
(init (cell 3 5 black)) (init (step 1))
(<= (legal ?p (move ?k ?x ?y ?x2 ?y2)) (true (control ?p)) (kind ?p ?k) (true (cell ?x ?y ?k))
    (number ?x2) (number ?y2) (not (taken ?x2 ?y2)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (taken ?x ?y) (true (cell ?x ?y ?k)))
(<= (differs ?x ?y ?x2 ?y2) (number ?x) (number ?y) (number ?x2) (number ?y2) (distinct ?x ?x2))
(<= (differs ?x ?y ?x2 ?y2) (number ?x) (number ?y) (number ?x2) (number ?y2) (distinct ?y ?y2))
(<= (next (cell ?x2 ?y2 ?k)) (does ?p (move ?k ?x ?y ?x2 ?y2)))
(<= (next (cell ?x ?y ?k)) (true (cell ?x ?y ?k)) (does ?p (move ?k2 ?x2 ?y2 ?x3 ?y3))
    (differs ?x ?y ?x2 ?y2) (distinct ?k ?k2))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 5)))
(<= (goal ?p 50) (role ?p))
"""
# Who marks the last of four things of one colour in a row loses. Sharing a colour is a relation of
# four things.
SHARING = """
(role left) (role right) (init (control left)) (other left right) (other right left)
(place 1) (place 2) (place 3) (place 4)
(thing a) (thing b) (thing c) (thing d) (thing e) (thing f) (thing g) (thing h)
(is a red) (is b red) (is c red) (is d red) (is e blue) (is f blue) (is g blue) (is h blue)
(is a big) (is c big) (is e big) (is g big) (is b small) (is d small) (is f small) (is h small)
(<= (legal ?p (put ?t ?n)) (true (control ?p)) (thing ?t) (place ?n) (not (used ?n))
    (not (put_down ?t)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (used ?n) (true (at ?n ?t)))
(<= (put_down ?t) (true (at ?n ?t)))
(<= (next (at ?n ?t)) (does ?p (put ?t ?n)))
(<= (next (at ?n ?t)) (true (at ?n ?t)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (share ?a ?b ?c ?d) (is ?a ?x) (is ?b ?x) (is ?c ?x) (is ?d ?x))
(<= row (true (at 1 ?a)) (true (at 2 ?b)) (true (at 3 ?c)) (true (at 4 ?d)) (share ?a ?b ?c ?d))
(<= full (used 1) (used 2) (used 3) (used 4))
(<= terminal full)
(<= (goal ?p 100) (role ?p) row)
(<= (goal ?p 0) (role ?p) (not row))
"""
# The same on sixteen cells.
SHORT_WALK = WALK.replace("(succ 4 5)", "").replace(" 5", " 4")
SHEETS = {"race": RACE, "walk": SHORT_WALK, "sharing": SHARING} | {
    slug: {**NATIVE, **SHIPPED}[slug].read_text()
    for slug in ("tic-tac-toe", "breakthrough", "connect-four", "hex-7", "nine-mens-morris")
}


@pytest.mark.parametrize("slug", SHEETS)
def test_the_network_of_split_rules_plays_the_same_game(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = read_sheet(SHEETS[slug])
    monkeypatch.setattr(grounding, "MANY_GROUND_RULES", 1_000_000)
    plain = Machine(build_network(sheet))
    monkeypatch.setattr(grounding, "MANY_GROUND_RULES", 0)
    split = Machine(build_network(sheet))
    assert plain.network.fluents == split.network.fluents
    assert plain.network.actions == split.network.actions
    chance = random.Random(1)
    state = plain.start
    for _ in range(60):
        view = plain.view(state)
        assert view == split.view(state)
        if view.is_over:
            break
        chosen = chance.choice(view.legal[0]), chance.choice(view.legal[1])
        following = plain.advance(state, chosen)
        assert split.advance(state, chosen) == following
        state = following


def test_splitting_leaves_fewer_instances() -> None:
    rules = read_sheet(WALK).rules
    before, after = (
        sum(map(len, grounding._run_clingo(each, 1_000_000).bodies.values()))
        for each in (rules, rewrite_rules(rules, ()))
    )
    assert before > 100_000
    assert after < 20_000


def test_a_part_is_shared_by_the_rules_that_need_it() -> None:
    text = RACE + "(<= one (p ?x ?y) (q ?y ?z) (r ?z ?w)) (<= two (p ?b ?a) (q ?a ?c) (s ?c))"
    found = [
        render_term(rule.head)
        for rule in rewrite_rules(read_sheet(text).rules, ())
        if get_name(rule.head).startswith(PART) and rule.body[0].atom.name == "p"  # type: ignore[union-attr]
    ]
    assert len(found) == 1


def test_a_part_that_binds_too_little_gets_a_guard() -> None:
    rules = rewrite_rules(
        read_sheet(RACE + "(<= (far ?x) (p ?x ?u) (q ?y ?z) (distinct ?x ?y))").rules, ()
    )
    guards = [rule for rule in rules if get_name(rule.head).startswith(GUARD)]
    assert [render_term(each.head) for each in guards] == [f"({get_name(guards[0].head)} ?v0)"]
    for rule in rules:
        bound = {
            name
            for each in rule.body
            if each.is_positive and get_name(each.atom) != "distinct"
            for name in render_term(each.atom).replace(")", "").split()
        }
        assert {
            word for word in render_term(rule.head).replace(")", "").split() if "?" in word
        } <= bound


def test_a_short_rule_stays_as_it_is() -> None:
    rules = read_sheet(RACE + "(<= (both ?x ?y) (p ?x ?z) (q ?z ?y))").rules
    assert rules[-1] in rewrite_rules(rules, ())


def test_a_relation_is_computed_for_the_constants_that_it_is_used_with() -> None:
    text = (
        RACE
        + """
    (cell 1) (cell 2) (cell 3) (cell 4)
    (<= (three ?x ?y ?z ?p) (cell ?x) (cell ?y) (cell ?z) (role ?p))
    (<= (goal ?p 50) (three 1 2 3 ?p) (true (heap 9)))
    (<= (goal ?p 50) (three 2 3 4 ?p) (true (heap 9)))
    """
    )
    ground = grounding._run_clingo(narrow_rules(read_sheet(text).rules, ("goal",)), 1_000)
    assert len(ground.atoms["three"]) == 16  # two values for each of three cells, and two roles


def test_a_relation_is_replaced_by_the_body_of_its_only_rule() -> None:
    rules = read_sheet(SHARING).rules
    before = grounding._run_clingo(rules, 100_000)
    rewritten = grounding._select_rules(rewrite_rules(rules, grounding._OUTPUTS))
    after = grounding._run_clingo(rewritten, 100_000)
    assert len(before.atoms["share"]) > 900
    assert not after.atoms["share"]
    assert sum(map(len, after.bodies.values())) < 600

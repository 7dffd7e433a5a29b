"""From the text of a sheet to rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.gdl.errors import SheetError
from games.gdl.reader import DEEPEST, LONGEST_TEXT, decode_text, read_forms, read_rules
from games.gdl.terms import Compound, Term, Variable, name_action, render_term

NAMES = st.text("abcxyz019+-_.*/", min_size=1, max_size=6)
TERMS: st.SearchStrategy[Term] = st.recursive(
    NAMES | NAMES.map(Variable),
    lambda inner: st.builds(
        lambda name, args: Compound(name, tuple(args)),
        NAMES,
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=12,
)


@given(st.lists(TERMS, min_size=1, max_size=4))
def test_what_is_written_is_read_again(terms: list[Term]) -> None:
    head = Compound("fact", tuple(terms))
    (rule,) = read_rules(f"; a comment (\n{render_term(head)}")
    assert rule.head == head
    assert rule.line == 2


def test_an_action_has_no_outer_parentheses() -> None:
    assert name_action(Compound("move", (Compound("cell", ("1", "2")), "3"))) == "move (cell 1 2) 3"
    assert name_action("noop") == "noop"


def test_capitals_and_line_ends_do_not_matter() -> None:
    one = read_rules("(ROLE White)\r\n(<= (Legal ?X noop)\r(role ?x))")
    assert [render_term(rule.head) for rule in one] == ["(role white)", "(legal ?x noop)"]
    assert [rule.line for rule in one] == [1, 2]


def test_a_relation_in_parentheses_is_the_relation() -> None:
    (rule,) = read_rules("(<= (terminal) (not (open)))")
    assert rule.head == "terminal"
    assert rule.body[0].atom == "open"


def test_repeated_rules_count_once() -> None:
    assert len(read_rules("(succ 1 2) (succ 1 2) (succ 2 3)")) == 2


def test_alternatives_become_rules() -> None:
    rules = read_rules("(<= (p ?x) (q ?x) (or (r ?x) (and (s ?x) (t ?x))))")
    bodies = [[render_term(each.atom) for each in rule.body] for rule in rules]
    assert bodies == [["(q ?x)", "(r ?x)"], ["(q ?x)", "(s ?x)", "(t ?x)"]]


def test_negated_alternatives_are_all_negated() -> None:
    (rule,) = read_rules("(<= p (not (or a (not b) (and (not c)))))")
    assert [(each.atom, each.is_positive) for each in rule.body] == [
        ("a", False),
        ("b", True),
        ("c", True),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(role white", "line 1: this parenthesis is never closed"),
        ("(role white))", "line 1: this parenthesis closes nothing"),
        ("\n\n()", "line 3: () is empty"),
        ("((role) white)", "line 1: a list must begin with the name of a relation or function"),
        ("(<=)", "line 1: a rule needs a head"),
        ("(<= (p ?x) (not (q ?x) (r ?x)))", "line 1: `not` takes one argument"),
        ("(<= ?x (q ?x))", "line 1: ?x stands where a relation is expected"),
        ("(<= (not p) q)", "line 1: `not` cannot stand here"),
        ("(p ?)", "line 1: a variable needs a name"),
        ("(role wei\N{LATIN SMALL LETTER SHARP S})", "line 1: 'wei\\xdf' is not a symbol of GDL"),
        ("(role\N{NO-BREAK SPACE}white)", "line 1: 'role\\xa0white' is not a symbol of GDL"),
        ('(role "white")', "line 1: '\"white\"' is not a symbol of GDL"),
    ],
)
def test_a_mistake_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(SheetError) as refused:
        read_rules(text)
    assert str(refused.value).startswith(words)


def test_comments_may_have_any_characters() -> None:
    assert read_rules("; caf\N{LATIN SMALL LETTER E WITH ACUTE} (\n(role white) ; \N{BLACK STAR}")


def test_nesting_is_bounded() -> None:
    read_forms("(" * DEEPEST + "a" + ")" * DEEPEST)
    with pytest.raises(SheetError, match="more than 100 parentheses are open"):
        read_forms("(p " * 10_000)


def test_alternatives_are_bounded() -> None:
    parts = " ".join(f"(or (a{i}) (b{i}))" for i in range(12))
    with pytest.raises(SheetError, match="too many combinations"):
        read_rules(f"(<= p {parts})")
    with pytest.raises(SheetError, match="too many combinations"):
        read_rules(f"(<= p (not (or {parts.replace('or', 'and')})))")


def test_alternatives_of_a_long_rule_are_bounded() -> None:
    parts = " ".join(f"(or (a{i}) (b{i}))" for i in range(9))
    with pytest.raises(SheetError, match="too many combinations"):
        read_rules(f"(<= p {parts} {'q ' * 20_000})")


def test_a_byte_order_mark_is_ignored() -> None:
    assert decode_text(b"\xef\xbb\xbf(role white)") == "(role white)"
    assert decode_text("\N{BYTE ORDER MARK}(role white)") == "(role white)"


def test_a_long_term_is_cut_off_in_a_message() -> None:
    with pytest.raises(SheetError) as refused:
        read_rules(f"(<= ?{'x' * 60_000} (q ?x))")
    assert len(str(refused.value)) < 200


def test_a_long_text_is_refused() -> None:
    decode_text(" " * LONGEST_TEXT)
    with pytest.raises(SheetError, match="65,537 bytes, and 65,536 are allowed"):
        decode_text(" " * (LONGEST_TEXT + 1))
    with pytest.raises(SheetError, match="are allowed"):
        decode_text(";" + "\N{BLACK STAR}" * (LONGEST_TEXT // 2))


def test_many_rules_are_refused() -> None:
    with pytest.raises(SheetError, match="more than 5,000 rules"):
        read_rules(" ".join(f"(p {i})" for i in range(5001)))

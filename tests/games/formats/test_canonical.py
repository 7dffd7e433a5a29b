"""Canonical JSON: RFC 8785's own examples, as far as they have no fractions."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.formats.verify import canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def test_strings_are_written_as_the_rfc_writes_them() -> None:
    given_text = '{"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"}'
    assert canonical(json.loads(given_text)) == (
        '{"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'.encode()
    )


def test_keys_are_sorted_by_utf_16() -> None:
    keys = {
        "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\U0001f600": "Emoji: Grinning Face", "\x80": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }  # fmt: skip
    told = list(json.loads(canonical(keys)).values())
    assert told == [
        "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
        "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
    ]  # fmt: skip


@given(value=VALUES)
def test_it_is_json_and_always_the_same(value: object) -> None:
    text = canonical(value)  # type: ignore[arg-type]
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text


@pytest.mark.parametrize("value", [1.0, 2**53, -(2**53), "\ud800", b"x", {1: 2}, [float("nan")]])
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises((ValueError, AttributeError)):
        canonical(value)  # type: ignore[arg-type]

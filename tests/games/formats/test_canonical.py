"""Canonical JSON: RFC 8785's own examples, as far as they have no fractions."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.formats import verify
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


@given(value=VALUES)
def test_the_library_s_encoder_writes_the_same_text(value: Any) -> None:
    assert canonical(value) == verify._text(value).encode()
    assert canonical({"a": [value]}) == verify._text({"a": [value]}).encode()


def test_records_are_written_by_the_library_s_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "_text", None)
    record: Any = {"b": [{"at": 2**53 - 1, "e": [None, True]}], "a": '\x7f\u2028\U0001f600"\\\x1f'}
    text = (
        '{"a":"\x7f\u2028\U0001f600\\"\\\\\\u001f","b":[{"at":9007199254740991,"e":[null,true]}]}'
    )
    assert canonical(record).decode() == text
    record["b"][0]["\u00e9"] = 1  # keys beyond ASCII may need another order
    with pytest.raises(TypeError):
        canonical(record)


@pytest.mark.parametrize(
    "value",
    [1.0, 2**53, -(2**53), "\ud800", b"x", {1: 2}, [float("nan")], {None: 1}, {"a": {1: 2}}],
)
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises((ValueError, AttributeError)):
        canonical(value)  # type: ignore[arg-type]

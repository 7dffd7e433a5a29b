"""Allowed names, and names that look too much alike."""
# ruff: noqa: RUF001  # letters that pass for others are what this is about

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.messages import render
from games.messages.names import (
    LONGEST,
    LONGEST_KEY,
    check_name,
    compute_coarse_key,
    compute_name_key,
)
from games.messages.refusal import Refused


def refused(name: str, **how: bool) -> str:
    try:
        check_name(name, **how)
    except Refused as error:
        assert render(error.words) != error.words["code"]
        return error.code.removeprefix("name-")
    return ""


@pytest.mark.parametrize(
    "name",
    [
        "alice",
        "Brave Otter Pilot",
        "Jean-Luc O'Neil",
        "O\N{RIGHT SINGLE QUOTATION MARK}Neil",
        "Zoë",
        "Łukasz",
        "Иван Грозный",
        "Νίκος",
        "武蔵 Musashi",
        "ハルカ さん",
        "안녕히",
        "नमस्ते",
        "ที่รัก",
        "علي",
        "שרה",
        "P01",
    ],
)
def test_names_of_many_languages_are_names(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x", "too-short"),
        ("", "too-short"),
        ("   ", "too-short"),
        ("y" * 29, "too-long"),
        ("a\x00b", "invisible"),
        ("a\nb", "invisible"),
        ("Brave\N{ZERO WIDTH SPACE}Otter", "invisible"),
        ("Brave\N{SOFT HYPHEN}Otter", "invisible"),
        ("Brave\N{RIGHT-TO-LEFT OVERRIDE}rettO", "invisible"),
        ("Brave\N{HANGUL FILLER}Otter", "invisible"),
        ("Brave\ue000Otter", "invisible"),
        ("Brave\ud800Otter", "invisible"),
        ("Otter \N{PILE OF POO}", "character"),
        ("<b>Otter</b>", "character"),
        ("Otter (you)", "character"),
        ("\N{CHEROKEE LETTER GO}tter", "character"),
        ("\N{LATIN SMALL LETTER ALPHA}lice", "character"),
        ("4711", "no-letter"),
        ("Otte\N{CYRILLIC SMALL LETTER GHE}", "mixed"),
        ("Al\N{GREEK SMALL LETTER IOTA}ce", "mixed"),
        ("ท" + "\N{THAI CHARACTER MAI EK}" * 4, "marks"),
        ("Z" + "\N{COMBINING DIAERESIS}" * 5 + "lgo", "marks"),
        ("Computer", "reserved"),
        ("Computer (master)", "reserved"),
        ("The c0mputer", "reserved"),
        ("C o m p u t e r", "reserved"),
        ("Cornputer", "reserved"),
        ("Ⅽ𝕠𝕞puter", "reserved"),
        ("Cómputer", "reserved"),
        ("\N{CYRILLIC CAPITAL LETTER ES}omputer", "reserved"),
        ("\N{CYRILLIC CAPITAL LETTER ES}ом\N{CYRILLIC SMALL LETTER ER}утег", "reserved"),
        ("Компьютер", "reserved"),
        ("Com\N{ZERO WIDTH SPACE}puter", "invisible"),
        ("admin", "reserved"),
        ("The Staff", "reserved"),
        ("Moderat0r Max", "reserved"),
        ("4dmin", "reserved"),
        ("The 5t4ff", "reserved"),
        ("5upport", "reserved"),
        ("C0mpu7er", "reserved"),
        ("P4rlour", "reserved"),
    ],
)
def test_what_is_no_name_is_refused_with_a_code(name: str, code: str) -> None:
    assert refused(name) == code


@pytest.mark.parametrize(
    "name", ["Anna5", "Annas", "Max 455", "Pupil 12", "Pupil 15", "P2", "M8 2b"]
)
def test_honest_names_have_digits(name: str) -> None:
    assert refused(name) in {"", "too-short"}


def test_staff_may_be_called_staff_and_nobody_the_computer() -> None:
    assert refused("admin", of_staff=True) == ""
    assert refused("Computer", of_staff=True) == "reserved"


def test_a_name_is_stored_composed_and_with_single_spaces() -> None:
    assert check_name("  Brave \N{NO-BREAK SPACE} Otter ") == "Brave Otter"
    assert check_name("Zoe\N{COMBINING DIAERESIS}") == "Zoë"
    assert check_name("ﬁne") == "fine"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "ALICE"),
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("Bob", "B0b"),
        ("Brave Otter", "BraveOtter"),
        ("Brave Otter", "Brave-Otter"),
        ("Zoë", "Zoe"),
        ("Modern", "Modem"),
        ("ANNA", "\N{GREEK CAPITAL LETTER ALPHA}ΝΝΑ"),
        ("cap", "\N{CYRILLIC SMALL LETTER ES}а\N{CYRILLIC SMALL LETTER ER}"),
        ("Иван", "ИВАН"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert compute_name_key(one) == compute_name_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "Alina"), ("か", "が"), ("나나", "너너"), ("Иван", "Игорь"), ("P1", "P2")],
)
def test_other_names_have_other_keys(one: str, other: str) -> None:
    assert compute_name_key(one) != compute_name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Voss", "Vo5s"), ("Voss", "V055"), ("Zoe", "2oe"), ("Tess", "T3ss"), ("Tess", "7e5s"),
     ("Anna", "4nn4"), ("Bob", "8o8"), ("Anna5", "Annas")],
)  # fmt: skip
def test_names_that_look_alike_with_digits_share_the_coarse_key_alone(one: str, other: str) -> None:
    assert compute_coarse_key(compute_name_key(one)) == compute_coarse_key(compute_name_key(other))
    assert compute_name_key(one) != compute_name_key(other)


@given(st.integers(0, 9999), st.integers(0, 9999))
def test_numbers_never_look_like_other_numbers(one: int, other: int) -> None:
    keys = [compute_coarse_key(compute_name_key(f"Pupil {number}")) for number in (one, other)]
    assert (keys[0] == keys[1]) == (one == other)


@given(st.text(max_size=60))
def test_any_text_has_a_key_and_is_a_name_or_refused(text: str) -> None:
    assert len(compute_name_key(text)) <= LONGEST_KEY
    try:
        name = check_name(text)
    except Refused:
        return
    assert 2 <= len(name) <= LONGEST
    assert check_name(name) == name  # what was checked is checked
    assert compute_name_key(name) == compute_name_key(text) != ""

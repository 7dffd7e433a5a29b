"""Seats for which a player may act, by the links that the sources return."""

from collections.abc import Collection, Iterator

import pytest

from games.store import seats as held
from tests.builders.match_states import ALICE, BOB, CHARLIE, create_state


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[int, int]]]:
    """Links that replace those of the site's sources."""
    known: list[dict[int, int]] = []

    def source(which: int) -> held.Source:
        def found(asked: Collection[int]) -> dict[int, int]:
            links = known[which] if which < len(known) else {}
            return {pk: links[pk] for pk in asked if pk in links}

        return found

    monkeypatch.setattr(held, "sources", [source(0), source(1)])
    yield known


def test_without_links_everybody_acts_for_themselves(links: list[dict[int, int]]) -> None:
    assert held.get_holders([ALICE, BOB]) == {}
    state = create_state()
    found = [held.get_held_seats(state, who) for who in (ALICE, BOB, CHARLIE, None)]
    assert found == [(0,), (1,), (), ()]


def test_who_holds_another_acts_for_their_seat(links: list[dict[int, int]]) -> None:
    links.append({BOB: ALICE})
    state = create_state()
    assert held.get_held_seats(state, ALICE) == (0, 1)
    assert held.get_held_seats(state, BOB) == (1,)
    assert held.get_held_seats(state, CHARLIE) == ()


def test_links_of_several_kinds_are_followed(links: list[dict[int, int]]) -> None:
    """A player beside a guest that is part of an account."""
    links += [{BOB: ALICE}, {ALICE: CHARLIE}]
    assert held.get_holders([BOB]) == {BOB: frozenset({ALICE, CHARLIE})}
    assert held.get_held_seats(create_state(), CHARLIE) == (0, 1)


def test_a_cycle_of_links_terminates(links: list[dict[int, int]]) -> None:
    links.append({ALICE: BOB, BOB: ALICE})
    assert held.get_holders([ALICE, BOB])[ALICE] >= {BOB}


def test_pairs_of_one_person_are_found(links: list[dict[int, int]]) -> None:
    links.append({BOB: ALICE})
    pairs = [(ALICE, BOB), (ALICE, CHARLIE), (CHARLIE, BOB)]
    assert held.find_pairs_of_one_person(pairs) == {(ALICE, BOB)}
    links[0][CHARLIE] = ALICE
    assert held.find_pairs_of_one_person(pairs) == set(pairs)

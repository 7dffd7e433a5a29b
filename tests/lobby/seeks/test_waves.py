"""The pairing of one wave."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.seeks.pool import (
    BLOCK,
    WAVE_SECONDS,
    Apart,
    Pair,
    Seeker,
    compute_worth,
    find_best_pairs,
    pair_seekers,
)
from tests.builders.seeks import create_seekers, get_mean_distance, get_total_worth

TOGETHER = 300  # points between two players in their first wave


def seeker(player_id: int, rating: float = 1500, **more: object) -> Seeker:
    return Seeker(f"seek{player_id}", player_id, rating, **more)  # type: ignore[arg-type]


def who(found: Sequence[Pair]) -> set[frozenset[int]]:
    return {frozenset((one.player_id, other.player_id)) for one, other in found}


def together(*people: int) -> frozenset[int]:
    return frozenset(people)


def test_the_nearest_play_each_other() -> None:
    wave = [seeker(1, 1500), seeker(2, 1700), seeker(3, 1510), seeker(4, 1690)]
    assert who(pair_seekers(wave)) == {together(1, 3), together(2, 4)}


def test_nobody_is_left_over_for_the_sake_of_nearer_ratings() -> None:
    wave = [seeker(1, 1300), seeker(2, 1450), seeker(3, 1460), seeker(4, 1610)]
    assert len(pair_seekers(wave)) == 2


def test_of_three_who_has_waited_longest_plays() -> None:
    wave = [seeker(1, 1500, waited=1), seeker(2, 1510), seeker(3, 1560, waited=4)]
    assert together(1, 2) not in who(pair_seekers(wave))


def test_far_apart_they_wait_two_waves_and_then_anybody_will_do() -> None:
    for waited, expected in ((0, 0), (WAVE_SECONDS + 0.5, 0), (2 * WAVE_SECONDS + 0.5, 1)):
        assert len(pair_seekers([seeker(1, 900, waited=waited), seeker(2, 2600)])) == expected
    assert (
        len(pair_seekers([seeker(1, 1500, waited=4), seeker(2, 2000)])) == 1
    )  # in the second wave


@pytest.mark.parametrize("crowded", [False, True], ids=["few", "many"])
def test_blocks_and_rating_ranges_prevent_a_pair(crowded: bool) -> None:
    others = [seeker(pk, 2800 + pk) for pk in range(100, 101 + BLOCK)] if crowded else []
    patient = {"waited": 60.0}
    apart = {together(1, 2)}
    assert (
        not who(pair_seekers([seeker(1, **patient), seeker(2, **patient), *others], apart)) & apart
    )
    wants = seeker(1, lowest=1600, **patient)
    assert together(1, 2) not in who(pair_seekers([wants, seeker(2, 1599), *others]))
    assert together(1, 2) in who(pair_seekers([wants, seeker(2, 1600), *others]))
    wants = seeker(1, 1700, highest=1600, **patient)  # the range of the player with more rating
    assert together(1, 2) not in who(pair_seekers([wants, seeker(2, 1601), *others]))
    assert together(1, 2) in who(pair_seekers([wants, seeker(2, 1600), *others]))


def test_the_same_two_do_not_meet_three_times_in_a_row_when_somebody_else_waits() -> None:
    again = [seeker(1, last=(2, 2)), seeker(2, last=(1, 1))]
    assert who(pair_seekers(again)) == {together(1, 2)}  # nobody else is waiting
    assert who(pair_seekers([*again, seeker(3, 1700)])) != {together(1, 2)}
    assert (
        who(pair_seekers([*again, seeker(3, 2900)])) == set()
    )  # too far apart for now, but not forever
    assert who(pair_seekers([*again, seeker(3, lowest=3000)])) == {together(1, 2)}  # no opponent
    once = [seeker(1, last=(2, 3)), seeker(2, last=(1, 4)), seeker(3, 1700)]
    assert who(pair_seekers(once)) == {together(1, 2)}


def test_a_player_does_not_play_themselves() -> None:
    assert pair_seekers([seeker(1), Seeker("other", 1, 1500)]) == []
    assert pair_seekers([]) == pair_seekers([seeker(1)]) == []


people = st.builds(
    Seeker,
    seek_id=st.uuids().map(str),
    player_id=st.integers(1, 80),
    rating=st.floats(400, 3000),
    waited=st.floats(0, 40),
    lowest=st.sampled_from((0, 0, 0, 1200, 1500)),
    highest=st.sampled_from((4000, 4000, 4000, 1600, 2000)),
    last=st.lists(st.integers(1, 80), max_size=2).map(tuple),
)
blocked = st.sets(st.frozensets(st.integers(1, 80), min_size=2, max_size=2), max_size=60)


@given(st.lists(people, max_size=80, unique_by=lambda each: each.player_id), blocked)
@settings(max_examples=60)
def test_nobody_is_paired_twice_or_against_the_rules(wave: list[Seeker], apart: Apart) -> None:
    found = pair_seekers(wave, apart)
    seated = [each.player_id for pair in found for each in pair]
    assert len(seated) == len(set(seated))
    assert set(seated) <= {each.player_id for each in wave}
    for one, other in found:
        assert one.lowest <= other.rating <= one.highest
        assert other.lowest <= one.rating <= other.highest
        assert together(one.player_id, other.player_id) not in apart
        waves = max(one.waves, other.waves)
        assert waves >= 2 or abs(one.rating - other.rating) <= TOGETHER * (1 + waves)
        assert compute_worth(one, other) == compute_worth(other, one) > 0


@given(st.lists(people, max_size=70, unique_by=lambda each: each.player_id), st.randoms())
@settings(max_examples=30)
def test_the_order_in_which_they_are_read_does_not_matter(
    wave: list[Seeker], random: object
) -> None:
    mixed = list(wave)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert get_total_worth(pair_seekers(mixed)) == pytest.approx(
        get_total_worth(pair_seekers(wave)), rel=1e-6
    )


@pytest.mark.parametrize("seed", range(0, 12, 2))
def test_many_are_paired_nearly_as_well_as_possible(seed: int) -> None:
    wave, apart = create_seekers(BLOCK + 1 + 10 * seed, seed)
    found, best = pair_seekers(wave, apart), find_best_pairs(wave, apart)
    assert get_total_worth(found) >= 0.995 * get_total_worth(best)
    assert get_mean_distance(found) <= get_mean_distance(best) + 5


def test_a_thousand_are_nearly_all_paired_at_once_and_nobody_twice() -> None:
    wave, apart = create_seekers(1000, 1)
    found = pair_seekers(wave, apart)
    assert len(found) >= 490
    assert len({seeker.seek_id for pair in found for seeker in pair}) == 2 * len(found)


def test_a_wave_in_which_nobody_can_be_paired_ends() -> None:
    assert pair_seekers([seeker(number, lowest=3000) for number in range(3 * BLOCK)]) == []

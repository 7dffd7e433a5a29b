"""Queues that are fair between those who ask."""

from hypothesis import given
from hypothesis import strategies as st

from games.runtime.budget import Buckets
from games.runtime.turntaking import Asker, Line, Rota

HOME, SCHOOL = "203.0.113.1", "203.0.113.2"
ASKERS = [Asker(HOME, 1), Asker(SCHOOL, 2), Asker(SCHOOL, 3), Asker()]


def lined(*askers: Asker) -> Line[tuple[Asker, int]]:
    line: Line[tuple[Asker, int]] = Line()
    for number, asker in enumerate(askers):
        line.put(asker, (asker, number))
    return line


def test_few_are_taken_as_they_came() -> None:
    line = lined(*ASKERS, *ASKERS)
    assert [number for _, number in line.take(20, 10)] == list(range(8))
    assert len(line) == 0


def test_who_asks_once_is_in_the_next_batch_however_much_another_asks() -> None:
    line = lined(*[Asker(SCHOOL, 2)] * 1000, Asker(HOME, 1))
    taken = line.take(500, 50)
    assert (Asker(HOME, 1), 1000) in taken
    assert len(taken) == 51
    assert len(line) == 950


def test_so_does_a_player_among_others_of_the_household() -> None:
    line = lined(*[Asker(SCHOOL, 2)] * 1000, Asker(SCHOOL, 3))
    assert (Asker(SCHOOL, 3), 1000) in line.take(500, 2)


def test_many_names_of_one_household_have_one_turn_of_it() -> None:
    line = lined(*[Asker(SCHOOL, n) for n in range(300)], Asker(HOME, 1), Asker(HOME, 1))
    assert [asker.household for asker, _ in line.take(4, 50)] == [SCHOOL, HOME] * 2


def test_turns_go_on_where_they_were() -> None:
    line = lined(*[Asker(SCHOOL, 2)] * 3, *[Asker(HOME, 1)] * 3)
    order = [line.take(1, 1)[0][0].household for _ in range(6)]
    assert order == [SCHOOL, HOME] * 3


@given(st.lists(st.sampled_from(ASKERS), max_size=60), st.integers(1, 20), st.integers(1, 20))
def test_all_are_taken_once_and_each_asker_in_order(
    askers: list[Asker], most: int, each: int
) -> None:
    line, taken = lined(*askers), []
    while len(line):
        some = line.take(most, each)
        assert 0 < len(some) <= most
        taken += some
    assert sorted(number for _, number in taken) == list(range(len(askers)))
    for asker in ASKERS:
        own = [number for who, number in taken if who == asker]
        assert own == sorted(own)


def test_whoever_was_served_longest_ago_is_next() -> None:
    rota = Rota()
    flood = [(Asker(SCHOOL, n % 11), f"school {n}") for n in range(110)]
    assert rota.choose(flood, 2) == ["school 0", "school 1"]
    assert rota.choose([*flood, (Asker(HOME, 1), "home")], 2) == ["home", "school 2"]
    # Both were served. The household that was served first is first again.
    assert rota.choose([*flood, (Asker(HOME, 1), "home")], 1) == ["home"]


def test_it_forgets_who_was_served_longest_ago() -> None:
    rota = Rota(kept=4)
    for n in range(100):
        rota.choose([(Asker(str(n), n), n)], 1)
    assert rota.choose([(Asker("99", 99), "just now"), (Asker("0", 0), "forgotten")], 1) == [
        "forgotten"
    ]


def test_a_bucket_holds_a_burst_and_fills_evenly() -> None:
    buckets = Buckets(per_second=2, burst=3)
    for _ in range(3):
        assert buckets.level("a", 100.0) >= 1
        buckets.take("a", 1, 100.0)
    assert buckets.level("a", 100.0) == 0
    assert buckets.level("a", 100.5) == 1
    assert buckets.level("b", 100.0) == 3
    assert buckets.level("a", 200.0) == 3


def test_who_waits_is_let_go_one_after_the_other() -> None:
    buckets = Buckets(per_second=10, burst=1)
    assert [round(buckets.wait("a", 5.0), 3) for _ in range(4)] == [0, 0.1, 0.2, 0.3]


def test_a_bucket_that_is_full_again_is_forgotten() -> None:
    buckets = Buckets(per_second=10, burst=1)
    for n in range(1000):
        buckets.take(n, 1, 100.0)
    buckets.take("last", 1, 1000.0)
    assert len(buckets) == 1

"""Queues and token buckets that are fair between requesters."""

from hypothesis import given
from hypothesis import strategies as st

from games.runtime.budget import TokenBucket, TokenBuckets
from games.runtime.fair_queue import FairQueue, Requester, RoundRobin

HOME, SCHOOL = "203.0.113.1", "203.0.113.2"
REQUESTERS = [Requester(HOME, 1), Requester(SCHOOL, 2), Requester(SCHOOL, 3), Requester()]


def queued(*requesters: Requester) -> FairQueue[tuple[Requester, int]]:
    queue: FairQueue[tuple[Requester, int]] = FairQueue()
    for number, requester in enumerate(requesters):
        queue.put(requester, (requester, number))
    return queue


def test_few_items_are_taken_in_order_of_arrival() -> None:
    queue = queued(*REQUESTERS, *REQUESTERS)
    assert [number for _, number in queue.take(20, 10)] == list(range(8))
    assert len(queue) == 0


def test_who_asks_once_is_in_the_next_batch_however_much_another_asks() -> None:
    queue = queued(*[Requester(SCHOOL, 2)] * 1000, Requester(HOME, 1))
    taken = queue.take(500, 50)
    assert (Requester(HOME, 1), 1000) in taken
    assert len(taken) == 51
    assert len(queue) == 950


def test_players_of_one_network_are_served_round_robin() -> None:
    queue = queued(*[Requester(SCHOOL, 2)] * 1000, Requester(SCHOOL, 3))
    assert (Requester(SCHOOL, 3), 1000) in queue.take(500, 2)


def test_many_names_of_one_client_network_have_one_turn_of_it() -> None:
    queue = queued(
        *[Requester(SCHOOL, n) for n in range(300)], Requester(HOME, 1), Requester(HOME, 1)
    )
    assert [requester.client_network for requester, _ in queue.take(4, 50)] == [SCHOOL, HOME] * 2


def test_the_round_robin_continues_between_batches() -> None:
    queue = queued(*[Requester(SCHOOL, 2)] * 3, *[Requester(HOME, 1)] * 3)
    order = [queue.take(1, 1)[0][0].client_network for _ in range(6)]
    assert order == [SCHOOL, HOME] * 3


@given(st.lists(st.sampled_from(REQUESTERS), max_size=60), st.integers(1, 20), st.integers(1, 20))
def test_all_are_taken_once_and_each_asker_in_order(
    requesters: list[Requester], most: int, each: int
) -> None:
    queue, taken = queued(*requesters), []
    while len(queue):
        some = queue.take(most, each)
        assert 0 < len(some) <= most
        taken += some
    assert sorted(number for _, number in taken) == list(range(len(requesters)))
    for requester in REQUESTERS:
        own = [number for who, number in taken if who == requester]
        assert own == sorted(own)


def test_the_requester_served_longest_ago_is_next() -> None:
    round_robin = RoundRobin()
    flood = [(Requester(SCHOOL, n % 11), f"school {n}") for n in range(110)]
    assert round_robin.choose(flood, 2) == ["school 0", "school 1"]
    assert round_robin.choose([*flood, (Requester(HOME, 1), "home")], 2) == ["home", "school 2"]
    # Both were served. The network that was served first is first again.
    assert round_robin.choose([*flood, (Requester(HOME, 1), "home")], 1) == ["home"]


def test_it_forgets_who_was_served_longest_ago() -> None:
    round_robin = RoundRobin(kept=4)
    for n in range(100):
        round_robin.choose([(Requester(str(n), n), n)], 1)
    assert round_robin.choose(
        [(Requester("99", 99), "just now"), (Requester("0", 0), "forgotten")], 1
    ) == ["forgotten"]


def test_a_bucket_holds_a_burst_and_fills_evenly() -> None:
    bucket = TokenBucket(per_second=2, burst=3)
    assert [bucket.try_take(1, 100.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.level(100.0) == 0
    assert bucket.level(100.5) == 1
    assert bucket.level(200.0) == 3


def test_what_is_given_back_does_not_exceed_the_burst() -> None:
    bucket = TokenBucket(per_second=1, burst=10)
    bucket.take(5, 100.0)
    bucket.take(-4, 100.0)
    assert bucket.level(100.0) == 9
    bucket.take(-4, 100.0)
    assert bucket.level(100.0) == 10


def test_callers_who_reserve_wait_one_after_the_other() -> None:
    bucket = TokenBucket(per_second=10, burst=1)
    assert [round(bucket.reserve(5.0), 3) for _ in range(4)] == [0, 0.1, 0.2, 0.3]


def test_each_key_has_a_bucket_and_a_full_one_is_dropped() -> None:
    buckets = TokenBuckets(per_second=10, burst=1)
    for key in range(1000):
        assert buckets.get(key, 100.0).try_take(1, 100.0)
        assert not buckets.get(key, 100.0).try_take(1, 100.0)
    buckets.get("last", 1000.0).take(1, 1000.0)
    assert len(buckets) == 1


def test_an_item_can_be_removed_and_networks_can_be_passed_over() -> None:
    queue: FairQueue[int] = FairQueue()
    for number, network in enumerate((SCHOOL, SCHOOL, HOME)):
        queue.put(Requester(network), number)
    assert (queue.count(SCHOOL), queue.count(HOME), queue.count("")) == (2, 1, 0)
    queue.remove(Requester(SCHOOL), 0)
    assert queue.take_one(lambda network: network != SCHOOL) == (HOME, 2)
    assert queue.take_one(lambda network: network != SCHOOL) is None
    assert queue.take_one(lambda network: True) == (SCHOOL, 1)
    assert len(queue) == 0

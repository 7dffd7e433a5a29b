"""The digest of a match never changes, and another match has another digest."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, get_args, get_type_hints

import pytest
from django.test import override_settings
from msgspec.structs import replace

from games.match.state import MatchState, NewMove
from games.rules import GAMES
from games.store.digests import (
    compute_digest,
    compute_former_digest,
    find_digest_faults,
    hash_move,
    hash_start,
    update_digests,
)

AT = datetime(2025, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
TICK = timedelta(microseconds=1)
MOVE = NewMove("m", 0, "xplayer", "mark 1 1", AT, 1500)


@pytest.fixture(autouse=True)
def key() -> Iterator[None]:
    with override_settings(SECRET_KEY="k" * 50, SECRET_KEY_FALLBACKS=[]):
        yield


@pytest.fixture
def made() -> MatchState:
    """A match that has just begun, with its first link."""
    none = dict.fromkeys(MatchState.__struct_fields__)
    parts: dict[str, Any] = {
        **none, "id": "m", "game": "tic-tac-toe", "first_id": 7, "second_id": 8, "status": "live",
        "ended": "", "ply": 0, "version": 0, "notation": GAMES["tic-tac-toe"].start.notation,
        "last": "", "acted": 0, "clock": "", "created_at": AT, "acted_at": AT, "chain": "",
        "digest": "", "options": "", "rated": False,
    }  # fmt: skip
    state = MatchState(**parts)
    return replace(state, chain=hash_start(state))


@pytest.fixture
def over(made: MatchState) -> MatchState:
    """The same match, resigned after a move."""
    played = update_digests(replace(made, ply=1), MOVE)
    end = {"status": "over", "ended": "resignation", "first_goal": 0, "second_goal": 100}
    return update_digests(replace(played, ended_at=AT + TICK, **end), None)


def test_digests_of_older_matches_stay_valid(made: MatchState, over: MatchState) -> None:
    """These digests were computed once and written down. If the code gave others, every stored
    match would look damaged."""
    assert made.chain == "41737c6df25e610937d04fd56c781c9e"
    assert over.chain == "23b7336ca87b526c50179a3c3be8cd48"
    assert compute_former_digest(over) == "9f69c0e24db6e334388cd33470171852"
    assert over.digest == "55e5536e9fa0489c5f2da9d57e519aaf"
    assert hash_start(replace(made, options="misere")) == "1603c0694fccc9d7171cd9943addcf89"
    assert hash_start(replace(made, rated=True)) == "b06ab2d303b5ef77c8d05067fb2c87d2"
    assert (
        hash_start(replace(made, options="misere", rated=True))
        == "83b32db924636a9c2492926e61f4f1da"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"id": "n"},
        {"game": "dots-and-boxes"},
        {"first_id": 8},
        {"second_id": 9},
        {"clock": "3+2"},
        {"created_at": AT + TICK},
        {"options": "misere"},
        {"rated": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_first_link_depends_on_all_that_was_agreed(
    made: MatchState, change: dict[str, Any]
) -> None:
    assert hash_start(replace(made, **change)) != made.chain
    assert find_digest_faults(replace(made, **change), [])


def test_options_are_not_taken_for_being_rated(made: MatchState) -> None:
    assert hash_start(replace(made, options="rated")) != hash_start(replace(made, rated=True))


@pytest.mark.parametrize(
    "change", [{"ply": 1}, {"version": 9}, {"notation": "other"}, {"acted": 1}]
)
def test_the_first_link_ignores_what_moves_change(made: MatchState, change: dict[str, Any]) -> None:
    assert hash_start(replace(made, **change)) == made.chain


@pytest.mark.parametrize(
    "change",
    [
        {"ply": 1},
        {"role": "oplayer"},
        {"action": "mark 1 2"},
        {"at": AT + TICK},
        {"spent_ms": 1501},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_link_depends_on_all_of_its_move_and_on_the_link_before(
    made: MatchState, change: dict[str, Any]
) -> None:
    link = hash_move(made.chain, MOVE)
    assert hash_move(made.chain, replace(MOVE, **change)) != link
    assert hash_move(link, MOVE) != link
    assert hash_move(made.chain, MOVE) == link


@pytest.mark.parametrize(
    "change",
    [
        {"chain": "0" * 32},
        {"status": "aborted"},
        {"ended": "time"},
        {"first_goal": 50},
        {"second_goal": 50},
        {"ended_at": AT},
        {"ended_at": None},
        {"ply": 2},
        {"notation": "other"},
        {"version": 5},
        {"first_level": 3},
        {"arranged": True},
        {"started_at": AT},
        {"ended_by": 1},
        {"second_ms": 0},
        {"rematch_id": "n"},
    ],
    ids=lambda change: str(next(iter(change.items()))),
)
def test_the_digest_depends_on_all_of_the_result(over: MatchState, change: dict[str, Any]) -> None:
    assert compute_digest(replace(over, **change)) != over.digest
    assert find_digest_faults(replace(over, **change), [MOVE])


def test_a_live_match_has_a_chain_and_no_digest(made: MatchState) -> None:
    played = update_digests(replace(made, ply=1), MOVE)
    assert (played.chain, played.digest) == (hash_move(made.chain, MOVE), "")
    assert find_digest_faults(played, [MOVE]) == []


def test_a_match_that_goes_on_again_loses_its_digest_and_gets_another(over: MatchState) -> None:
    live = replace(over, status="live", ended="", first_goal=None, second_goal=None, ended_at=None)
    again = update_digests(live, None)
    assert again.digest == ""
    voided = update_digests(replace(over, ended="voided"), None)
    assert voided.digest not in {"", over.digest}
    assert find_digest_faults(voided, [MOVE]) == []


@pytest.mark.parametrize("moves", [[], [MOVE, replace(MOVE, ply=1)], [replace(MOVE, action="x")]])
def test_faults_of_the_moves_are_named_first(over: MatchState, moves: list[NewMove]) -> None:
    (words,) = find_digest_faults(over, moves)
    assert "the chain differs" in words


def test_faults_of_the_result_are_named(over: MatchState) -> None:
    (words,) = find_digest_faults(replace(over, first_goal=100), [MOVE])
    assert "the digest differs" in words
    assert find_digest_faults(over, [MOVE]) == []


def test_digests_are_keyed_and_former_keys_are_accepted(over: MatchState, made: MatchState) -> None:
    with override_settings(SECRET_KEY="n" * 50, SECRET_KEY_FALLBACKS=[]):
        assert hash_start(made) != made.chain
        assert hash_move(made.chain, MOVE) != over.chain
        assert compute_digest(over) != over.digest
        assert find_digest_faults(over, [MOVE])
    with override_settings(SECRET_KEY="n" * 50, SECRET_KEY_FALLBACKS=["o" * 50, "k" * 50]):
        assert find_digest_faults(over, [MOVE]) == []
        assert compute_digest(over) != over.digest, "what is new has the new key"


def test_a_match_begun_with_a_former_key_may_end_with_the_new_one(
    made: MatchState, over: MatchState
) -> None:
    with override_settings(SECRET_KEY="n" * 50, SECRET_KEY_FALLBACKS=["k" * 50]):
        ended = update_digests(over, None)
        assert ended.digest != over.digest
        assert find_digest_faults(ended, [MOVE]) == []


def test_a_match_that_was_sealed_by_its_result_alone_is_sound_as_it_is(over: MatchState) -> None:
    former = replace(over, digest=compute_former_digest(over))
    assert find_digest_faults(former, [MOVE]) == []
    assert find_digest_faults(replace(former, second_goal=50), [MOVE])
    assert update_digests(former, None).digest == over.digest
    assert compute_former_digest(replace(over, status="live")) == ""


def test_every_column_of_a_state_is_covered_or_may_change_unseen(over: MatchState) -> None:
    values: dict[type, Any] = {int: 77, str: "x", bool: True, datetime: AT + 9 * TICK}
    unseen = set()
    for name, kind in get_type_hints(MatchState).items():
        changed = replace(over, **{name: values[(get_args(kind) or (kind,))[0]]})
        if not find_digest_faults(changed, [MOVE]):
            unseen.add(name)
    assert unseen == {"bot_at"}

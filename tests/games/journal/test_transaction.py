"""The journal's transaction: trusted states, races, and killed processes."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone
from msgspec.structs import replace

from games.journal import events, transaction
from games.journal.opening import open_match
from games.journal.requests import UNAVAILABLE, Request
from games.journal.transaction import commit_requests
from games.match.commands import Abort, OfferDraw, Play, Rematch, Resign, Sweep
from games.match.setup import Setup
from games.match.state import Change, MatchState
from games.messages.refusal import Refused
from games.models import Event, Match, Move
from games.store import heartbeat
from games.store.records import find_unsound_matches, read_states
from tests.builders import nursery
from tests.builders.matches import create_guest_match, get_state, request_play
from tests.builders.sites import copy_prepared


@pytest.fixture
def match(db: None) -> Match:
    return create_guest_match()


def codes(*requests: Request) -> list[str | None]:
    return [answer.refused for answer in commit_requests(requests)[0]]


def test_a_refusal_keeps_its_parameters_up_to_the_asker(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise Refused("suspended-until", until="Monday")

    monkeypatch.setattr(transaction, "apply_command", refuse)
    (answer,), changed = commit_requests([request_play(match, 0, "mark 1 1")])
    assert (answer.refused, changed) == ("suspended-until", [])
    assert answer.refusal is not None
    assert answer.refusal.words == {"code": "refused.suspended-until", "until": "Monday"}
    assert answer.refusal.__traceback__ is None


# -- what the requester knows


def test_what_follows_from_an_old_state_is_not_stored(match: Match) -> None:
    old = get_state(match)
    assert codes(request_play(match, 0, "mark 1 1")) == [None]
    assert codes(request_play(match, 0, "mark 2 2", old)) == ["stale"]
    assert list(Move.objects.values_list("action", flat=True)) == ["mark 1 1"]
    assert get_state(match).version == 1


def test_an_accepted_command_without_a_move_is_stored_too(match: Match) -> None:
    """No unique move prevents it if the stored version is not the known one."""
    old = get_state(match)
    assert codes(request_play(match, 0, "mark 1 1")) == [None]
    (answer,), _ = commit_requests([Request(match.pk, match.second_id, Resign(), known=old)])
    assert answer.refusal is None
    assert answer.state == get_state(match)
    assert (get_state(match).ended, get_state(match).ply) == ("resignation", 1)


def test_nobody_is_refused_because_of_an_old_state(match: Match) -> None:
    old = get_state(match)
    assert codes(request_play(match, 0, "mark 1 1")) == [None]
    assert codes(request_play(match, 1, "mark 2 2", old)) == [None]
    assert get_state(match).ply == 2
    assert find_unsound_matches([match.pk]) == {}


def test_an_answer_to_a_refusal_carries_the_stored_state(match: Match) -> None:
    old = get_state(match)
    commit_requests([request_play(match, 0, "mark 1 1")])
    (answer,), changed = commit_requests([request_play(match, 0, "mark 2 2", old)])
    assert (answer.state, changed) == (get_state(match), [])


def test_a_state_of_another_history_is_not_built_upon(match: Match) -> None:
    """The same version with another chain, because an older copy of the database was restored."""
    other = open_match(Setup("tic-tac-toe"), match.first_id, match.second_id)
    commit_requests([request_play(match, 0, "mark 1 1"), request_play(other, 0, "mark 3 3")])
    Match.objects.filter(pk=match.pk).update(chain="f" * 32)
    stored = get_state(match)
    commit_requests([request_play(other, 1, "mark 2 2")])
    Match.objects.filter(pk=match.pk).update(chain="e" * 32)
    (answer,), _ = commit_requests([request_play(match, 1, "mark 1 2", stored)])
    assert answer.refused is None and answer.state is not None
    Match.objects.filter(pk=match.pk).update(chain="e" * 32, version=1)
    (answer,), _ = commit_requests(
        [Request(match.pk, match.first_id, Play(5, "mark 1 2"), known=stored)]
    )
    assert answer.state is not None and answer.state.chain == "e" * 32, (
        "the stored one, not the known"
    )


def test_requests_of_one_batch_build_upon_each_other(match: Match) -> None:
    known = get_state(match)
    moves = [request_play(match, ply, f"mark 1 {ply + 1}", known) for ply in range(3)]
    assert codes(*moves, moves[1]) == [None] * 4  # the last one is a repeat
    assert get_state(match).ply == Move.objects.count() == get_state(match).version == 3


# -- what is stored and answered


def test_only_the_columns_that_change_are_written(match: Match, monkeypatch: Any) -> None:
    written: list[tuple[int, ...]] = []
    real = transaction._update

    def noted(columns: tuple[int, ...]) -> str:
        written.append(columns)
        return real(columns)

    monkeypatch.setattr(transaction, "_update", noted)
    commit_requests([request_play(match, 0, "mark 1 1")])
    changed = {transaction.FIELDS[i] for i in written[0]}
    assert changed == {
        "ply",
        "version",
        "notation",
        "last",
        "acted",
        "acted_at",
        "started_at",
        "chain",
    }


def test_a_faulty_command_cannot_change_what_was_agreed(match: Match, monkeypatch: Any) -> None:
    def change_options(state: MatchState, *_: object) -> Change:
        return Change(replace(state, options="plain", version=state.version + 1))

    monkeypatch.setattr(transaction, "apply_command", change_options)
    before = get_state(match)
    (answer,), changed = commit_requests([request_play(match, 0, "mark 1 1")])
    assert (answer, changed, get_state(match)) == (UNAVAILABLE, [], before)


def test_matches_that_change_in_different_ways_are_stored_together(match: Match) -> None:
    others = [create_guest_match() for _ in range(3)]
    answers, changed = commit_requests(
        [
            request_play(match, 0, "mark 1 1"),
            Request(others[0].pk, others[0].first_id, Resign()),
            Request(others[1].pk, others[1].second_id, Abort()),
            Request(others[2].pk, 0, Resign()),
            Request("nosuch", match.first_id, Resign()),
        ]
    )
    assert [answer.refused for answer in answers] == [
        None,
        None,
        None,
        "not-a-player",
        "not-allowed",
    ]
    assert answers[4].state is None
    assert {state.id for state in changed} == {match.pk, others[0].pk, others[1].pk}
    assert all(state == read_states([state.id])[state.id] for state in changed)
    ended = [get_state(other).ended for other in others]
    assert ended == ["resignation", "aborted", ""]
    assert find_unsound_matches([match.pk, *(other.pk for other in others)]) == {}


def test_the_events_are_stored_with_the_change(match: Match) -> None:
    commit_requests(
        [request_play(match, 0, "mark 1 1"), Request(match.pk, match.first_id, Resign())]
    )
    found = Event.objects.filter(match=match).order_by("version")
    assert list(found.values_list("kind", "version")) == [("began", 0), ("ended", 2)]


def test_nobody_loses_on_time_while_the_site_is_down(monkeypatch: Any, db: None) -> None:
    past = timezone.now() - timedelta(hours=1)
    match = create_guest_match(clock="1+0", at=past)
    down = [True]
    monkeypatch.setattr(heartbeat, "seems_down", lambda: down[0])
    sweep = Request(match.pk, None, Sweep())
    assert codes(sweep) == [None] and get_state(match).is_live
    down[0] = False
    assert codes(sweep) == [None] and get_state(match).ended == "aborted"


# -- conflicts


def losing(times: int, error: type[Exception]) -> Callable[..., None]:
    """A `_write` that fails the given number of times."""
    left, real = [times], transaction._write

    def write(*args: Any) -> None:
        if left[0] > 0:
            left[0] -= 1
            raise error("a test")
        real(*args)

    return write


@pytest.mark.parametrize(
    ("times", "refused"), [(1, None), (2, None), (4, None), (5, "unavailable")]
)
def test_a_conflict_is_tried_again_and_not_for_ever(
    match: Match, monkeypatch: Any, times: int, refused: str | None
) -> None:
    """The journal tries twice to write all, and then three times each request alone."""
    monkeypatch.setattr(transaction, "_write", losing(times, transaction._ConflictError))
    assert codes(request_play(match, 0, "mark 1 1", get_state(match))) == [refused]
    assert get_state(match).ply == Move.objects.count() == (0 if refused else 1)


def test_a_fault_that_is_no_conflict_is_tried_once_alone(match: Match, monkeypatch: Any) -> None:
    monkeypatch.setattr(transaction, "_write", losing(1, RuntimeError))
    assert codes(request_play(match, 0, "mark 1 1")) == [None]
    monkeypatch.setattr(transaction, "_write", losing(2, RuntimeError))
    assert commit_requests([request_play(match, 1, "mark 2 2")]) == ([UNAVAILABLE], [])
    assert get_state(match).ply == 1


def test_a_database_that_is_away_is_no_answer(match: Match, monkeypatch: Any) -> None:
    monkeypatch.setattr(transaction, "_write", losing(1, OperationalError))
    with pytest.raises(OperationalError):
        commit_requests([request_play(match, 0, "mark 1 1")])
    # And it is not while the requests are tried one by one.
    monkeypatch.setattr(transaction, "_write", losing(2, transaction._ConflictError))
    monkeypatch.setattr(transaction, "_alone", losing(1, OperationalError))
    with pytest.raises(OperationalError):
        commit_requests([request_play(match, 0, "mark 1 1")])


def test_requests_that_are_tried_alone_trust_nothing(match: Match, monkeypatch: Any) -> None:
    old = get_state(match)
    commit_requests([request_play(match, 0, "mark 1 1")])
    monkeypatch.setattr(transaction, "_write", losing(2, transaction._ConflictError))
    assert codes(
        request_play(match, 1, "mark 2 2", old), request_play(match, 2, "mark 3 3", old)
    ) == [None, None]
    assert get_state(match).ply == 3


def test_a_rematch_that_fails_halfway_leaves_no_match_and_spares_the_others(
    match: Match, monkeypatch: Any
) -> None:
    other = create_guest_match()
    requests = [Request(other.pk, other.first_id, command) for command in (Resign(), Rematch())]
    assert codes(*requests) == [None, None]
    accepted = Request(other.pk, other.second_id, Rematch(), known=get_state(other))

    def fails_for_new_matches(changes: Iterable[Any], now: datetime) -> None:
        found = list(changes)
        if any(before is None for before, _ in found):
            raise ValueError  # the rematch is inserted already
        store_events(found, now)

    store_events = events.store_events
    monkeypatch.setattr(events, "store_events", fails_for_new_matches)
    assert codes(accepted) == ["unavailable"]
    assert codes(request_play(match, 0, "mark 1 1"), accepted) == [None, "unavailable"]
    assert (Match.objects.count(), get_state(match).ply) == (2, 1)


def test_what_changed_is_given_once_though_several_changed_it(
    match: Match, monkeypatch: Any
) -> None:
    monkeypatch.setattr(transaction, "_write", losing(1, RuntimeError))
    _, changed = commit_requests(
        [
            request_play(match, 0, "mark 1 1"),
            Request(match.pk, match.first_id, OfferDraw()),
            request_play(match, 1, "mark 2 2"),
        ]
    )
    assert changed == [get_state(match)]


# -- with other connections, and processes that die


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """The environment of a database with a new match in it."""
    url = f"sqlite:///{tmp_path / 'site.sqlite3'}"
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
    else:
        copy_prepared(tmp_path, with_database=True)
    env = {"SECRET_KEY": "k" * 50, "DATABASE_URL": url, "RATE_LIMITS": "off"}
    assert racing(env, "make")["ply"] == 0
    return env


def racing(env: dict[str, str], *how: str, dies: bool = False) -> dict[str, Any]:
    env = {"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "tests.settings", **env}
    done = nursery.run(["-m", "tests.games.journal.journal_race", *how], env)
    assert done.returncode == (-9 if dies else 0), done.stderr
    return {} if dies else dict(json.loads(done.stdout))


@pytest.mark.parametrize("how", ["known", "locked"])
def test_of_two_connections_that_write_one_match_one_comes_first(
    database: dict[str, str], how: str
) -> None:
    found = racing(database, "race", how)
    assert (found["ply"], found["version"], found["sound"]) == (1, 1, True)
    assert found["moves"] == [found["last"]]
    assert sorted([found["own"] or "", found["other"] or ""]) == ["", "stale"]
    if how == "known" and database["DATABASE_URL"].startswith("postgres"):
        # The other process wrote after we had read, so our update found another version.
        assert (found["own"], found["tries"]) == ("stale", [1, 0])
    else:
        assert (found["own"], found["tries"]) == (None, [1])


def test_who_dies_before_the_commit_leaves_nothing(database: dict[str, str]) -> None:
    racing(database, "die", "uncommitted", dies=True)
    found = racing(database, "look")
    assert (found["ply"], found["version"], found["moves"]) == (0, 0, [])
    assert racing(database, "play")["own"] is None  # and no lock is left


def test_who_dies_after_the_commit_has_stored_it_and_a_repeat_changes_nothing(
    database: dict[str, str],
) -> None:
    racing(database, "die", "committed", dies=True)
    found = racing(database, "play")
    assert found["own"] is None
    assert (found["ply"], found["version"], found["moves"]) == (1, 1, ["mark 1 1"])
    assert found["sound"]

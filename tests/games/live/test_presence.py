"""Presence in a match, without sockets or a database."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.test import override_settings
from django.utils import timezone
from msgspec.structs import replace

from games.live.presence import Presence
from games.live.protocol import MatchPeople, StateFrame
from games.match.commands import Resign
from games.match.state import MatchState
from games.store.presence import ServerPresence, SitePresence
from tests.builders.match_states import ALICE, apply_command, create_state, play_actions

NAMES = ("Alice", "Bob")
NOW = 1_900_000_000.0
GONE, ABANDONED, DAY = 10, 60, 86_400  # seconds


class Somebody:
    """A viewer whose client was last there so many seconds before NOW."""

    player_id = None
    address = ""
    is_counted = True

    def __init__(self, seat: int | None, ago: float = 0) -> None:
        self.seats = () if seat is None else (seat,)
        self.ago = ago

    def last_here(self) -> float:
        return NOW - self.ago

    def show(self, state: StateFrame) -> None:
        """Nothing is sent here."""

    def send_text(self, text: str) -> None:
        """Nothing is sent here."""

    def close(self, code: int) -> None:
        """Nothing is sent here."""


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sets the time to NOW, and after how many seconds somebody is gone, or has abandoned."""
    monkeypatch.setattr(time, "time", lambda: NOW)
    monkeypatch.setattr(timezone, "now", lambda: datetime.fromtimestamp(NOW, UTC))
    with override_settings(
        PRESENCE_TIMEOUT_SECONDS=GONE, ABANDONED_SECONDS=ABANDONED, ABANDONED_DAYS=2, STALLED_DAYS=1
    ):
        yield


def match(clock: str = "3+2", began: float = 10 * DAY, acted: float = 0) -> MatchState:
    """A match: seconds since it began and since its last action. The second player is to move."""
    at = [datetime.fromtimestamp(NOW - ago, UTC) for ago in (began, acted)]
    return replace(
        play_actions(create_state(clock=clock), "mark 1 1"), created_at=at[0], acted_at=at[1]
    )


def presence(
    *people: Somebody,
    seen: tuple[float | None, float | None] | None = (None, None),
    watchers: int = 0,
    up: float = 20 * DAY,
) -> Presence:
    """These people here, and what is stored of all servers: how long ago each seat was seen, and
    the site came up. None: not looked yet."""
    found = Presence()
    for somebody in people:
        found.enter(somebody)
    if seen is not None:
        first, second = (None if ago is None else NOW - ago for ago in seen)
        found.attended = SitePresence((first, second), watchers, NOW - up)
    return found


def around(found: Presence, state: MatchState | None = None) -> MatchPeople:
    return found.around(state or match(), NAMES, "e")


# -- who is here


def test_nobody_is_here_at_first() -> None:
    assert around(presence(seen=None)) == MatchPeople(NAMES, (False, False), 0, epoch="e")


@pytest.mark.parametrize(("ago", "is_here"), [(0, True), (9.9, True), (10, False), (99, False)])
def test_a_player_is_here_who_was_heard_within_the_time(ago: float, is_here: bool) -> None:
    assert around(presence(Somebody(1, ago), seen=None)).here == (False, is_here)
    assert around(presence(Somebody(0, ago), seen=None)).here == (is_here, False)


def test_a_player_is_here_by_the_last_of_several_tabs() -> None:
    assert around(presence(Somebody(0, 99), Somebody(0, 1), Somebody(0, 50))).here == (True, False)


@pytest.mark.parametrize(("ago", "is_here"), [(9.9, True), (10, False)])
def test_a_player_at_another_server_is_here_too(ago: float, is_here: bool) -> None:
    assert around(presence(seen=(None, ago))).here == (False, is_here)


@pytest.mark.parametrize(("ago", "is_here"), [(9.9, True), (10, False)])
def test_a_player_who_closed_the_last_tab_is_here_for_some_time_more(
    ago: float, is_here: bool
) -> None:
    alice = Somebody(0, ago)
    found = presence(alice)
    found.leave(alice)
    assert around(found).here == (is_here, False)


def test_a_tab_that_closes_later_but_was_heard_earlier_moves_nothing_back() -> None:
    one, two = Somebody(0, 3), Somebody(0, 30)
    found = presence(one, two)
    found.leave(one)
    found.leave(two)
    assert found.left_at == [NOW - 3, None]
    assert around(found).here == (True, False)


def test_the_computer_is_always_here_and_a_watcher_is_in_no_seat() -> None:
    state = replace(match(), second_level=3)
    assert around(presence(), state).here == (False, True)
    assert around(presence(Somebody(None))).here == (False, False)


def test_watchers_are_counted_here_and_elsewhere_and_players_are_none() -> None:
    watcher = Somebody(None)
    found = presence(watcher, Somebody(None), Somebody(0), Somebody(1), Somebody(1), watchers=5)
    assert around(found).watchers == 7
    found.leave(watcher)
    found.leave(watcher)
    assert around(found).watchers == 6
    assert around(presence(Somebody(None), watchers=5)).watchers == 6


# -- what is stored for the other servers


def test_what_is_stored_is_now_for_who_is_here_and_the_last_moment_for_who_was() -> None:
    found = presence(Somebody(0, 5), Somebody(1, 50), Somebody(None))
    assert found.here(match()) == ServerPresence("match", NOW, NOW - 50, 1)


def test_what_is_stored_is_none_for_who_was_never_here_even_if_seen_elsewhere() -> None:
    bob = Somebody(1, 7)
    found = presence(bob, seen=(1, 1))
    found.leave(bob)
    assert found.here(match()) == ServerPresence("match", None, NOW - 7, 0)


# -- who may claim the match


@pytest.mark.parametrize(("ago", "has_left"), [(59, False), (60, True), (6000, True)])
def test_a_timed_match_is_abandoned_after_its_time(ago: float, has_left: bool) -> None:
    assert around(presence(Somebody(0), seen=(0, ago))).abandoned == (False, has_left)
    assert around(presence(Somebody(1), seen=(ago, 0))).abandoned == (has_left, False)


@pytest.mark.parametrize(("days", "has_left"), [(1.9, False), (2, True)])
def test_an_untimed_match_is_abandoned_after_days(days: float, has_left: bool) -> None:
    found = presence(Somebody(0), seen=(0, days * DAY))
    assert around(found, match("")).abandoned == (False, has_left)


def test_the_time_of_the_claim_is_known_while_a_player_is_absent() -> None:
    found = presence(Somebody(0), seen=(0, GONE - 1))
    assert around(found).abandoned_at == (None, None)
    found = presence(Somebody(0), seen=(0, 20))
    assert around(found).abandoned_at == (None, NOW - 20 + ABANDONED)
    assert around(found, apply_command(match(), ALICE, Resign()).state).abandoned_at == (None, None)
    assert around(presence(seen=(20, 25))).abandoned_at == (
        NOW - 20 + ABANDONED,
        NOW - 25 + ABANDONED,
    )


def test_nobody_has_left_before_the_stored_moments_are_known() -> None:
    assert around(presence(Somebody(0), seen=None)).abandoned == (False, False)


def test_nobody_who_is_here_has_left() -> None:
    found = presence(Somebody(0), Somebody(1), seen=(6000, 6000))
    assert around(found) == MatchPeople(NAMES, (True, True), 0, epoch="e")
    assert around(presence(Somebody(1, 5), seen=(6000, 6000))).abandoned == (True, False)


def test_a_match_that_is_over_is_not_abandoned() -> None:
    over = apply_command(match(), ALICE, Resign()).state
    assert around(presence(seen=(6000, 6000)), over).abandoned == (False, False)


def test_nobody_is_missed_before_the_match_began_or_resumed_or_the_site_came_up() -> None:
    nobody = presence()
    assert around(nobody, match(began=60)).abandoned == (True, True)
    assert around(nobody, match(began=59)).abandoned == (False, False)
    resumed = replace(match(), resumed_at=datetime.fromtimestamp(NOW, UTC) - timedelta(seconds=59))
    assert around(nobody, resumed).abandoned == (False, False)
    assert around(presence(up=59)).abandoned == (False, False)
    assert around(presence(up=60)).abandoned == (True, True)


@pytest.mark.parametrize("people", [(), (Somebody(0), Somebody(1))], ids=["away", "here"])
@pytest.mark.parametrize(("ago", "stalls"), [(DAY - 1, False), (DAY, True)])
def test_who_is_to_move_in_an_untimed_match_stalls_it_here_or_not(
    people: tuple[Somebody, ...], ago: float, stalls: bool
) -> None:
    found = presence(*people, seen=(0, 0))
    assert around(found, match("", acted=ago)).stalled == (False, stalls)
    assert around(found, match("3+2", acted=ago)).stalled == (False, False)

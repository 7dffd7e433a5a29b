"""Which states a room takes, without sockets or a database."""

from msgspec.structs import replace

from games.live.room import Room
from tests.builders.match_states import create_state


def test_an_older_state_never_replaces_a_newer_one() -> None:
    older, newer = (replace(create_state(), version=version) for version in (4, 5))
    room = Room(older, ("alice", "bob"), epoch="first")
    assert room.learn(newer)
    assert not room.learn(older)
    assert not room.learn(replace(newer, notation="."))  # the same version, by another way
    assert room.state is newer


def test_a_state_of_another_history_replaces_a_newer_one() -> None:
    older, newer = (replace(create_state(), version=version) for version in (4, 5))
    room = Room(newer, ("alice", "bob"), epoch="first")
    room.begin_anew(older, epoch="second")
    assert (room.state, room.epoch) == (older, "second")

"""For programs, too, two servers on PostgreSQL and Redis are one site, even without Redis."""

import time
from collections.abc import Iterator

import pytest

from tests.builders.api import (
    Lines,
    create_client,
    create_token,
    send_move,
    send_request,
    start_game,
)
from tests.builders.databases import Redis
from tests.builders.sites import Site

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    found = Redis(tmp_path_factory.mktemp("redis"))
    yield found
    found.kill()


@pytest.fixture(scope="module")
def sites(
    postgres_url: str, redis: Redis, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Site]]:
    env = {"DATABASE_URL": postgres_url, "REDIS_URL": redis.url, "SECRET_KEY": "k" * 50}
    found: list[Site] = []
    try:
        for i in range(2):
            found.append(Site(tmp_path_factory.mktemp(f"server{i}"), env).wait())
        yield found
    finally:
        for site in found:
            site.stop()


def test_they_are_one_site(sites: list[Site], redis: Redis) -> None:
    here, there = sites
    alice, bob, spare = (
        create_token(here, "alice"),
        create_token(here, "bob"),
        create_token(here, "alice"),
    )
    game = start_game(here, alice, bob)
    stream = f"/api/board/game/stream/{game}"
    with (
        Lines(here, stream, alice) as mine,
        Lines(there, stream, bob) as theirs,
        Lines(there, stream, spare) as other,
        Lines(here, "/api/stream/event", alice) as former,
    ):
        mine.next("gameFull")
        theirs.next("gameFull")
        other.next("gameFull")
        former.next("gameStart")
        # Moves sent to this server appear on the other because of their hints, not by polling.
        # With polling alone, each move after the first would take as long as the pause, 2 s.
        times = []
        moves = ((alice, "mark 1 1"), (bob, "mark 3 3"), (alice, "mark 1 2"), (bob, "mark 1 3"))
        for ply, (mover, action) in enumerate(moves, 1):
            assert send_move(here, mover, game, action)[0] == 200
            began = time.monotonic()
            assert theirs.next("gameState")["ply"] == ply
            times.append(time.monotonic() - began)
        assert min(times[1:]) < 1, times
        # Revoking a token on this server ends its streams on the other.
        send_request(here, "DELETE", "/api/token", spare)
        other.rest()
        # Each token has one event stream, across all servers.
        with Lines(there, "/api/stream/event", alice) as later:
            later.next("gameStart")
            former.rest()
        # All of this works without Redis, only later.
        spare = create_token(here, "alice")
        with Lines(there, stream, spare) as last:
            last.next("gameFull")
            redis.kill()
            assert send_move(there, alice, game, "mark 2 2")[0] == 200
            mine.next("gameState", lambda line: line["ply"] == 5)
            send_request(here, "DELETE", "/api/token", spare)
            last.rest()
        redis.start()
    create_client(here, alice).board.resign_game(game)

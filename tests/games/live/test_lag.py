"""Compensation for network delay has a budget, and no trick of a client raises it."""

import time

from games.rules import GAMES
from tests.builders.sites import Person, Socket, pair

BUDGET = 500  # ms
SITE = {"LAG_BUDGET_MS": str(BUDGET), "LAG_REFILL_MS": "0", "SECRET_KEY": "k" * 50}


def fake_delay(socket: Socket) -> None:
    """Answer the server's marks late, so that the connection looks slow."""
    socket.send("ping", t=1)
    mark = socket.next("pong")["mark"]
    time.sleep(0.25)  # this is the faked delay: there is no condition to wait for
    socket.send("echo", mark=mark)


def test_who_fakes_a_slow_connection_and_comes_again_gets_no_second_budget(
    alice_online: Person, bob_online: Person
) -> None:
    game = GAMES["dots-and-boxes"]
    match_id, roles = pair(alice_online, bob_online, game.slug, "3+0")
    first, second = game.roles
    position, spent = game.start, 0.0

    def play(socket: Socket) -> None:
        nonlocal position
        action = position.actions()[-1 if position.turn == first else 0]  # far from each other
        socket.play(action)
        position = position.play(action)

    with roles[second].match(match_id) as o:
        o.next("state")
        for _ in range(5):
            with roles[first].match(match_id) as x:  # measured per connection
                since = x.next("state")["clock"]["since"]
                fake_delay(x)
                play(x)
                spent += x.state["clock"]["since"] - since
            o.ply(x.state["ply"])
            play(o)
        charged = 180_000 - o.state["clock"]["remaining_ms"][first]
    given = 1000 * spent - charged
    assert BUDGET - 60 <= given <= BUDGET + 10  # of more than a thousand that it asked for

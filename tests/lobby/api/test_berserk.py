"""The unmodified client of lichess plays here, from a challenge or seek to the end."""

import random
import threading
from collections.abc import Callable
from typing import Any

import berserk
import pytest

from games.rules import GAMES
from tests.builders.api import Lines, create_client, create_token, send_request
from tests.builders.sites import Site, until

IS_ALONE = True  # alice has no games or events from other modules

Client = berserk.Client


@pytest.fixture(scope="module")
def clients(site: Site) -> tuple[Client, Client]:
    return create_client(site, create_token(site, "alice")), create_client(
        site, create_token(site, "bob")
    )


class Player(threading.Thread):
    """Play one game through its stream with arbitrary legal actions, and keep all lines."""

    def __init__(
        self, who: Client, game_id: str, resigns_at: int = 10_000, leaves_at: int = 10_000
    ) -> None:
        super().__init__(daemon=True)
        self.who, self.game_id = who, game_id
        self.resigns_at, self.leaves_at = resigns_at, leaves_at
        self.lines: list[dict[str, Any]] = []
        self.error: Exception | None = None
        self.chance = random.Random(resigns_at)
        self.start()

    def run(self) -> None:
        try:
            self._play()
        except Exception as error:
            self.error = error

    def _play(self) -> None:
        me = self.who.account.get()["id"]
        role = game = None
        for line in self.who.board.stream_game_state(self.game_id):
            self.lines.append(line)
            if line["type"] == "gameFull":
                game = GAMES[line["variant"]["key"]]
                mine = line["white"] if line["white"]["id"] == me else line["black"]
                role = mine["role"]
            state = line.get("state", line)
            if state.get("ply", 0) >= self.leaves_at:
                return  # with its connection
            if state.get("status") == "started" and state["turn"] == role:
                assert game is not None
                position = game.read(state["notation"])
                if state["ply"] >= self.resigns_at:
                    self.who.board.resign_game(self.game_id)
                else:
                    action = self.chance.choice(position.legal())
                    self.who.board.make_move(self.game_id, action)

    def done(self) -> list[dict[str, Any]]:
        self.join(60)
        assert self.error is None, self.error
        assert not self.is_alive()
        return self.lines


def event(events: Any, kind: str, where: Callable[[dict[str, Any]], Any] = bool) -> dict[str, Any]:
    """Return the next event of that kind."""
    return next(each for each in events if each["type"] == kind and where(each))


def compare(site: Site, who: Client, game_id: str, names: set[str]) -> dict[str, Any]:
    """Compare the export with `record.json`."""
    import json
    import urllib.request

    with urllib.request.urlopen(f"{site.url}/match/{game_id}/record.json") as answer:
        record = json.load(answer)
    found = who.games.export(game_id, clocks=True)
    actions = [move["action"] for move in record["moves"]]
    assert found["moves"] == ", ".join(actions)
    assert [(m["ply"], m["role"], m["action"], m["spent"]) for m in found["times"]] == [
        (m["ply"], m["role"], m["action"], m["spent_ms"]) for m in record["moves"]
    ]
    assert found["variant"] == record["game"]
    assert found["notation"] == record["notation"]
    assert found["ended"] == record["ended"]
    assert found["goals"] == record["goals"]
    assert found["digest"] == record["digest"]
    seats = [found["players"][colour] for colour in ("white", "black")]
    assert {seat["role"]: {"name": seat["user"]["name"]} for seat in seats} == record["seats"]
    assert {seat["user"]["name"] for seat in seats} == names
    assert round(record["created_at"]) == round(found["createdAt"].timestamp())
    return found


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_from_challenge_to_end(
    site: Site, clients: tuple[Client, Client], slug: str
) -> None:
    alice, bob = clients
    heard, seen = bob.board.stream_incoming_events(), alice.board.stream_incoming_events()
    threading.Timer(1.0, lambda: _challenge(alice, slug)).start()
    asked = event(heard, "challenge", lambda e: e["challenge"]["variant"]["key"] == slug)
    assert asked["challenge"]["challenger"]["id"] == "alice"
    assert asked["challenge"]["direction"] == "in"
    bob.challenges.accept(asked["challenge"]["id"])
    begun = event(heard, "gameStart")["game"]
    assert event(seen, "gameStart")["game"]["gameId"] == begun["gameId"]
    game_id = begun["gameId"]
    assert game_id == asked["challenge"]["id"]
    playing = bob.games.get_ongoing()
    assert [game["gameId"] for game in playing] == [game_id]
    long = slug == "six-in-a-row"  # random moves rarely make a row
    players = [Player(alice, game_id, 30 if long else 10_000), Player(bob, game_id)]
    for player in players:
        lines = player.done()
        full = lines[0]
        assert full["type"] == "gameFull"
        assert full["variant"]["key"] == slug
        assert {full["white"]["id"], full["black"]["id"]} == {"alice", "bob"}
        states = [full["state"], *(line for line in lines if line["type"] == "gameState")]
        plies = [state["ply"] for state in states]
        assert plies == sorted(plies)
        assert states[-1]["status"] != "started"
        assert len(states[-1]["moves"].split(", ")) == states[-1]["ply"]
    over = event(heard, "gameFinish", lambda e: e["game"]["gameId"] == game_id)
    assert over["game"]["status"]["name"] == states[-1]["status"]
    found = compare(site, alice, game_id, {"alice", "bob"})
    assert found["moves"] == states[-1]["moves"]
    until(lambda: any(g["id"] == game_id for g in alice.games.export_by_player("bob")), "history")
    many = list(alice.games.export_multi(game_id))
    assert [game["id"] for game in many] == [game_id]


class Seeking(threading.Thread):
    """Seek until an opponent is found; berserk returns nothing for a seek."""

    def __init__(self, who: Client, slug: str) -> None:
        super().__init__(daemon=True)
        self.who, self.slug = who, slug
        self.error: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            self.who.board.seek(5, 3, rated=False, variant=self.slug)
        except Exception as error:
            self.error = error


@pytest.mark.parametrize("slug", ["dots-and-boxes", "parallel-tic-tac-toe"])
def test_a_game_from_two_seeks_to_the_end_with_a_stream_that_breaks(
    site: Site, clients: tuple[Client, Client], slug: str
) -> None:
    alice, bob = clients
    heard = bob.board.stream_incoming_events()
    seeks = [Seeking(alice, slug), Seeking(bob, slug)]
    begun = event(heard, "gameStart", lambda e: e["game"]["variant"]["key"] == slug)["game"]
    for each in seeks:
        each.join(30)
        assert not each.is_alive() and each.error is None, each.error
    game_id = begun["gameId"]
    (other,) = (game for game in alice.games.get_ongoing() if game["gameId"] == game_id)
    assert {begun["color"], other["color"]} == {"white", "black"}
    first = Player(alice, game_id)
    broken = Player(bob, game_id, leaves_at=3)  # no game ends before the fifth ply
    assert broken.done()[-1]["type"] in {"gameFull", "gameState", "opponentGone"}
    assert bob.games.get_ongoing()[0]["gameId"] == game_id  # it is still live
    again = Player(bob, game_id)  # another connection continues it
    lines, rest = first.done(), again.done()
    assert rest[0]["type"] == "gameFull"
    assert rest[0]["state"]["ply"] >= 3
    last = rest[-1].get("state", rest[-1])
    assert last["status"] != "started" and last["moves"] == lines[-1]["moves"]
    found = compare(site, alice, game_id, {"alice", "bob"})
    assert found["moves"] == last["moves"]


def test_several_games_are_followed_and_bots_that_listen_are_listed(
    site: Site, clients: tuple[Client, Client]
) -> None:
    alice, bob = clients
    ids, text = [], create_token(site, "alice")
    for slug in ("tic-tac-toe", "dots-and-boxes"):
        made = alice.challenges.create("bob", rated=False, variant=slug, color="white")
        bob.challenges.accept(made["id"])
        bob.challenges.accept(made["id"])  # a repeat changes nothing
        shown = send_request(site, "GET", f"/api/challenge/{made['id']}/show", text)[1]
        assert shown["gameId"] == made["id"]
        assert next(alice.board.stream_game_state(made["id"]))["id"] == made["id"]
        ids.append(made["id"])
    lines = alice.games.stream_games_by_ids(*ids, "nosuch", stream_id="mine")
    first = [next(lines), next(lines)]
    assert {line["id"] for line in first} == set(ids)
    assert {line["status"] for line in first} == {"started"}
    for game_id in ids:
        bob.board.resign_game(game_id)
    over = list(lines)  # it ends with the last of them
    assert [(line["id"], line["status"], line["winner"]) for line in over] == [
        (game_id, "resign", "white") for game_id in ids
    ]
    text = create_token(site, "tinker", "bot")
    create_client(site, text).account.upgrade_to_bot()
    assert list(alice.bots.get_online_bots()) == []
    events = Lines(site, "/api/stream/event", text)
    until(lambda: [b["id"] for b in alice.bots.get_online_bots(limit=5)] == ["tinker"], "online")
    events.close()
    until(lambda: list(alice.bots.get_online_bots()) == [], "offline")


def test_games_between_players_are_followed_from_beginning_to_end(
    site: Site, clients: tuple[Client, Client]
) -> None:
    alice, bob = clients
    carol = create_client(site, create_token(site, "carol"))

    def begin(who: Client, other: Client, name: str) -> str:
        made = who.challenges.create(name, rated=False, variant="tic-tac-toe", color="white")
        other.challenges.accept(made["id"])
        return str(made["id"])

    old = begin(alice, bob, "bob")
    both = alice.games.get_among_players("alice", "bob", "no-such-player", with_current_games=True)
    assert next(both)["id"] == old
    path = "/api/stream/games-by-users"
    with Lines(site, path, create_token(site, "alice"), "POST", "alice,bob") as new:
        new.blank()
        stranger = begin(alice, carol, "carol")
        game = begin(bob, alice, "alice")
        for lines in (both, iter(new.line, None)):
            begun = next(lines)
            assert (begun["id"], begun["status"]) == (game, "started")
        alice.board.resign_game(stranger)
        alice.board.resign_game(old)
        alice.board.resign_game(game)
        for lines in (both, iter(new.line, None)):
            ended = [next(lines), next(lines)]
            assert [(line["id"], line["status"]) for line in ended] == [
                (old, "resign"),
                (game, "resign"),
            ]


def test_a_challenge_by_correspondence_is_refused(clients: tuple[Client, Client]) -> None:
    alice, _ = clients
    with pytest.raises(berserk.exceptions.ResponseError) as caught:
        alice.challenges.create("bob", rated=False, days=3)
    assert caught.value.cause["error"]["code"] == "malformed"
    assert caught.value.cause["error"]["params"]["where"] == "days"


def _challenge(alice: Client, slug: str) -> None:
    alice.challenges.create(
        "bob", rated=False, clock_limit=300, clock_increment=3, variant=slug, color="white"
    )

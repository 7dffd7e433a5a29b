"""Each tab shows the player's matches, and in which of them it is the player's turn."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.journal.opening import open_match
from games.match.setup import Setup
from games.models import Match
from games.rule_sheets.storage import prepare_shipped_sheet, store_sheet
from games.store.records import read_states
from lobby.accounts.guests import new_guest
from lobby.live.player_state import (
    OwnFrame,
    exclude_match,
    get_match_versions,
    list_waiting_games,
    read_own,
    read_player_state,
)
from lobby.models import Player
from lobby.seeks.challenges import accept_challenge, create_challenge
from lobby.seeks.matchmaking import create_seek
from tests.builders.board_sheets import keep_catalogue
from tests.builders.matches import create_match, play_ply
from tests.builders.players import client_for
from tests.builders.sites import Person, Site, pair

Own = dict[str, Any]
SETUP = Setup("tic-tac-toe")
AFTER = "x........ o"  # the notation after `mark 1 1`


def games(own: Own) -> dict[str, bool]:
    """Return whether it is the player's turn in each match."""
    return {game["match"]: game["waits"] for game in own["games"]}


def tells(wanted: dict[str, bool]) -> Callable[[Own], bool]:
    return lambda own: games(own) == wanted


def test_every_tab_shows_whose_turn_it_is(people: tuple[Person, Person]) -> None:
    alice, bob = people
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    one, other = roles["xplayer"], roles["oplayer"]
    with (
        one.socket("/ws/lobby/?shows=own") as here,
        other.socket("/ws/lobby/?shows=changes") as lobby,
        other.socket(f"/ws/lobby/?shows=own&match={match_id}") as same,
    ):
        assert here.next("own", tells({match_id: True}))["games"][0]["url"] == f"/match/{match_id}/"
        told = lobby.next("own", tells({match_id: False}))
        assert [board["match"] for board in told["boards"]] == [match_id]
        assert games(same.next("own")) == {}  # the match's own page does not list it
        with one.match(match_id) as x:
            x.next("state")
            x.play("mark 2 2")
            own = here.next("own", tells({match_id: False}))
            assert "boards" not in own
            told = lobby.next("own", tells({match_id: True}))
            (board,) = told["boards"]
            assert board["marks"] == {"4": "x"}  # only the new mark
            x.send("resign")
            here.next("own", tells({}))
            lobby.next("own", tells({}))
        same.send("ping", t=1)
        passed = []
        while (frame := same.frame())["type"] != "pong":
            passed.append(frame["type"])
        assert "own" not in [kind for kind in passed if kind != "there"]


def test_a_burst_of_moves_is_sent_once_a_second(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "dots-and-boxes")
    sockets = {role: person.match(match_id) for role, person in roles.items()}
    with alice_online.socket("/ws/lobby/?shows=own") as tab:
        tab.next("own")
        for socket in sockets.values():
            socket.next("state")
        began = time.monotonic()
        for ply in range(12):
            turn = sockets["xplayer"].ply(ply)["turn"]
            sockets[turn].ply(ply)
            row, column = divmod(ply, 4)
            sockets[turn].play(f"draw {row + 1} {column + 1} {row + 1} {column + 2}")
        tab.send("ping", t=1)
        seen = 0
        while (frame := tab.frame())["type"] != "pong":
            seen += frame["type"] == "own"
        assert seen <= 3 + int(time.monotonic() - began)  # this takes seconds on a busy machine
    for socket in sockets.values():
        socket.close()


def test_pages_tell_how_many_games_wait(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    first, roles = pair(alice_online, bob_online, "tic-tac-toe")
    second, others = pair(alice_online, bob_online, "six-in-a-row")
    for match_id, role, action in (
        (first, roles["xplayer"], "mark 1 1"),
        (second, others["player1"], "place 8 8"),
    ):
        with role.match(match_id) as socket:
            socket.next("state")
            socket.play(action)
    waiting = [p for p in (alice_online, bob_online) if p in (roles["oplayer"], others["player2"])]
    for person in waiting:
        count = [roles["oplayer"], others["player2"]].count(person)
        # A match that has just begun is announced until the player acts in it.
        page = person.get("/rules/")[1]
        assert page.count('class="begun"') + page.count("waits for you") >= 1, count
    assert "Your turn in" not in Person(site).get("/rules/")[1]


@pytest.mark.django_db
def test_a_new_match_whose_notice_was_closed_is_a_game_like_any_other(alice: Any, bob: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP, "first")
    match_id = accept_challenge(bob.pk, made.pk).match_id
    client = client_for(alice)
    for path in ("/rules/", "/"):
        page = client.get(path).content.decode()
        assert "bob accepted: your Tic-Tac-Toe game has started." in page
        assert "Your turn" not in page
    client.cookies["closed-notices"] = f"other.{match_id}"
    assert "Your turn in 1 game" in client.get("/rules/").content.decode()
    lobby = client.get("/").content.decode()
    assert "accepted: your" not in lobby
    assert "Your turn: Tic-Tac-Toe against bob" in lobby


# -- queries


def match(first: Player, second: Player, game: str = "tic-tac-toe") -> Match:
    return open_match(Setup(game), first.pk, second.pk)


@pytest.mark.django_db
def test_games_that_wait_come_first_longest_wait_first() -> None:
    me, other = new_guest(), new_guest()
    theirs, newer, older = match(other, me), match(me, other), match(me, other)
    newer.acted_at, older.acted_at = older.acted_at, newer.acted_at.replace(year=2020)
    older.save(update_fields=["acted_at"])
    own = read_player_state([me.pk])[me.pk].own
    assert [(g.match, g.waits) for g in own.games] == [
        (older.pk, True), (newer.pk, True), (theirs.pk, False),
    ]  # fmt: skip
    assert [g.match for g in list_waiting_games(own)] == [older.pk, newer.pk]
    assert [g.match for g in exclude_match(own, older.pk).games] == [newer.pk, theirs.pk]
    assert all(g.opponent == other.username for g in own.games)


@pytest.mark.django_db
def test_a_game_that_was_added_meanwhile_is_among_a_players_own(alice: Any, bob: Any) -> None:
    assert read_own([alice.pk])[alice.pk] == OwnFrame()  # the queries are prepared now
    get_match_versions([alice.pk])
    with keep_catalogue():
        store_sheet(prepare_shipped_sheet("hex-7"), is_settled=True)
        match = create_match("hex-7", alice, bob)
        create_seek(alice.pk, Setup("hex-7"), by_address=True)
        own = read_own([alice.pk])[alice.pk]
        assert [game.match for game in own.games] == [match.pk]
        assert [seek.game for seek in own.seeks] == ["hex-7"]
        assert get_match_versions([alice.pk]) == {alice.pk: {match.pk: match.version}}
    # A game that the site no longer has is not shown.
    assert read_own([alice.pk])[alice.pk] == OwnFrame()
    assert get_match_versions([alice.pk]) == {alice.pk: {}}


@pytest.mark.django_db
def test_a_running_clock_is_shown_from_the_first_move_on() -> None:
    me, other = new_guest(), new_guest()
    timed, untimed = create_match("tic-tac-toe", me, other, clock="3+2"), match(me, other)
    untils = {g.match: g.until for g in read_player_state([me.pk])[me.pk].own.games}
    assert untils == {timed.pk: None, untimed.pk: None}
    play_ply(timed, 0)
    timed.refresh_from_db()
    (until,) = (g.until for g in read_player_state([me.pk])[me.pk].own.games if g.match == timed.pk)
    assert until == int(timed.acted_at.timestamp()) + 180


@pytest.mark.django_db
def test_a_move_is_known_without_reading_and_what_is_not_known_is_read() -> None:
    me, other = new_guest(), new_guest()
    made = match(me, other)
    mine = read_player_state([me.pk])[me.pk]
    (state,) = read_states([made.pk]).values()
    Match.objects.filter(pk=made.pk).update(
        notation=state.rules.start.play("mark 1 1").notation, last="mark 1 1", ply=1, version=5
    )
    (after,) = read_states([made.pk]).values()
    moved = mine.moved(me.pk, after)
    assert moved is not None
    assert moved == read_player_state([me.pk])[me.pk]
    assert not moved.own.games[0].waits
    assert moved.moved(me.pk, state) is moved  # an older state changes nothing
    assert mine.is_behind(get_match_versions([me.pk])[me.pk])
    assert not moved.is_behind(get_match_versions([me.pk])[me.pk])
    another = match(other, me)
    assert moved.is_behind(get_match_versions([me.pk])[me.pk])
    assert moved.moved(me.pk, read_states([another.pk])[another.pk]) is None


@pytest.mark.django_db
def test_the_bar_counts_what_waits_but_for_the_page_of_the_very_game(client: Client) -> None:
    me, other = new_guest(), new_guest()
    client.force_login(me)
    page = " ".join(client.get("/rules/").content.decode().split())
    assert 'id="games-wait" href="/" hidden' in page
    first, second = match(me, other), match(me, other)
    match(other, me)
    page = client.get("/rules/").content.decode()
    assert "Your turn in 2 games" in page
    page = " ".join(client.get(first.get_absolute_url()).content.decode().split())
    assert "Your turn in 1 game" in page
    assert f'id="games-wait" href="{second.get_absolute_url()}"' in page
    lobby = client.get("/").content.decode()
    assert "games-wait" not in lobby
    assert lobby.count("data-waits") == 2

"""The pages of players: their content, and the effects of their forms."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from games.journal.opening import are_apart
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Resign
from games.models import Case, Match, Report
from lobby.accounts.merging import merge_guest
from lobby.models import Block, Challenge, Player, Preferences
from lobby.players import blocks, history
from lobby.players.people import begins_with
from tests.builders.matches import create_match
from tests.builders.players import client_for, create_player

pytestmark = pytest.mark.django_db


def page(client: Client, path: str, **more: Any) -> str:
    answer = client.get(path, **more)
    assert answer.status_code == 200, (path, answer.status_code)
    return " ".join(answer.content.decode().split())


@pytest.fixture
def won(alice: Any, bob: Any) -> Match:
    """A match that Alice won, stored in the histories."""
    match = create_match("six-in-a-row", alice, bob, plies=2)
    commit_requests([Request(match.pk, bob.pk, Resign())])
    history.write_history([match.pk])
    match.refresh_from_db()
    return match


def test_a_profile_tells_what_was_played_and_how_it_went(won: Match, alice: Any, bob: Any) -> None:
    text = page(client_for(None), "/player/alice/")
    assert "Member since" in text and "Six in a Row" in text
    assert f"/match/{won.pk}/" in text and "alice won: bob resigned" in text
    assert "/player/bob/" in text
    assert "Your score" not in text and "Block" not in text
    text = page(client_for(bob), "/player/alice/")
    assert "<b>0</b> won, <b>0</b> drawn, <b>1</b> lost" in text
    text = page(client_for(alice), "/player/alice/")
    assert "You won: bob resigned" in text and "Challenge</a>" not in text


def test_nobody_has_no_profile(alice: Any) -> None:
    for name in ("nobody", " ", "x" * 300, "a%2Fb", "%F0%9F%A6%8A"):
        for path in ("", "games.json", "challenge/"):
            assert Client().get(f"/player/{name}/{path}").status_code == 404, name


def test_the_search_lists_players_whose_names_begin_with_the_text(db: None) -> None:
    for name in ("Sly Fox", "Slyboots", "Ann Sly"):
        create_player(name)
    text = page(client_for(None), "/players/?q=SLY")
    assert "/player/Sly%20Fox/" in text and "/player/Slyboots/" in text
    assert "Ann Sly" not in text
    assert client_for(None).get("/players/?q=slyb").headers["Location"] == "/player/Slyboots/"
    assert "<bdi>&lt;b&gt;nobody</bdi>" in page(client_for(None), "/players/?q=<b>nobody")
    assert "Type the beginning" in page(client_for(None), "/players/?q=+")


def test_the_search_shows_protected_players_to_nobody_outside_their_groups(db: None) -> None:
    Player.objects.filter(pk=create_player("Sly Fox").pk).update(is_protected=True)
    create_player("Slyboots")
    create_player("Slyde")
    for query in ("sly", "sly fox"):
        assert "/player/Sly%20Fox/" not in page(client_for(None), f"/players/?q={query}")


def test_the_search_is_limited(db: None, settings: Any) -> None:
    settings.RATE_LIMITS, settings.PLAYER_SEARCHES_PER_MINUTE = True, 2
    found = [client_for(None).get("/players/?q=abc").status_code for _ in range(3)]
    assert found == [200, 200, 429]


def test_names_are_suggested_for_a_challenge(db: None, settings: Any) -> None:
    sly, *_ = (create_player(name) for name in ("Sly Fox", "Slyboots", "Ann Sly", "Sly Minor"))
    create_player("Sly Engine", bot_level=1)
    Player.objects.filter(username="Sly Minor").update(is_protected=True)
    settings.RATE_LIMITS, settings.PLAYER_SEARCHES_PER_MINUTE = True, 4

    def names(viewer: Any, text: str) -> list[str]:
        found: list[str] = (
            client_for(viewer).get("/players/names.json", {"q": text}).json()["names"]
        )
        return found

    assert names(None, "SLY") == ["Sly Fox", "Slyboots"]
    assert names(sly, "sly") == ["Slyboots"]  # nobody challenges themselves
    assert names(None, "") == names(None, "nobody") == []
    assert client_for(None).get("/players/names.json?q=sly").status_code == 429
    assert client_for(None).get("/players/?q=sly").status_code == 200  # a limit of its own


def test_the_search_reads_the_index_of_names(db: None) -> None:
    if connection.vendor == "postgresql":  # a small table is read faster without its index
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = Player.objects.filter(begins_with("sly"))[:5].explain()
    assert "name_key" in plan and "SCAN lobby_player" not in plan, plan


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/player/no%20one/", "There is no player called “<bdi>no one</bdi>”."),
        ("/match/nosuchone/", "There is no match at this address."),
        ("/tournaments/nosuchone/", "There is no tournament at this address."),
        ("/nowhere/", "There is no page at “<bdi>/nowhere/</bdi>”."),
    ],
)
def test_a_missing_page_says_what_is_missing(db: None, path: str, words: str) -> None:
    answer = client_for(None).get(path)
    assert answer.status_code == 404
    text = " ".join(answer.content.decode().split())
    assert words in text and 'class="masthead"' in text


def test_a_name_is_found_however_it_is_written(db: None) -> None:
    create_player("Sly Fox")
    create_player("Дмитрий")
    assert Client().get("/player/sly%20fox/").headers["Location"] == "/player/Sly%20Fox/"
    assert "Sly Fox" in page(Client(), "/player/Sly%20Fox/")
    assert "Дмитрий" in page(Client(), "/player/Дмитрий/")


def test_the_profile_of_a_guest_who_has_an_account_is_the_accounts(alice: Any) -> None:
    guest = create_player("Sly Fox", is_guest=True)
    merge_guest(guest.pk, alice.pk)
    assert Client().get("/player/Sly%20Fox/").headers["Location"] == "/player/alice/"


def test_a_live_match_is_shown_and_who_is_to_move(alice: Any, bob: Any) -> None:
    match = create_match("six-in-a-row", alice, bob)
    assert f"/match/{match.pk}/" in page(client_for(None), "/player/bob/")
    mine, theirs = page(client_for(alice), "/games/"), page(client_for(bob), "/games/")
    assert "No games where it is your turn" not in mine and "opponent's turn" not in mine.replace(
        "&#x27;", "'"
    )
    assert "No games where it is your turn" in theirs and f"/match/{match.pk}/" in theirs


def test_filters_and_pages_stand_in_the_address(won: Match, bob: Any) -> None:
    client = client_for(None)
    assert won.pk in page(client, "/player/bob/?game=six-in-a-row&result=lost&opponent=alice")
    assert "No games match these filters" in page(client, "/player/bob/?result=won")
    assert "No games match these filters" in page(client, "/player/bob/?opponent=nobody")
    for bad in ("game=chess", "result=x", "length=x", "rated=x", "before=x"):
        assert client.get(f"/player/bob/?{bad}").status_code == 400, bad
        assert client.get(f"/player/bob/games.json?{bad}").status_code == 400, bad


def test_the_history_for_machines(won: Match, alice: Any, bob: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("lobby.players.games.PAGE", 2)
    for _ in range(4):
        match = create_match("tic-tac-toe", alice, bob, plies=2)
        commit_requests([Request(match.pk, alice.pk, Resign())])
        history.write_history([match.pk])
    going_on = create_match("dots-and-boxes", alice, bob)
    client, path, found = Client(), "/player/alice/games.json?opponent=bob", []
    while path:
        body = client.get(path).json()
        assert len(body["games"]) <= 2
        assert ("live" in body) == (not found)
        if not found:
            assert [each["match"] for each in body["live"]] == [going_on.pk]
        found += body["games"]
        path = body["next"]
    assert len(found) == 5
    assert [each["ended_at"] for each in found] == sorted(
        (each["ended_at"] for each in found), reverse=True
    )
    assert found[-1]["match"] == won.pk and found[-1]["result"] == "won"
    assert found[-1]["opponent"] == "bob" and found[-1]["goals"] == {"player1": 100, "player2": 0}
    assert found[0]["result"] == "lost"


def test_all_of_ones_games_can_be_taken_away(won: Match, alice: Any, bob: Any) -> None:
    going_on = create_match("tic-tac-toe", alice, bob, plies=1)
    answer = client_for(alice).get("/games/mine.jsonl")
    lines = b"".join(answer).decode().splitlines()  # type: ignore[call-overload]
    found = [json.loads(line) for line in lines]
    assert [each["match"] for each in found] == [going_on.pk, won.pk]
    assert len(found[1]["moves"]) == 2
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert client_for(None).get("/games/mine.jsonl").status_code == 403


def test_blocking_is_silent(alice: Any, bob: Any) -> None:
    assert client_for(alice).post("/player/bob/block/").status_code == 302
    assert are_apart([alice.pk, bob.pk])
    theirs = page(client_for(bob), "/player/alice/")
    assert "Unblock" not in theirs and "Challenge</a>" in theirs
    answer = client_for(bob).post("/player/alice/challenge/", {"game": "tic-tac-toe"}, follow=True)
    assert "alice is not accepting challenges" in answer.content.decode()
    assert "bob" in page(client_for(alice), "/preferences/")
    client_for(alice).post("/player/bob/unblock/", {"from": "list"})
    assert not Block.objects.exists()


def test_an_invitation_looks_taken_to_who_is_blocked(alice: Any, bob: Any, charlie: Any) -> None:
    address = client_for(alice).post("/seek/", {"game": "tic-tac-toe"}).headers["Location"]
    blocks.block_player(alice.pk, bob.pk)
    assert "has been accepted" in page(client_for(bob), address)
    assert "invited you" in page(client_for(charlie), address)
    assert client_for(bob).post(f"{address}accept/").headers["Location"] == address
    assert Match.objects.count() == 0


def test_a_report_is_about_the_last_game_together(
    won: Match, alice: Any, bob: Any, charlie: Any
) -> None:
    later = create_match("tic-tac-toe", bob, charlie, plies=2)
    commit_requests([Request(later.pk, bob.pk, Resign())])
    history.write_history([later.pk])
    form = {"reason": "other", "words": "So."}
    client_for(alice).post("/player/bob/report/", form)
    client_for(create_player("dora")).post("/player/bob/report/", form)
    assert list(Case.objects.order_by("pk").values_list("match", "player")) == [
        (won.pk, bob.pk), (later.pk, bob.pk),
    ]  # fmt: skip


def test_a_player_without_a_finished_game_is_reported_alone(alice: Any, bob: Any) -> None:
    for who, form, reported in (
        (alice, {"reason": "name"}, True),
        (alice, {"reason": "lobby"}, False),  # already reported
        (bob, {"reason": "cheating"}, False),  # there was no game to cheat in
        (bob, {"reason": "lobby", "words": "Insults everybody."}, True),
    ):
        whom = "bob" if who == alice else "alice"
        before = Report.objects.count()
        answer = client_for(who).post(f"/player/{whom}/report/", form, follow=True)
        assert Report.objects.count() == before + reported, form
        assert ("Thank you" in answer.content.decode()) is reported
    assert {case.match for case in Case.objects.all()} == {None}
    shown = page(client_for(alice), "/player/bob/")
    assert "not finished a game yet" in shown
    assert 'value="lobby"' in shown
    assert 'value="cheating"' not in shown


def test_behaviour_in_the_lobby_is_about_no_game(won: Match, alice: Any, bob: Any) -> None:
    client = client_for(alice)
    for reason in ("lobby", "cheating"):
        client.post("/player/bob/report/", {"reason": reason})
    assert {case.match for case in Case.objects.filter(player=bob)} == {None, won}
    assert 'value="lobby"' not in page(client, f"/match/{won.pk}/")


def test_a_challenge_by_its_pages(alice: Any, bob: Any, charlie: Any) -> None:
    form = {"game": "six-in-a-row", "clock": "3+2", "side": "second"}
    made = client_for(alice).post("/player/bob/challenge/", form)
    address = made.headers["Location"]
    assert "You challenged" in page(client_for(alice), address)
    theirs = page(client_for(bob), address)
    assert "challenged you" in theirs and "You move first" in theirs and "3 + 2" in theirs
    for who in (charlie, None):
        for path in ("", "accept/", "decline/", "withdraw/"):
            client = client_for(who)
            answer = client.post(f"{address}{path}") if path else client.get(address)
            assert answer.status_code in {302, 404}, path
    assert Challenge.objects.get().answer == ""
    client_for(bob).post(f"{address}decline/", {"word": "clock"})
    assert "With another time limit, please." in page(client_for(alice), address)
    again = client_for(alice).post("/player/bob/challenge/", form).headers["Location"]
    begun = client_for(bob).post(f"{again}accept/")
    assert begun.headers["Location"].startswith("/match/")
    for who in (alice, bob):  # later visitors are redirected there too
        assert client_for(who).get(again).headers["Location"] == begun.headers["Location"]
    assert client_for(bob).post(f"{again}accept/").headers["Location"] == begun.headers["Location"]


def test_a_visitor_who_challenges_becomes_a_guest(bob: Any) -> None:
    answer = Client().post("/player/bob/challenge/", {"game": "tic-tac-toe"})
    assert answer.status_code == 302
    assert Challenge.objects.get().challenger.is_guest


@pytest.mark.parametrize("form", [{}, {"game": "chess"}, {"game": "tic-tac-toe", "side": "x"},
                                  {"game": "tic-tac-toe", "clock": "1000+1"}])  # fmt: skip
def test_a_senseless_challenge_is_refused(alice: Any, bob: Any, form: dict[str, str]) -> None:
    assert client_for(alice).post("/player/bob/challenge/", form).status_code == 400


def test_preferences_follow_the_account(alice: Any) -> None:
    first = page(client_for(alice), "/rules/")
    assert 'data-kept="new"' in first
    form = {"scheme": "dark", "board": "slate", "sound": "no", "confirm": "yes"}
    assert client_for(alice).post("/preferences/", form).status_code == 302
    elsewhere = page(client_for(alice), "/rules/")
    for part in ('data-kept="account"', 'data-board="slate"', 'data-sound="no"',
                 'data-confirm="yes"', 'id="dark-colours" media="all"'):  # fmt: skip
        assert part in elsewhere, part
    client_for(alice).post("/preferences/", {"confirm": "", "scheme": "light"})
    later = page(client_for(alice), "/rules/")
    assert "data-confirm" not in later and 'media="not all"' in later
    assert 'data-board="slate"' in later


def test_what_a_browser_brings_along_does_not_replace_anything(alice: Any) -> None:
    script = {"Accept": "application/json"}
    for board in ("paper", "slate"):
        form = {"board": board, "first": "yes"}
        assert client_for(alice).post("/preferences/", form, headers=script).status_code == 204
    assert Preferences.objects.get(player=alice).board == "paper"


def test_guests_keep_theirs_in_the_browser(db: None) -> None:
    guest = create_player("Sly Fox", is_guest=True)
    for who in (guest, None):
        assert "data-kept" not in page(client_for(who), "/preferences/")
        assert client_for(who).post("/preferences/", {"scheme": "dark"}).status_code == 403


@pytest.mark.parametrize("form", [{"scheme": "pink"}, {"board": "x"}, {"sound": ""},
                                  {"challenges": "me"}])  # fmt: skip
def test_a_senseless_preference_is_refused(alice: Any, form: dict[str, str]) -> None:
    assert client_for(alice).post("/preferences/", form).status_code == 400
    assert not Preferences.objects.exists()

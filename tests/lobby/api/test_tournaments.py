"""Tournaments in the API: joining, creating, results, access for groups, and refusals.

The first tests use the client of lichess.
"""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from lobby.accounts import tokens
from lobby.accounts.tokens import SCOPES
from lobby.api import event_stream_leases
from lobby.models import Entry, Pairing, Player, Tournament
from lobby.tournaments.queries import compute_table, iterate_match_ids
from tests.builders.api import create_client, create_token, send_request
from tests.builders.groups import create_group
from tests.builders.players import create_bot, create_organiser, create_player, create_players
from tests.builders.sites import Site
from tests.builders.tournaments import (
    create_tournament,
    join_players,
    pass_time,
    play_tournament,
    run_due_steps,
    start_tournament,
)

IS_ALONE = True  # alice has no games or events from other modules

State = Tournament.State


def test_lichess_client_makes_one_joins_leaves_and_ends_it(site: Site) -> None:
    known = create_token(site, "bob")
    alice, bob = create_client(site, create_token(site, "alice")), create_client(site, known)
    made = alice.tournaments.create_arena(
        5, 3, 45, name="Evening", wait_minutes=30, rated=False, variant="dots-and-boxes",
        description="Come!", minRating=500,
    )  # fmt: skip
    pk = made["id"]
    assert made["fullName"] == "Evening"
    assert made["clock"] == {"limit": 300, "increment": 3}
    assert (made["createdBy"], made["system"], made["minRating"]) == ("alice", "arena", 500)
    wait = made["startsAt"] - timezone.now()
    assert 29 < wait.total_seconds() / 60 <= 30
    assert made["state"] == "registration"
    for _ in range(2):  # a repeat changes nothing
        bob.tournaments.join_arena(pk, should_pair_immediately=True)
    alice.tournaments.join_arena(pk)
    (line,) = [each for each in bob.tournaments.get()["created"] if each["id"] == pk]
    assert line["nbPlayers"] == 2
    assert line["startsAt"] == made["startsAt"]
    assert {each["username"] for each in bob.tournaments.stream_results(pk)} == {"alice", "bob"}
    assert len(list(bob.tournaments.stream_results(pk, limit=1))) == 1
    assert bob.tournaments.get_tournament(pk)["me"]["state"] == "in"
    for _ in range(2):
        bob.tournaments.withdraw_arena(pk)
    assert [each["id"] for each in bob.tournaments.stream_results(pk)] == ["alice"]
    assert [each["id"] for each in bob.tournaments.stream_by_creator("alice")] == [pk]
    assert list(bob.tournaments.export_arena_games(pk)) == []
    status, body, _ = send_request(site, "POST", f"/api/tournament/{pk}/terminate", known)
    assert (status, body["error"]["code"]) == (403, "not-allowed")
    alice.tournaments.terminate_arena(pk)
    assert bob.tournaments.get_tournament(pk)["state"] == "called-off"


# -- in one process


def api(who: Player | None, method: str, path: str, *scopes: str, body: Any = None) -> Any:
    """Return the response to a player's token, with all scopes or with these."""
    headers = {}
    if who is not None:
        text = tokens.create_token(who.pk, "a test", scopes or SCOPES).text
        headers = {"Authorization": f"Bearer {text}"}
    data = "" if body is None else json.dumps(body)
    kind = "application/json"
    return Client().generic(method, f"/api{path}", data, content_type=kind, headers=headers)


def refusal(answer: Any) -> tuple[int, str, str]:
    error = json.loads(answer.content)["error"]
    return answer.status_code, error["code"], str(error["params"].get("where", ""))


def lines(answer: Any) -> list[Any]:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return [json.loads(each) for each in body.splitlines()]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", Tournament.Kind.values)
def test_results_and_games_are_those_of_the_tournament(kind: str) -> None:
    players = create_players(6)
    found = create_tournament(players[0], kind)
    join_players(found, players)
    start_tournament(found)
    running = api(None, "GET", f"/tournament/{found.pk}").json()
    assert (running["status"], running["isStarted"], running["nbPlayers"]) == (20, True, 6)
    if kind == "arena":
        assert api(players[0], "POST", f"/tournament/{found.pk}/terminate").status_code == 200
        found.refresh_from_db()
        until_over(found)
    else:
        play_tournament(found)
    given = api(None, "GET", f"/tournament/{found.pk}/results")
    rows, known = lines(given), compute_table(found)
    entries = dict(found.entries.values_list("pk", "player__username"))
    assert [(row["rank"], row["username"]) for row in rows] == [
        (row.rank, entries[row.entry]) for row in known
    ]
    given_points = [row["score"] if kind == "arena" else row["points"] for row in rows]
    assert given_points == [row.points / 100 for row in known]
    games = lines(api(None, "GET", f"/tournament/{found.pk}/games"))
    rows_of = found_pairings(found)
    assert [game["id"] for game in games] == rows_of
    whole = api(None, "GET", f"/tournament/{found.pk}")
    assert whole.json()["standing"]["players"] == rows[:10]
    assert (whole.json()["status"], whole.json()["isFinished"]) == (30, True)
    again = Client().get(
        f"/api/tournament/{found.pk}/results", headers={"If-None-Match": given.headers["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    Player.objects.filter(username=rows[0]["username"]).update(username="Renamed")
    for path, before in (("", whole), ("/results", given)):
        renamed = Client().get(
            f"/api/tournament/{found.pk}{path}", headers={"If-None-Match": before.headers["ETag"]}
        )
        assert "Renamed" in renamed.content.decode()


def found_pairings(found: Tournament) -> list[str]:
    rows = Pairing.objects.filter(tournament=found, match__isnull=False)
    return list(rows.order_by("round", "board", "leg").values_list("match", flat=True))


def until_over(found: Tournament) -> None:
    run_due_steps()
    found.refresh_from_db()
    assert found.state == State.OVER


@pytest.mark.django_db
def test_games_come_in_several_pieces_each_once() -> None:
    players = create_players(8)
    found = create_tournament(players[0], "round-robin")
    join_players(found, players)
    start_tournament(found)
    play_tournament(found)
    pages = list(iterate_match_ids(found, 3))
    assert max(map(len, pages)) == 3
    assert [pk for page in pages for pk in page] == found_pairings(found)


@pytest.mark.django_db
def test_a_groups_tournament_is_there_for_its_members_alone() -> None:
    olga, mia, eve = create_organiser(), create_player("Mia"), create_player("Eve")
    group = create_group(olga, mia)
    made = api(
        olga, "POST", "/tournament",
        body={"system": "swiss", "rounds": 3, "conditions.teamMember.teamId": group.pk},
    )  # fmt: skip
    assert made.status_code == 200, made.content
    pk = made.json()["id"]
    Tournament.objects.update(state=State.REGISTRATION)
    for path in ("", "/results", "/games"):
        assert api(mia, "GET", f"/tournament/{pk}{path}").status_code == 200, path
        for who, scopes in ((None, ()), (eve, ()), (mia, ("games:read",))):
            answer = api(who, "GET", f"/tournament/{pk}{path}", *scopes)
            assert answer.status_code == 404, (path, who)
    for act in ("join", "withdraw", "terminate"):
        assert api(eve, "POST", f"/tournament/{pk}/{act}").status_code == 404
    for path, name in (("/tournament", "created"), ("/user/olga brook/tournament/created", "")):
        for who, many in ((mia, 1), (eve, 0), (None, 0)):
            answer = api(who, "GET", path)
            found = answer.json()[name] if name else lines(answer)
            assert len(found) == many, (path, who)
    assert api(mia, "POST", f"/tournament/{pk}/join").status_code == 200
    assert Entry.objects.get().player == mia


@pytest.mark.django_db
def test_a_code_is_asked_for_and_told_to_the_organiser_alone() -> None:
    olga, mia = create_player("Olga Brook"), create_player("Mia")
    made = api(olga, "POST", "/tournament", body={"minutes": 20, "clockTime": 3,
                                                  "registration": "code"}).json()  # fmt: skip
    Tournament.objects.update(state=State.REGISTRATION)
    assert made["private"]
    assert "code" not in api(mia, "GET", f"/tournament/{made['id']}").json()
    path = f"/tournament/{made['id']}/join"
    assert refusal(api(mia, "POST", path))[:2] == (403, "wrong-code")
    assert refusal(api(mia, "POST", path, body={"password": "nonsense"}))[:2] == (403, "wrong-code")
    assert api(mia, "POST", f"{path}?password={made['code']}").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({}, (400, "arena-clock", "variant minutes")),
        ({"minutes": 0, "clockTime": 3}, (400, "number-between", "minutes")),
        ({"minutes": 9, "clockTime": 3, "startDate": 0}, (400, "in-the-past", "startDate")),
        ({"minutes": 9, "clockTime": 3, "startDate": 2**45}, (400, "too-far", "startDate")),
        ({"minutes": 9, "clockTime": 3, "variant": "chess"}, (400, "malformed", "variant")),
        ({"system": "swiss", "name": "\u202e"}, (400, "event-name", "name rounds")),
        ({"system": "swiss", "name": "a" * 61, "rounds": 2}, (400, "event-name-long", "name")),
        ({"system": "knockout", "bestOf": 2}, (400, "malformed", "bestOf")),
        ({"system": "knockout", "tieBreaks": "luck"}, (400, "malformed", "tieBreaks")),
        ({"system": "knockout", "registration": "group"}, (400, "event-group", "registration")),
        ({"system": "round-robin", "most": 41}, (400, "number-between", "most")),
        ({"system": "knockout", "password": "sesame"}, (400, "malformed", "password")),
        ({"system": "ladder"}, (400, "malformed", "system")),
        (
            {
                "minutes": 9,
                "clockTime": 3,
                "variant": "six-in-a-row",
                "rated": True,
                "conditions.bots": True,
            },
            (400, "bots-rated", "conditions.bots"),
        ),
        ({"conditions.teamMember.teamId": "nosuch"}, (403, "not-allowed", "")),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_made(asked: Any, wanted: Any) -> None:
    assert refusal(api(create_player("Olga Brook"), "POST", "/tournament", body=asked)) == wanted
    assert not Tournament.objects.exists()


@pytest.mark.django_db
def test_everything_that_the_form_asks_can_be_asked() -> None:
    olga = create_player("Olga Brook")
    starts = round(timezone.now().timestamp() * 1000) + 86_400_000
    answer = api(
        olga, "POST", "/tournament",
        body={
            "system": "swiss", "name": "Thursday", "description": "Line one\nline two",
            "variant": "tic-tac-toe", "clockTime": 1, "clockIncrement": 2, "rounds": 4,
            "tieBreaks": "wins,buchholz", "startDate": starts, "opensAt": starts - 3_600_000,
            "registration": "invitation", "guests": True, "most": 12, "checkInMinutes": 10,
            "conditions.minRating.rating": 900, "conditions.maxRating.rating": 1900,
            "pace": "timed", "roundMinutes": 15, "lateMinutes": 3, "weekly": True, "best": 3,
        },
    )  # fmt: skip
    assert answer.status_code == 200, answer.content
    made, given = Tournament.objects.get(), answer.json()
    assert (made.clock, made.rounds, made.tie_breaks) == ("1+2", 4, "wins,buchholz")
    assert (made.pace, made.round_minutes, made.late_minutes) == ("timed", 15, 3)
    assert (made.guests, made.most, made.lowest, made.highest) == (True, 12, 900, 1900)
    assert made.series is not None and (made.series.best, made.series.every_days) == (3, 7)
    assert (given["startsAt"], given["opensAt"]) == (starts, starts - 3_600_000)
    assert (given["description"], given["series"]) == (made.about, made.series_id)
    assert given["tieBreaks"] == ["wins", "buchholz"]


@pytest.mark.django_db
def test_a_bot_joins_an_arena_that_says_so_and_has_its_title() -> None:
    olga, anna, bot = create_player("Olga Brook"), create_player("Anna Berg"), create_bot("tinker")
    asked = {"minutes": 9, "clockTime": 3, "waitMinutes": 1}
    closed = api(olga, "POST", "/tournament", body=asked).json()
    found = api(olga, "POST", "/tournament", body={**asked, "conditions.bots": True}).json()
    ignored = api(
        olga, "POST", "/tournament", body={"system": "knockout", "conditions.bots": True}
    ).json()
    told = api(None, "GET", "/tournament").json()["created"]
    assert {each["id"]: each["botsAllowed"] for each in told} == {
        closed["id"]: False,
        found["id"]: True,
        ignored["id"]: False,
    }
    text = tokens.create_token(bot.pk, "a stream", ("bot",))
    event_stream_leases.begin_stream(text.id, "stream")
    path = f"/tournament/{found['id']}"
    assert refusal(api(bot, "POST", f"/tournament/{closed['id']}/join"))[1] == "event-bot"
    assert refusal(api(bot, "POST", f"{path}/join", "bot"))[1] == "scope-missing"
    assert api(bot, "POST", f"{path}/join").status_code == 200
    assert api(anna, "POST", f"{path}/join?pairMeAsap=true").status_code == 200
    made = Tournament.objects.get(pk=found["id"])
    start_tournament(made)
    run_due_steps()
    pass_time(made, 0.1)
    (pairing,) = Pairing.objects.select_related("match")
    assert pairing.match is not None and not pairing.match.rated
    rows = api(None, "GET", f"{path}/results").content.splitlines()
    titles = {each["username"]: each.get("title") for each in map(json.loads, rows)}
    assert titles == {"tinker": "BOT", "Anna Berg": None}


@pytest.mark.django_db
def test_tie_breaks_that_a_kind_does_not_have_are_passed_over() -> None:
    players = create_players(4)
    found = create_tournament(players[0], "knockout", tie_breaks=("wins", "buchholz"))
    join_players(found, players)
    start_tournament(found)
    play_tournament(found)
    assert found.tie_breaks == ""
    assert len(compute_table(found)) == 4


@pytest.mark.django_db
def test_a_program_that_joins_with_its_event_stream_open_is_present_at_once() -> None:
    players = create_players(2)
    found = create_tournament(players[0], "arena")
    for each in players:
        made = tokens.create_token(each.pk, "it", ("tournaments",))
        event_stream_leases.begin_stream(made.id, "stream")
        assert api(each, "POST", f"/tournament/{found.pk}/join").status_code == 200
    start_tournament(found)
    run_due_steps()
    pass_time(found, 0.1)
    assert Pairing.objects.count() == 1


@pytest.mark.django_db
def test_who_asks_to_be_paired_is_paired_without_the_page_and_comes_back() -> None:
    players = create_players(4)
    found = create_tournament(players[0], "arena")
    join_players(found, players[:2])
    start_tournament(found)
    path = f"/tournament/{found.pk}"
    assert not Pairing.objects.exists()  # nobody is present
    for each in players[1:3]:  # a player who is in it, and one who comes late
        assert api(each, "POST", f"{path}/join?pairMeAsap=true").status_code == 200
    assert api(players[3], "POST", f"{path}/join").status_code == 200
    run_due_steps()
    pass_time(found, 0.1)
    (pairing,) = Pairing.objects.select_related("first", "second")
    assert pairing.second is not None
    assert {pairing.first.player_id, pairing.second.player_id} == {
        players[1].pk,
        players[2].pk,
    }
    assert api(players[3], "POST", f"{path}/withdraw").status_code == 200
    assert api(players[3], "POST", f"{path}/withdraw").status_code == 200
    assert api(players[3], "GET", path).json()["me"] == {"state": "withdrawn", "withdraw": True}
    assert api(players[3], "POST", f"{path}/join").status_code == 200
    assert api(players[3], "GET", path).json()["me"] == {"state": "in", "withdraw": False}

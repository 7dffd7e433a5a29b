"""The pages of tournaments: access and content."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from lobby.models import Entry, Group, Pairing, Player, Tournament
from lobby.tournaments import registration, series
from lobby.tournaments.verification import verify_tournaments
from lobby.tournaments.views import StandingsRow, get_result_letters, get_stage
from lobby.views.tournament_page import podium
from tests.builders.groups import create_group
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_organiser, create_player, create_players
from tests.builders.tournaments import (
    create_form,
    create_tournament,
    decide_at_random,
    get_page,
    join_players,
    pass_time,
    play_round,
    play_tournament,
    post_action,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db

State = Tournament.State
KINDS = ("round-robin", "swiss", "knockout", "arena")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_shown_from_its_start_to_its_end(kind: str) -> None:
    olga, players = create_player("Olga Brook"), create_players(5)
    made = create_tournament(olga, kind)
    for who in (None, olga, players[0]):
        assert "Evening" in get_page(who, made)
    join_players(made, players)
    start_tournament(made)
    for who in (None, olga, players[0]):
        assert players[1].name in get_page(who, made)
        assert get_text(client_for(who).get(f"/tournaments/{made.pk}/?display"))
    if kind == "arena":
        return
    play_round(made, decide_at_random(3))
    get_page(players[0], made)
    play_tournament(made, decide_at_random(5))
    shown = get_page(players[0], made)
    assert "Final standings" in shown and 'class="podium"' in shown
    for entry in made.entries.all():
        card = get_text(client_for(None).get(f"/tournaments/{made.pk}/player/{entry.pk}/"))
        assert "Tie-breaks explained" in card, entry.pk
    display = get_text(client_for(None).get(f"/tournaments/{made.pk}/?display"))
    main = display.split("<main")[1].split("</main>")[0]
    assert "Final standings" in main and "<form" not in main


def test_the_place_of_a_player_leads_to_their_game() -> None:
    made, players = create_tournament(create_player("Olga Brook")), create_players(4)
    join_players(made, players)
    start_tournament(made)
    entry = Entry.objects.select_related("playing").get(player=players[0])
    assert entry.playing is not None
    shown = get_page(players[0], made)
    assert f'data-my-match="{entry.playing.match_id}"' in shown and "Go to your game" in shown
    assert "Go to your game" not in get_page(None, made)


@pytest.mark.parametrize("kind", ["swiss", "round-robin"])
def test_a_crosstable_has_a_cell_for_every_round_or_opponent(kind: str) -> None:
    made = create_tournament(create_player("Olga Brook"), kind)
    join_players(made, create_players(5))
    start_tournament(made)
    for _ in range(2):
        cross = client_for(None).get(made.get_absolute_url()).context["cross"]
        assert {len(row["cells"]) for row in cross["rows"]} == {len(cross["heads"])}
        play_round(made)


def test_every_page_of_the_site_tells_who_plays_next() -> None:
    made, players = create_tournament(create_player("Olga Brook")), create_players(4)
    join_players(made, players)
    start_tournament(made)
    told = get_text(client_for(players[0]).get("/ratings/"))
    assert "Evening: your Six in a Row game against" in told
    assert "Evening: your game" not in get_text(
        client_for(create_player("Ed Other")).get("/ratings/")
    )


def test_the_crosstable_has_every_game_and_addresses_that_are_none_are_refused() -> None:
    made, players = create_tournament(create_player("Olga Brook"), "round-robin"), create_players(4)
    join_players(made, players)
    start_tournament(made)
    play_tournament(made)
    shown = get_page(None, made)
    for match_id in Pairing.objects.values_list("match", flat=True):
        assert shown.count(f"/match/{match_id}/") >= 2, match_id
    for bad in ("round=x", "round=0", "round=99", "place=-1", "log=1.5", "board=99999999"):
        answer = client_for(None).get(f"/tournaments/{made.pk}/?{bad}")
        assert answer.status_code == 400, bad
    assert client_for(None).get(f"/tournaments/{made.pk}/player/999999/").status_code == 404
    assert client_for(None).get("/tournaments/nosuch/").status_code == 404


def test_the_list_has_what_is_mine_open_running_and_over() -> None:
    olga, players = create_player("Olga Brook"), create_players(4)
    running, over, open_ = create_tournament(olga), create_tournament(olga), create_tournament(olga)
    for made in (running, over):
        join_players(made, players)
        start_tournament(made)
    play_tournament(over)
    answer = client_for(players[0]).get("/tournaments/")
    lists = {each["id"]: [row["url"] for row in each["events"]] for each in answer.context["lists"]}
    assert lists["running"] == [running.get_absolute_url()]
    assert lists["over"] == [over.get_absolute_url()]
    assert lists["open"] == [open_.get_absolute_url()]
    assert set(lists["mine"]) == {running.get_absolute_url(), over.get_absolute_url()}
    assert {each["id"] for each in client_for(None).get("/tournaments/").context["lists"]} == {
        "running", "open", "over",
    }  # fmt: skip
    place = "2020-01-01T10:00:00Z"
    for bad in ("open=x", "over=2020-13-01", "mine=", f"open={place}", f"running={place}~/",
                f"open={place[:-1]}~abc", f"over={place}~abc%00"):  # fmt: skip
        assert client_for(olga).get(f"/tournaments/?{bad}").status_code == 400, bad


STATES = {"mine": State.OVER, "running": State.RUNNING, "open": State.REGISTRATION,
          "over": State.OVER}  # fmt: skip


@pytest.mark.parametrize("name", STATES)
def test_lists_go_on_where_the_last_page_ended_also_among_equal_times(
    name: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr("lobby.tournaments.queries.PAGE", 2)
    monkeypatch.setattr(settings, "UNFINISHED_TOURNAMENTS_PER_ORGANISER", 9)
    olga, at = create_player("Olga Brook"), timezone.now() + timedelta(hours=1)
    made = [create_tournament(olga).pk for _ in range(7)]
    early, late = made[0], made[1]
    Tournament.objects.update(state=STATES[name], starts_at=at, ended_at=at)
    for pk, minutes in ((early, -1), (late, 1)):
        moved = at + timedelta(minutes=minutes)
        Tournament.objects.filter(pk=pk).update(starts_at=moved, ended_at=moved)
    found, query = [], ""
    while True:
        lists = client_for(olga).get(f"/tournaments/{query}").context["lists"]
        (shown,) = [each for each in lists if each["id"] == name]
        found += [row["url"].split("/")[2] for row in shown["events"]]
        if not shown["next"]:
            break
        query = f"?{shown['next']}"
    first, last = (early, late) if name == "open" else (late, early)
    same = Tournament.objects.filter(pk__in=made[2:]).order_by("id").values_list("pk", flat=True)
    assert found == [first, *same, last]


def test_a_match_of_a_knockout_is_on_one_page(monkeypatch: Any) -> None:
    monkeypatch.setattr("lobby.views.tournament_rows.BOARDS", 3)
    made = create_tournament(create_player("Olga Brook"), "knockout", best_of=3)
    join_players(made, create_players(8))
    start_tournament(made)
    play_round(made)
    seen, board = [], "1"
    while board:
        pairs = (
            client_for(None).get(f"/tournaments/{made.pk}/?round=1&board={board}").context["pairs"]
        )
        seen += [row["match"] for row in pairs["rows"]]
        board = pairs["next"]
    order = Pairing.objects.filter(tournament=made).order_by("board", "leg")
    assert seen == list(order.values_list("match", flat=True)) and len(seen) == 8


def test_pages_cost_few_queries_however_many_play() -> None:
    counts = []
    for many in (4, 16):
        made = create_tournament(create_player(f"Olga {many:02}"))
        join_players(
            made, [create_player(f"Pupil {many:02} {number:02}") for number in range(many)]
        )
        start_tournament(made)
        client = client_for(None)
        client.get(made.get_absolute_url())
        with CaptureQueriesContext(connection) as queries:
            client.get(made.get_absolute_url())
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 25, counts


# -- groups and series


@pytest.fixture
def pupils() -> tuple[Player, Group, list[Player]]:
    olga, members = create_organiser(), create_players(5)
    return olga, create_group(olga, *members), members


def test_a_groups_tournament_is_its_members_alone(pupils: Any) -> None:
    olga, group, members = pupils
    made = create_tournament(olga, registration="group", group_id=group.pk)
    join_players(made, members)
    paths = ("", "results.json", f"player/{Entry.objects.all()[0].pk}/", "?display")
    stranger = create_player("Ed Other")
    for path in paths:
        for who in (None, stranger):
            assert client_for(who).get(f"/tournaments/{made.pk}/{path}").status_code == 404, path
        assert client_for(members[0]).get(f"/tournaments/{made.pk}/{path}").status_code == 200, path
    assert client_for(None).post(f"/tournaments/{made.pk}/do/register/").status_code == 404
    assert made.name not in get_text(client_for(None).get("/tournaments/"))
    assert made.name in get_text(client_for(members[0]).get("/tournaments/"))


def test_a_season_adds_up_the_best_results() -> None:
    olga, players = create_player("Olga Brook"), create_players(4)
    made = create_tournament(olga)
    found = series.create_series(olga, made.pk, "Thursdays", 7, 1)
    join_players(made, players)
    start_tournament(made)
    play_tournament(made)
    answer = client_for(players[0]).get(found.get_absolute_url())
    shown = get_text(answer)
    assert "the best 1 result counts" in shown
    rows = answer.context["rows"]
    assert rows[0]["name"] == players[0].name and rows[0]["is_me"]
    assert Tournament.objects.filter(series=found).count() == 2
    assert client_for(players[0]).post(found.get_absolute_url()).status_code == 403
    assert client_for(None).post(found.get_absolute_url()).status_code == 403
    client_for(olga).post(found.get_absolute_url())
    found.refresh_from_db()
    assert found.every_days == 0


def test_a_bye_has_a_point_and_no_score() -> None:
    made = create_tournament(create_player("Olga Brook"))
    join_players(made, create_players(3))
    start_tournament(made)
    play_round(made, decide_at_random(1))
    number = made.round - 1
    bye = Pairing.objects.get(tournament=made, round=1, second=None)
    made.round = 1
    found = get_result_letters(made)
    assert number == 1 and len(found) == 2
    assert found[bye.board - 1] == "-" and found.replace("-", "", 1) in "wdl"
    shown = get_page(None, made, "?round=1")
    assert "bye: 1 point" in shown and "bye 1</span>" in shown  # pairs, and crosstable


def test_results_of_what_is_over_are_not_sent_twice() -> None:
    made, players = create_tournament(create_player("Olga Brook")), create_players(4)
    join_players(made, players)
    start_tournament(made)
    client = client_for(None)
    forms = ("json", "csv", "trf")
    for each in forms:
        answer = client.get(f"/tournaments/{made.pk}/results.{each}")
        assert answer.status_code == 200 and "ETag" not in answer.headers, each
    play_tournament(made)
    for each in forms:
        answer = client.get(f"/tournaments/{made.pk}/results.{each}")
        assert players[0].name in answer.content.decode(), each
        again = client.get(
            f"/tournaments/{made.pk}/results.{each}", headers={"If-None-Match": answer["ETag"]}
        )
        assert again.status_code == 304 and again.content == b"", each
        Player.objects.filter(pk=players[0].pk).update(username=f"Renamed {each}")
        renamed = client.get(
            f"/tournaments/{made.pk}/results.{each}", headers={"If-None-Match": answer["ETag"]}
        )
        assert f"Renamed {each}" in renamed.content.decode(), each
        players[0].refresh_from_db()
    assert client.get(f"/tournaments/{made.pk}/results.exe").status_code == 404
    arena = create_tournament(create_player("Oscar Brook"), "arena")
    assert client.get(f"/tournaments/{arena.pk}/results.trf").status_code == 404


def test_who_has_withdrawn_comes_back() -> None:
    made, players = create_tournament(create_player("Olga Brook")), create_players(4)
    join_players(made, players)
    start_tournament(made)
    client = client_for(players[0])
    post_action(client, made, "withdraw")
    assert Entry.objects.get(player=players[0]).state == Entry.State.WITHDRAWN
    assert "Rejoin" in get_page(players[0], made)
    post_action(client, made, "register")
    assert Entry.objects.get(player=players[0]).is_in


def test_the_stage_changes_with_all_that_frames_do_not_tell() -> None:
    made, players = create_tournament(create_player("Olga Brook")), create_players(4)
    seen = [get_stage(made)]

    def is_new() -> bool:
        made.refresh_from_db()
        seen.append(get_stage(made))
        return seen[-1] != seen[-2]

    join_players(made, players)
    assert not is_new()  # a new player is sent in a frame
    client = client_for(made.organiser)
    client.post(f"/tournaments/{made.pk}/change/", create_form(name="Another evening"))
    assert is_new()
    start_tournament(made)
    assert is_new()
    for act in ("pause", "resume"):
        post_action(client, made, act)
        assert is_new(), act
    play_round(made)
    assert is_new()


def test_a_knockout_promises_nobody_a_way_back() -> None:
    made, players = create_tournament(create_player("Olga Brook"), "knockout"), create_players(4)
    join_players(made, players)
    start_tournament(made)
    client = client_for(players[0])
    shown = get_text(client.get(made.get_absolute_url()))
    assert "again and cannot rejoin" in shown and "unless you rejoin" not in shown
    post_action(client, made, "withdraw")
    shown = get_text(client.get(made.get_absolute_url()))
    assert "Players cannot rejoin a knockout." in shown
    assert "Rejoin</button>" not in shown


def test_who_has_lost_in_a_knockout_is_told_that_they_are_out() -> None:
    made, players = create_tournament(create_player("Olga Brook"), "knockout"), create_players(4)
    join_players(made, players)
    start_tournament(made)
    play_round(made)
    lost, won = Pairing.objects.filter(tournament=made, round=1).first(), []
    assert lost is not None and lost.second is not None
    for entry in (lost.first, lost.second):
        shown = get_text(client_for(entry.player).get(made.get_absolute_url()))
        is_out = "You are out. Rank" in shown
        assert is_out != ("Withdraw from the tournament" in shown)
        assert is_out != ("when your next game starts" in shown or "Go to your game" in shown)
        won.append(not is_out)
    assert sorted(won) == [False, True]


def test_the_podium_has_all_who_share_the_third_place() -> None:
    made = create_tournament(create_player("Olga Brook"), "knockout")
    join_players(made, create_players(4))
    start_tournament(made)
    play_tournament(made)
    shown = get_page(None, made).split('class="podium">')[1].split("</ol>")[0]
    steps = shown.split("data-rank=")[1:]
    assert [step.count("<bdi>") for step in steps] == [1, 1, 2]
    assert re.findall(r'class="step"[^>]*>\s*(\d+)\s*<', shown) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("ranks", "steps"),
    [
        ([1, 2, 3, 4], [(1, 1, 0), (2, 1, 0), (3, 1, 0)]),
        ([1, 2, 3, 3, 5], [(1, 1, 0), (2, 1, 0), (3, 2, 0)]),
        ([1, 2, 2, 4], [(1, 1, 0), (2, 2, 0)]),
        ([1, 2, *[3] * 9], [(1, 1, 0), (2, 1, 0), (3, 6, 3)]),  # six are named
        ([1] * 7, [(1, 6, 1)]),
        ([], []),
    ],
)
def test_players_who_share_a_place_stand_on_one_step(
    ranks: list[int], steps: list[tuple[int, int, int]]
) -> None:
    lines = [StandingsRow(rank, entry, "", "") for entry, rank in enumerate(ranks)]
    assert [(step["rank"], len(step["rows"]), step["more"]) for step in podium(lines)] == steps


def test_final_standings_count_who_has_withdrawn() -> None:
    made, players = (
        create_tournament(create_player("Olga Brook"), "swiss", rounds=2),
        create_players(5),
    )
    join_players(made, players)
    start_tournament(made)
    post_action(client_for(players[0]), made, "withdraw")
    play_tournament(made)
    shown = get_page(None, made)
    assert 'Final standings <span class="quiet" id="players">5</span>' in shown
    assert shown.count("<tr data-entry=") == 5 and "5 players" in shown
    assert '"players": 5' in shown  # and the frame agrees
    assert "5 players" in get_text(Client().get("/tournaments/"))


@pytest.mark.parametrize("by_themselves", [True, False])
def test_the_counts_agree_after_a_player_who_did_not_check_in_comes_late(
    by_themselves: bool,
) -> None:
    olga, players = create_player("Olga Brook"), create_players(5)
    made = create_tournament(olga, "swiss", rounds=2, check_in_minutes=30)
    join_players(made, players)
    pass_time(made, 40)
    for each in players[:4]:
        registration.check_in(each, made.pk)
    start_tournament(made)
    late = players[4]
    for count, client in ((4, None), (5, client_for(late if by_themselves else olga))):
        if client is not None:
            act = "register" if by_themselves else "add"
            post_action(client, made, act, player=late.name, half_points=0)
        shown = get_page(None, made)
        assert shown.count("<tr data-entry=") == count and f'"players": {count}' in shown
        assert f"{count} players" in get_text(Client().get("/tournaments/"))
    play_tournament(made)
    assert Pairing.objects.filter(tournament=made, round=2, match__isnull=False).count() == 2
    assert Entry.objects.get(tournament=made, player=late).rank is not None
    assert verify_tournaments().faults == []


def test_a_round_robin_takes_nobody_who_did_not_check_in() -> None:
    olga, players = create_player("Olga Brook"), create_players(3)
    made = create_tournament(olga, "round-robin", check_in_minutes=30)
    join_players(made, players)
    pass_time(made, 40)
    for each in players[:2]:
        registration.check_in(each, made.pk)
    start_tournament(made)
    assert "You did not check in" in get_page(players[2], made)
    post_action(client_for(players[2]), made, "register")
    assert Entry.objects.get(tournament=made, player=players[2]).state == Entry.State.WITHDRAWN


def test_a_cancelled_tournament_has_no_final_standings() -> None:
    olga, players = create_player("Olga Brook"), create_players(2)
    made = create_tournament(olga)
    join_players(made, players)
    post_action(client_for(olga), made, "call-off")
    shown = get_page(None, made)
    assert "Final standings" not in shown and shown.count("<tr data-entry=") == 2


def test_what_was_started_says_so_until_its_first_step() -> None:
    olga, players = create_player("Olga Brook"), create_players(4)
    made = create_tournament(olga)
    join_players(made, players)
    assert "Starting</span>" not in get_page(olga, made)
    post_action(client_for(olga), made, "start")
    for who in (olga, players[0], None):
        shown = get_page(who, made)
        assert "Starting</span>" in shown and "Starts in" not in shown
        assert "Start now</button>" not in shown
    run_due_steps()
    assert "Starting</span>" not in get_page(olga, made)

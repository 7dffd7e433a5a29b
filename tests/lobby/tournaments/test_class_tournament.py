"""A tournament of those present: the check-in list, its plan, and its start at once."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from lobby.models import Group, Player, Server, Tournament
from lobby.tournaments.class_tournament import (
    KINDS,
    count_rounds,
    estimate_end,
    estimate_round,
    list_possible_players,
)
from lobby.tournaments.lifecycle import count_rounds as count_rounds_at_the_start
from tests.builders.groups import create_group
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_organiser, create_player, create_players
from tests.builders.tournaments import get_page, run_due_steps

pytestmark = pytest.mark.django_db


@pytest.fixture
def pupils() -> tuple[Player, Group, list[Player]]:
    olga, members = create_organiser(), create_players(5)
    return olga, create_group(olga, *members), members


def go_online(*players: Player, server: str = "elsewhere") -> None:
    Server.objects.create(
        id=server,
        online=len(players),
        players=",".join(str(each.pk) for each in players),
        seen_at=timezone.now(),
    )


def form(players: list[Player], **more: Any) -> dict[str, Any]:
    return {
        "game": "six-in-a-row",
        "clock": "5+3",
        "kind": "swiss",
        "rounds": "3",
        "player": [each.pk for each in players],
        **more,
    }


def find_ticked(who: Player, group: Group) -> set[int]:
    context = client_for(who).get(f"/groups/{group.pk}/tournament/").context
    return {each.player for each, is_ticked, _ in context["candidates"] if is_ticked}


def test_players_online_are_ticked_and_the_teacher_is_not(pupils: Any) -> None:
    olga, group, members = pupils
    go_online(olga, *members[:2])
    go_online(members[2], create_player("Ed Other"), server="another")
    assert find_ticked(olga, group) == {each.pk for each in members[:3]}
    shown = get_text(client_for(olga).get(f"/groups/{group.pk}/tournament/"))
    assert all(each.name in shown for each in (olga, *members))
    assert "3 players" in shown and "3 rounds" in shown and "ends at the latest" in shown
    assert f"/groups/{group.pk}/tournament/" in get_text(
        client_for(olga).get(f"/groups/{group.pk}/")
    )


def test_those_who_are_ticked_are_paired_at_once(pupils: Any) -> None:
    olga, group, members = pupils
    answer = client_for(olga).post(f"/groups/{group.pk}/tournament/", form(members[:4]))
    made = Tournament.objects.get()
    assert answer.headers["Location"] == made.get_absolute_url()
    run_due_steps()
    made.refresh_from_db()
    assert (made.state, made.round, made.rounds) == (Tournament.State.RUNNING, 1, 3)
    playing = made.entries.filter(playing__isnull=False).values_list("player", flat=True)
    assert set(playing) == {each.pk for each in members[:4]}
    assert made.group == group and made.name in get_page(members[4], made)
    assert members[4].name in get_page(olga, made)  # who came late is offered by name


def test_a_teacher_who_is_ticked_plays(pupils: Any) -> None:
    olga, group, members = pupils
    asked = form([olga, members[0], members[1]], kind="round-robin")
    client_for(olga).post(f"/groups/{group.pk}/tournament/", asked)
    run_due_steps()
    made = Tournament.objects.get()
    assert made.rounds == 3 and made.entries.filter(player=olga).exists()


def test_a_form_that_is_sent_twice_starts_one_tournament(pupils: Any) -> None:
    olga, group, members = pupils
    token = client_for(olga).get(f"/groups/{group.pk}/tournament/").context["token"]
    asked = form(members, token=token)
    answers = [client_for(olga).post(f"/groups/{group.pk}/tournament/", asked) for _ in range(2)]
    made = Tournament.objects.get()
    assert {each.headers["Location"] for each in answers} == {made.get_absolute_url()}
    assert made.entries.count() == 5


def test_others_and_nonsense_start_nothing(pupils: Any) -> None:
    olga, group, members = pupils
    path, stranger = f"/groups/{group.pk}/tournament/", create_player("Ed Other")
    assert client_for(members[0]).post(path, form(members)).status_code == 403
    assert client_for(stranger).post(path, form(members)).status_code == 404
    client = client_for(olga)
    assert client.post(path, form(members, game="boxing")).status_code == 400
    alone = client.post(path, form([members[0], stranger], clock="10+5"))
    assert alone.status_code == 400 and "at least two players" in get_text(alone)
    assert alone.context["players"] == 1 and 'value="10+5"' in get_text(alone)
    assert 'id="plan" hidden' in get_text(alone) and 'id="too-few" hidden' not in get_text(alone)
    assert client.post(path, form(members, kind="arena")).status_code == 400
    assert client.post(path, form(members, player=["x", "9" * 40])).status_code == 400
    assert not Tournament.objects.exists()


def test_the_plan_is_computed_again_without_scripts(pupils: Any) -> None:
    olga, group, members = pupils
    asked = form(members, kind="round-robin", count="1")
    shown = get_text(client_for(olga).post(f"/groups/{group.pk}/tournament/", asked))
    assert "5 players" in shown and "5 rounds" in shown
    assert 'id="too-few" hidden' in shown and 'id="plan" hidden' not in shown
    assert not Tournament.objects.exists()


def test_bots_and_closed_accounts_are_no_candidates() -> None:
    olga, mia, bot, gone = create_organiser(), *create_players(3)
    group = create_group(olga, mia, bot, gone)
    Player.objects.filter(pk=bot.pk).update(is_bot=True)
    Player.objects.filter(pk=gone.pk).update(is_active=False)
    assert [each.player for each in list_possible_players(group)] == [mia.pk, olga.pk]


def test_a_member_whose_games_are_paused_is_left_out(pupils: Any) -> None:
    olga, group, members = pupils
    group.members.filter(player=members[0]).update(paused_until=timezone.now() + timedelta(days=1))
    go_online(*members)
    assert find_ticked(olga, group) == {each.pk for each in members[1:]}
    address = f"/groups/{group.pk}/tournament/"
    client = client_for(olga)
    page = client.get(address)
    assert "paused" in get_text(page) and f'value="{members[0].pk}"' not in page.content.decode()
    client.post(address, form(members))
    entered = Tournament.objects.get().entries.values_list("player", flat=True)
    assert set(entered) == {each.pk for each in members[1:]}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 3, 5, 12])
def test_the_planned_rounds_are_those_of_the_start(kind: str, players: int) -> None:
    tournament = Tournament(kind=kind, rounds=7)
    assert count_rounds(kind, 7, players) == count_rounds_at_the_start(tournament, players)


def test_the_end_follows_the_clock_and_the_rounds_that_are_left() -> None:
    assert estimate_round("5+3") == timedelta(minutes=13)
    assert estimate_round("") == timedelta(minutes=11)
    assert estimate_round("5+3", round_minutes=30) == timedelta(minutes=30)
    now = timezone.now()
    made = Tournament(kind="swiss", clock="5+3", rounds=5, round=3, started_at=now)
    assert estimate_end(made, now) == now + 3 * timedelta(minutes=13)
    assert estimate_end(Tournament(kind="swiss", clock="5+3", rounds=5), now) is None


def test_the_projector_has_all_pairings_on_one_page(pupils: Any) -> None:
    olga, group, members = pupils
    client_for(olga).post(f"/groups/{group.pk}/tournament/", form(members))
    run_due_steps()
    made = Tournament.objects.get()
    shown = get_page(olga, made, "?display=pairings").split('id="panels"')[1]
    assert shown.count("<section") == 1 and "Round 1 of 3" in shown
    assert all(each.name in shown for each in members) and "bye: 1 point" in shown
    assert get_page(olga, made, "?display").split('id="panels"')[1].count("<section") > 1

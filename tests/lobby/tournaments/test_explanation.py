"""The page that explains why two players met."""

from typing import Any

import pytest
from django.test import Client

from lobby.models import Pairing, Tournament
from lobby.tournaments import registration
from lobby.tournaments.explanation import explain_pairing
from tests.builders.groups import create_group
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_organiser, create_player, create_players
from tests.builders.tournaments import (
    create_tournament,
    end_live_matches,
    get_page,
    join_players,
    pair_wave,
    play_round,
    play_tournament,
    start_arena,
    start_tournament,
    start_with_players,
)

pytestmark = pytest.mark.django_db


def explained(pairing: Pairing, who: Any = None) -> str:
    address = f"/tournaments/{pairing.tournament_id}/pairing/{pairing.pk}/"
    return get_text(client_for(who).get(address))


def codes(pairing: Pairing) -> list[str]:
    return [str(reason["code"]) for reason in explain_pairing(pairing).reasons]


def list_round(tournament: Tournament, number: int) -> list[Pairing]:
    rows = Pairing.objects.filter(tournament=tournament, round=number).order_by("board", "leg")
    return list(rows.select_related("tournament", "first__player", "second__player"))


def test_a_swiss_names_score_group_turns_and_meetings() -> None:
    made, _ = start_with_players("swiss", 6, rounds=3)
    play_round(made)
    play_round(made)
    first, *_ = list_round(made, 1)
    assert codes(first) == ["why.first-round", "why.seats.seeding", "why.not-met"]
    # Six players: three have one point before round 2, so one of them meets a player without.
    second = [codes(pairing) for pairing in list_round(made, 2)]
    assert [found[0] for found in second] == ["why.same-score", "why.float-odd", "why.same-score"]
    assert {found[1] for found in second} <= {"why.seats.both-due", "why.seats.last-turns",
                                              "why.seats.rank"}  # fmt: skip
    floated = list_round(made, 2)[1]
    shown = explained(floated)
    assert (
        "3 players had a score of 1, an odd number" in shown and "They had not met before" in shown
    )
    sides = explain_pairing(floated).sides
    assert {side.points for side in sides} == {"1", "0"}
    assert all(len(side.turns) == 1 for side in sides)
    assert f"pairing/{floated.pk}/" in get_page(None, made, "?round=2")


def test_what_a_later_round_or_a_live_game_adds_changes_no_explanation() -> None:
    made, _ = start_with_players("swiss", 7, rounds=3)
    play_round(made)
    before = [explain_pairing(each) for each in list_round(made, 2)]
    play_tournament(made)
    assert [explain_pairing(each) for each in list_round(made, 2)] == before


@pytest.mark.parametrize(
    ("kind", "many", "code"),
    [
        ("swiss", 3, "why.bye.swiss"),
        ("round-robin", 3, "why.bye.round-robin"),
        ("knockout", 3, "why.bye.knockout"),
    ],
)
def test_a_bye_is_explained(kind: str, many: int, code: str) -> None:
    made, _ = start_with_players(kind, many)
    bye = next((each for each in list_round(made, 1) if each.second is None), None)
    if kind == "knockout" and bye is None:
        return  # its byes are in the bracket alone
    assert bye is not None and codes(bye) == [code]
    shown = explained(bye)
    assert "Why a bye?" in shown and "Before this game" not in shown


def test_a_bye_that_was_asked_for_is_explained() -> None:
    made, players = create_tournament(create_player("Olga Brook")), create_players(5)
    join_players(made, players)
    registration.request_bye(players[0], made.pk, 1)
    start_tournament(made)
    byes = [each for each in list_round(made, 1) if each.second is None]
    assert [codes(bye) for bye in byes] == [["why.bye.half"]]


def test_a_double_round_robin_names_the_first_meeting() -> None:
    made, _ = start_with_players("round-robin", 3, is_double=True)
    play_tournament(made)
    again = next(each for each in list_round(made, made.rounds) if each.second)
    assert codes(again)[-1] == "why.met"
    (meeting,) = explain_pairing(again).meetings
    assert f'href="/match/{meeting.match}/"' in explained(again)
    assert f"Round {meeting.round}" in explained(again)


def test_a_knockout_names_the_game_of_the_match() -> None:
    made, _ = start_with_players("knockout", 4, best_of=3)
    play_tournament(made)
    rows = list_round(made, 1)
    assert codes(rows[0]) == ["why.knockout-first"]
    assert codes(rows[1]) == ["why.knockout-first", "why.knockout-game"]
    assert codes(list_round(made, 2)[0]) == ["why.knockout-later"]
    assert [len(side.turns) for side in explain_pairing(rows[1]).sides] == [1, 1]


def test_an_arena_counts_earlier_meetings() -> None:
    made, _ = start_arena(2)
    end_live_matches(made)
    pair_wave(made)
    again = list_round(made, 0)[-1]
    assert codes(again) == ["why.arena", "why.seats.arena", "why.met"]
    assert "They had met 1 time before" in explained(again)


def test_the_explanation_is_shown_to_those_who_see_the_tournament() -> None:
    olga, (mia, nils) = create_organiser(), create_players(2)
    group = create_group(olga, mia, nils)
    made = create_tournament(olga, "round-robin", registration="group", group_id=group.pk)
    join_players(made, [mia, nils])
    start_tournament(made)
    pairing = list_round(made, 1)[0]
    address = f"/tournaments/{made.pk}/pairing/{pairing.pk}/"
    assert explained(pairing, mia)
    assert Client().get(address).status_code == 404
    other = create_tournament(olga)
    assert Client().get(f"/tournaments/{other.pk}/pairing/{pairing.pk}/").status_code == 404


def test_a_protected_player_is_a_number_without_a_link_to_the_game() -> None:
    made, players = start_with_players("swiss", 2, rounds=1)
    pairing = list_round(made, 1)[0]
    players[0].is_protected = True
    players[0].save(update_fields=["is_protected"])
    shown = explained(pairing)
    assert players[0].name not in shown and str(pairing.match_id) not in shown
    assert players[1].name in shown

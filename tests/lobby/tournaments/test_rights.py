"""Limits on the rights of organisers, and access to tournaments."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from games.review import decisions
from lobby.groups import membership
from lobby.live.tournaments import read_tournament
from lobby.models import Entry, Pairing, Player, Tournament
from lobby.players import blocks
from lobby.tournaments import draft, organiser_actions, registration
from lobby.tournaments.queries import get_visible_tournament
from lobby.tournaments.views import build_standings_table
from tests.builders.groups import create_group
from tests.builders.matches import play_ply
from tests.builders.players import client_for, create_organiser, create_player, create_players
from tests.builders.tournaments import (
    create_draft,
    create_tournament,
    join_players,
    list_live_pairings,
    play_round,
    play_tournament,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db

RATED = Setup("six-in-a-row", "3+2", rated=True)


def refusal(asked: Any, *args: Any) -> str:
    with pytest.raises(Refused) as found:
        asked(*args)
    return found.value.code


def state_of(tournament: Tournament, who: Player) -> str | None:
    found = Entry.objects.filter(tournament=tournament, player=who).first()
    return None if found is None else found.state


def text(client: Client, tournament: Tournament) -> str:
    return client.get(tournament.get_absolute_url()).content.decode()


def test_who_runs_it_decides_no_game_of_their_own() -> None:
    olga, vic = create_player("Olga Brook"), create_player("Vic Timson")
    made = create_tournament(olga, rounds=1, setup=RATED)
    join_players(made, [olga, vic])
    start_tournament(made)
    (pairing,) = list_live_pairings(made)
    assert pairing.match is not None
    for ply in range(4):
        play_ply(pairing.match, ply)
    own, other = (1, 2) if pairing.first.player_id == olga.pk else (2, 1)
    assert refusal(organiser_actions.forfeit_game, olga, made.pk, pairing.pk, other) == "own-game"
    assert refusal(organiser_actions.forfeit_game, olga, made.pk, pairing.pk, 3) == "own-game"
    assert refusal(organiser_actions.remove_player, olga, made.pk, vic.pk) == "own-game"
    assert refusal(organiser_actions.end_tournament_early, olga, made.pk) == "own-game"
    Tournament.objects.filter(pk=made.pk).update(due_at=timezone.now())
    run_due_steps()
    assert Match.objects.get(pk=pairing.match_id).status == "live"
    organiser_actions.forfeit_game(olga, made.pk, pairing.pk, own)  # their own loss
    run_due_steps()
    match = Match.objects.get(pk=pairing.match_id)
    goals = match.first_goal, match.second_goal
    assert goals == ((0, 100) if own == 1 else (100, 0))


def test_nobody_is_put_into_a_tournament_that_runs() -> None:
    olga, vic, others = create_player("Olga Brook"), create_player("Vic Timson"), create_players(5)
    made = create_tournament(olga, rounds=4)
    join_players(made, others)
    start_tournament(made)
    play_round(made)  # the second round has started
    entry = organiser_actions.add_late_player(olga, made.pk, vic, half_points=1)
    assert entry.state == state_of(made, vic) == "invited"
    assert vic.name not in text(client_for(None), made)
    play_round(made)  # and the third round does not pair them
    assert not Pairing.objects.filter(first__player=vic).exists()
    shown = text(client_for(vic), made)
    assert "Accept invitation" in shown
    client_for(vic).post(f"/tournaments/{made.pk}/do/register/")
    entry.refresh_from_db()
    assert (entry.state, entry.since_round, entry.byes) == ("in", 4, "")
    missed = Pairing.objects.filter(first=entry).order_by("round")
    assert list(missed.values_list("round", "kind")) == [
        (1, "zero-bye"),
        (2, "half-bye"),
        (3, "zero-bye"),
    ]
    play_tournament(made)
    entry.refresh_from_db()
    assert entry.games == 1 and made.state == Tournament.State.OVER


def test_who_is_asked_late_comes_once_and_not_after_the_end() -> None:
    olga, vic = create_player("Olga Brook"), create_player("Vic Timson")
    made = create_tournament(olga, rounds=1)
    join_players(made, create_players(2))
    start_tournament(made)
    for _ in range(2):
        organiser_actions.add_late_player(olga, made.pk, vic, half_points=1)
    assert Entry.objects.filter(tournament=made, player=vic).count() == 1
    play_tournament(made)
    assert refusal(registration.accept_late_invitation, vic, made.pk) == "not-in-this-state"
    assert vic.name not in {line.name for line in build_standings_table(made).lines}


def test_who_did_not_accept_before_the_start_stays_out() -> None:
    olga, vic, others = create_player("Olga Brook"), create_player("Vic Timson"), create_players(2)
    made = create_tournament(olga, registration="invitation")
    for each in (vic, *others):
        registration.invite_player(olga, made.pk, each)
    join_players(made, others)
    start_tournament(made)
    assert refusal(registration.register_player, vic, made) == "not-in-this-state"
    assert "Accept invitation" not in text(client_for(vic), made)


def test_an_organiser_has_members_of_the_group_and_themselves_come_late() -> None:
    olga = create_organiser()
    mia, *others = create_players(3)
    group = create_group(olga, mia, *others)
    made = create_tournament(olga, rounds=3, registration="group", group_id=group.pk)
    join_players(made, others)
    start_tournament(made)
    for who in (mia, olga):
        assert organiser_actions.add_late_player(olga, made.pk, who).is_in


@pytest.mark.parametrize("is_running", [False, True])
def test_an_invitation_reaches_nobody_who_has_blocked_its_organiser(is_running: bool) -> None:
    olga, vic = create_player("Olga Brook"), create_player("Vic Timson")
    blocks.block_player(vic.pk, olga.pk)
    made = create_tournament(olga, rounds=3, registration="open" if is_running else "invitation")
    if is_running:
        join_players(made, create_players(2))
        start_tournament(made)
    answer = client_for(olga).post(
        f"/tournaments/{made.pk}/do/add/", {"player": vic.name}, follow=True
    )
    assert f"{vic.name} was invited." in answer.content.decode().replace("\u2068", "")
    assert state_of(made, vic) is None
    assert made.name not in client_for(vic).get("/tournaments/?mine=").content.decode()


def test_no_stranger_invites_minors() -> None:
    olga, eve, mia = create_organiser(), create_player("Eve"), create_player("Mia")
    create_group(olga, mia, for_minors=True)
    made = create_tournament(eve, registration="invitation")
    assert refusal(registration.invite_player, eve, made.pk, mia) == "group-only"
    assert state_of(made, mia) is None


def test_minors_are_out_of_a_tournament_that_becomes_public() -> None:
    olga, mia, ben = create_organiser(), create_player("Mia"), create_player("Ben")
    group = create_group(olga, mia, for_minors=True)
    made = create_tournament(olga, registration="group", group_id=group.pk)
    join_players(made, [mia, olga])
    draft.update_tournament(olga, made.pk, create_draft())
    made.refresh_from_db()
    registration.join_tournament(ben, made.pk)
    shown = text(Client(), made)
    assert ben.name in shown and mia.name not in shown
    assert (state_of(made, mia), state_of(made, olga)) == (None, "in")
    # A player without a group for minors is removed when the tournament moves to one.
    draft.update_tournament(olga, made.pk, create_draft(registration="group", group_id=group.pk))
    assert (state_of(made, ben), state_of(made, olga)) == (None, "in")


def test_who_joins_a_group_for_minors_leaves_what_has_not_begun() -> None:
    olga, eve, (mia, ben, *others) = create_organiser(), create_player("Eve"), create_players(5)
    soon, running = create_tournament(eve), create_tournament(eve)
    join_players(soon, [mia, ben])
    join_players(running, [mia, *others])
    start_tournament(running)
    group = create_group(olga, for_minors=True)
    membership.join_group(mia, group.code)
    assert (state_of(soon, mia), state_of(soon, ben)) == (None, "in")
    assert state_of(running, mia) == "in"  # no live game is taken from them


def test_who_has_left_a_group_sees_none_of_its_tournaments() -> None:
    olga, mia, ben = create_organiser(), create_player("Mia"), create_player("Ben")
    group = create_group(olga, mia, ben, for_minors=True)
    made = create_tournament(olga, registration="group", group_id=group.pk)
    join_players(made, [mia, ben])
    assert get_visible_tournament(mia, made.pk) is not None
    membership.remove_member(group.pk, mia.pk)
    assert get_visible_tournament(mia, made.pk) is None
    told = read_tournament(made, [olga.pk, mia.pk, ben.pk]).members  # over the socket
    assert told == {olga.pk, ben.pk}
    assert client_for(mia).get(made.get_absolute_url()).status_code == 404
    assert made.name not in client_for(mia).get("/tournaments/").content.decode()
    assert made.name in client_for(ben).get("/tournaments/").content.decode()


def test_who_is_suspended_runs_nothing(rita: Any) -> None:
    olga = create_player("Olga Brook")
    made = create_tournament(olga)
    join_players(made, create_players(2))
    decisions.suspend_player(rita, olga.pk, "So.", 0, days=7)
    for asked, *more in (
        (organiser_actions.start_early,),
        (organiser_actions.cancel_before_start,),
        (draft.update_description, "A vile title", ""),
        (draft.update_tournament, create_draft()),
    ):
        assert refusal(asked, olga, made.pk, *more) == "suspended-now", asked

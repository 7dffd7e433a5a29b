"""Registration: the ways to join, and refusals."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone

from games.match.setup import Setup
from games.messages.refusal import Refused
from games.review import decisions
from lobby.accounts.guests import new_guest
from lobby.groups import membership
from lobby.models import Entry, Player, Rating, Tournament
from lobby.players import bots
from lobby.tournaments import draft, organiser_actions, registration
from lobby.tournaments.draft import BadDraftError
from lobby.tournaments.queries import (
    get_visible_tournament,
    list_finished_tournaments,
    list_running_tournaments,
    list_upcoming_tournaments,
)
from tests.builders.groups import create_group
from tests.builders.players import create_organiser, create_player, create_players
from tests.builders.refusals import must_be_refused
from tests.builders.second_factors import give_factor
from tests.builders.tournaments import (
    create_draft,
    create_tournament,
    join_players,
    pass_time,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db

State = Tournament.State


def faults(**more: Any) -> dict[str, str]:
    found = draft.find_faults(create_draft(**more), timezone.now())
    return {field: why.code for field, why in found.items()}


def test_bad_drafts_are_told_field_by_field() -> None:
    now = timezone.now()
    assert faults() == {}
    assert faults(name=" ") == {"name": "event-name"}
    assert faults(name="x" * 61) == {"name": "event-name-long"}
    assert faults(starts_at=now - timedelta(hours=1)) == {"starts_at": "in-the-past"}
    assert faults(starts_at=now + timedelta(days=400)) == {"starts_at": "too-far"}
    assert faults(opens_at=now + timedelta(hours=2)) == {"opens_at": "opens-late"}
    assert faults(opens_at=now - timedelta(hours=1)) == {"opens_at": "in-the-past"}
    soon = now + timedelta(minutes=50)
    assert faults(opens_at=soon) == {}
    assert faults(opens_at=soon, check_in_minutes=15) == {"opens_at": "opens-late"}
    assert faults(opens_at=soon, check_in_minutes=10**12).keys() == {
        "opens_at", "check_in_minutes",
    }  # fmt: skip
    assert faults(lowest=2000, highest=1000) == {"lowest": "nobody-fits"}
    assert faults(lowest=-5) == {"lowest": "nobody-fits"}
    assert faults(rounds=8, most=8) == {"rounds": "rounds-players"}
    assert faults(rounds=0) == {"rounds": "number-between"}
    assert faults(most=1, kind="knockout") == {"most": "number-between"}
    assert faults(kind="arena", setup=Setup("six-in-a-row")) == {"setup": "arena-clock"}
    assert faults(setup=Setup("chess")) == {"setup": "malformed"}
    assert faults(setup=Setup("tic-tac-toe", "3+2", rated=True)) == {"setup": "unrated-game"}
    assert faults(pace="timed") == {"round_minutes": "round-minutes"}
    assert faults(tie_breaks=("wins", "wins")) == {"tie_breaks": "malformed"}
    assert faults(registration="group") == {"registration": "event-group"}
    assert faults(kind="poker") == {"kind": "malformed"}
    assert faults(best_of=2) == {"best_of": "malformed"}
    assert faults(guests=True, setup=Setup("six-in-a-row", "3+2", rated=True)) == {
        "guests": "rated-account"
    }
    assert faults(kind="arena", minutes=10, bots=True) == {}
    assert faults(kind="arena", bots=True, setup=Setup("six-in-a-row", "3+2", rated=True)) == {
        "bots": "bots-rated"
    }
    assert faults(bots=True, setup=Setup("six-in-a-row", "3+2", rated=True)) == {}


def test_a_bad_draft_makes_nothing() -> None:
    olga = create_player("Olga Brook")
    with pytest.raises(BadDraftError) as caught:
        draft.create_tournament(olga, create_draft(name="", rounds=0))
    assert set(caught.value.faults) == {"name", "rounds"}
    assert not Tournament.objects.exists()


def test_guests_organise_nothing_and_accounts_only_so_many() -> None:
    must_be_refused("not-allowed", draft.create_tournament, new_guest(), create_draft())
    olga = create_player("Olga Brook")
    for _ in range(settings.UNFINISHED_TOURNAMENTS_PER_ORGANISER):
        made = draft.create_tournament(olga, create_draft())
    must_be_refused("many-tournaments", draft.create_tournament, olga, create_draft())
    organiser_actions.cancel_before_start(olga, made.pk)
    draft.create_tournament(olga, create_draft())


def test_registration_opens_at_its_time() -> None:
    olga, anna = create_players(2)
    made = draft.create_tournament(
        olga, create_draft(opens_at=timezone.now() + timedelta(minutes=30))
    )
    run_due_steps()
    must_be_refused("not-in-this-state", registration.join_tournament, anna, made.pk)
    Tournament.objects.update(opens_at=timezone.now(), due_at=timezone.now())
    run_due_steps()
    registration.join_tournament(anna, made.pk)
    run_due_steps()
    made.refresh_from_db()
    assert made.state == State.REGISTRATION and made.due_at == made.starts_at


def test_a_tournament_that_was_just_made_can_be_joined_before_any_step() -> None:
    olga, anna, bert = create_players(3)
    made = draft.create_tournament(olga, create_draft())
    assert made.state == State.REGISTRATION
    registration.join_tournament(anna, made.pk)
    later = timezone.now() + timedelta(minutes=30)
    closed = draft.create_tournament(olga, create_draft(opens_at=later))
    must_be_refused("not-in-this-state", registration.join_tournament, bert, closed.pk)
    draft.update_tournament(olga, closed.pk, create_draft())
    registration.join_tournament(bert, closed.pk)


def test_an_invitation_does_not_open_registration_when_the_start_is_moved() -> None:
    olga, anna = create_players(2)
    opens, starts = (timezone.now() + timedelta(hours=hours) for hours in (1, 5))
    made = create_tournament(olga, registration="invitation", opens_at=opens, starts_at=starts)
    registration.invite_player(olga, made.pk, anna)
    later = starts + timedelta(hours=1)
    wanted = create_draft(registration="invitation", opens_at=opens, starts_at=later)
    draft.update_tournament(olga, made.pk, wanted)
    made.refresh_from_db()
    assert (made.state, made.starts_at) == (State.ANNOUNCED, later)


def test_to_join_twice_is_to_join_once() -> None:
    olga, anna = create_players(2)
    made = create_tournament(olga)
    assert registration.join_tournament(anna, made.pk) == registration.join_tournament(
        anna, made.pk
    )
    registration.leave_tournament(anna, made.pk)
    assert not made.entries.exists()
    must_be_refused("not-entered", registration.leave_tournament, anna, made.pk)


def test_a_tournament_takes_no_more_than_it_has_room_for() -> None:
    players = create_players(3)
    made = create_tournament(players[0], most=2, rounds=1)
    join_players(made, players[:2])
    must_be_refused("event-full", registration.join_tournament, players[2], made.pk)


@override_settings(RATE_LIMITS=True)
def test_a_code_is_not_guessed() -> None:
    olga, anna, ben = create_players(3)
    made = create_tournament(olga, registration="code")
    assert made.code
    registration.join_tournament(
        anna, made.pk, f" {made.code[:5].lower()}-{made.code[5:]} ", "192.0.2.7"
    )
    codes = set()
    for number in range(3 * settings.LOGIN_ATTEMPTS_PER_ACCOUNT):
        with pytest.raises(Refused) as caught:
            registration.join_tournament(ben, made.pk, f"AAAAA-{number:05}", "192.0.2.8")
        codes.add(caught.value.code)
        if number == settings.LOGIN_ATTEMPTS_PER_ACCOUNT:
            assert caught.value.code == "many-tries"
    assert codes == {"wrong-code", "many-tries"}
    must_be_refused(
        "many-tries", registration.join_tournament, ben, made.pk, made.code, "192.0.2.8"
    )
    old = made.code
    assert organiser_actions.change_access_code(olga, made.pk) != old


def test_only_members_of_a_group_see_and_join_its_tournament() -> None:
    olga, anna, out = create_organiser(), create_player("Anna Berg"), create_player("Out Sider")
    group = create_group(olga, anna)
    made = create_tournament(olga, registration="group", group_id=group.pk)
    registration.join_tournament(anna, made.pk)
    must_be_refused("not-a-member", registration.join_tournament, out, made.pk)
    assert get_visible_tournament(anna, made.pk) and get_visible_tournament(olga, made.pk)
    assert (
        get_visible_tournament(out, made.pk) is None
        and get_visible_tournament(None, made.pk) is None
    )
    assert [each.pk for each in list_upcoming_tournaments(anna)] == [
        made.pk
    ] and list_upcoming_tournaments(out) == []
    must_be_refused(
        "not-allowed",
        draft.create_tournament,
        anna,
        create_draft(registration="group", group_id=group.pk),
    )


def test_bots_take_no_part() -> None:
    olga, anna, ben, *others = create_players(6)
    made = create_tournament(olga)
    join_players(made, [anna, *others])
    bots.upgrade_to_bot(anna.pk)  # it has not been played yet
    assert made.entries.get(player=anna).state == Entry.State.WITHDRAWN
    anna.refresh_from_db()
    bots.upgrade_to_bot(ben.pk)
    ben.refresh_from_db()
    for bot in (anna, ben):
        must_be_refused("event-bot", registration.join_tournament, bot, made.pk)
    start_tournament(made)
    must_be_refused("event-bot", organiser_actions.add_late_player, olga, made.pk, ben)


def test_minors_play_with_their_group_alone() -> None:
    olga, mia = create_organiser(), create_player("Mia Minor")
    group = create_group(olga, mia, for_minors=True)
    public = create_tournament(olga)
    must_be_refused("group-only", registration.join_tournament, mia, public.pk)
    own = create_tournament(olga, "round-robin", registration="group", group_id=group.pk)
    registration.join_tournament(mia, own.pk)
    registration.join_tournament(olga, own.pk)
    membership.remove_member(group.pk, mia.pk)
    start_tournament(own)
    assert own.entries.get(player=mia).state == Entry.State.REMOVED


def test_by_invitation() -> None:
    olga, anna, ben = create_players(3)
    made = create_tournament(olga, registration="invitation")
    must_be_refused("not-invited", registration.join_tournament, anna, made.pk)
    must_be_refused("not-allowed", registration.invite_player, ben, made.pk, ben)
    registration.invite_player(olga, made.pk, anna)
    assert not made.entries.get(player=anna).is_in
    registration.join_tournament(anna, made.pk)
    registration.leave_tournament(anna, made.pk)
    assert made.entries.get(player=anna).state == Entry.State.INVITED


def test_ratings_out_of_the_range_are_refused() -> None:
    olga, anna = create_players(2)
    made = create_tournament(olga, highest=1400)
    must_be_refused("event-range", registration.join_tournament, anna, made.pk)
    now = timezone.now()
    Rating.objects.create(
        player=anna, game="six-in-a-row", rating=1300, deviation=60, volatility=0.06, games=9,
        best=0, streak=0, longest=0, key="x", rated_at=now,
    )  # fmt: skip
    registration.join_tournament(anna, made.pk)
    start_tournament(made)
    assert made.state == State.CALLED_OFF


def test_guests_play_where_they_may() -> None:
    olga, guest = create_player("Olga Brook"), new_guest()
    must_be_refused(
        "event-account", registration.join_tournament, guest, create_tournament(olga).pk
    )
    rated = create_tournament(olga, setup=Setup("six-in-a-row", "3+2", rated=True))
    must_be_refused("rated-account", registration.join_tournament, guest, rated.pk)
    registration.join_tournament(guest, create_tournament(olga, guests=True).pk)


def test_suspended_players_do_not_join_and_are_taken_out() -> None:
    players = create_players(4)
    rita = create_player("rita", "reviewer")
    made = create_tournament(players[0])
    join_players(made, players[:3])
    decisions.suspend_player(rita, players[2].pk, "So.", 0, 7)
    decisions.suspend_player(rita, players[3].pk, "So.", 0, 7)
    must_be_refused("suspended-now", registration.join_tournament, players[3], made.pk)
    start_tournament(made)
    assert made.entries.get(player=players[2]).state == Entry.State.REMOVED


def test_who_does_not_check_in_is_not_paired() -> None:
    players = create_players(3)
    made = create_tournament(players[0], check_in_minutes=10)
    join_players(made, players)
    pass_time(made, 51)
    assert made.state == State.CHECK_IN
    for each in players[:2]:
        registration.check_in(each, made.pk)
    pass_time(made, 10)
    assert made.state == State.RUNNING
    assert made.entries.get(player=players[2]).state == Entry.State.WITHDRAWN
    registration.rejoin_tournament(players[2], made.pk)
    assert made.entries.get(player=players[2]).is_in


def test_only_the_organiser_and_the_staff_run_it() -> None:
    players = create_players(3)
    made = create_tournament(players[0])
    join_players(made, players)
    for work in (
        organiser_actions.start_early,
        organiser_actions.cancel_before_start,
        organiser_actions.pause_tournament,
        organiser_actions.end_tournament_early,
    ):
        must_be_refused("not-allowed", work, players[1], made.pk)
    must_be_refused(
        "not-allowed", organiser_actions.remove_player, players[1], made.pk, players[2].pk
    )
    must_be_refused("not-allowed", draft.update_description, players[1], made.pk, "Mine", "")
    must_be_refused("not-allowed", draft.update_tournament, players[1], made.pk, create_draft())
    boss = Player.objects.create_superuser("The Boss", password="x")
    must_be_refused("not-allowed", organiser_actions.remove_player, boss, made.pk, players[2].pk)
    give_factor(boss)
    boss = Player.objects.get(pk=boss.pk)
    organiser_actions.remove_player(boss, made.pk, players[2].pk)
    must_be_refused("removed-here", registration.join_tournament, players[2], made.pk)
    organiser_actions.start_early(players[0], made.pk)
    run_due_steps()
    made.refresh_from_db()
    assert made.state == State.RUNNING
    assert [each.pk for each in list_running_tournaments(None)] == [
        made.pk
    ] and list_finished_tournaments(None) == []
    must_be_refused(
        "not-in-this-state", draft.update_tournament, players[0], made.pk, create_draft()
    )
    must_be_refused("not-in-this-state", registration.leave_tournament, players[1], made.pk)


def test_what_is_edited_keeps_who_is_in_it() -> None:
    players = create_players(2)
    made = create_tournament(players[0])
    join_players(made, players)
    draft.update_tournament(
        players[0], made.pk, create_draft("round-robin", name="Another", registration="code")
    )
    run_due_steps()
    made.refresh_from_db()
    assert (made.kind, made.name, made.state) == ("round-robin", "Another", State.REGISTRATION)
    assert made.code and made.entries.count() == 2


def test_byes_have_limits() -> None:
    players = create_players(4)
    made = create_tournament(players[0], rounds=5)
    join_players(made, players)
    for number in (1, 2):
        registration.request_bye(players[1], made.pk, number)
    must_be_refused("many-byes", registration.request_bye, players[1], made.pk, 3)
    must_be_refused("no-bye", registration.request_bye, players[2], made.pk, 5)
    registration.cancel_bye(players[1], made.pk, 2)
    assert made.entries.get(player=players[1]).bye_rounds == (1,)
    start_tournament(made)
    must_be_refused("bye-late", registration.request_bye, players[2], made.pk, 1)

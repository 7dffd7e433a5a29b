"""Until protection is lifted, protected players meet only members of their groups for minors."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import transaction
from django.test import Client, TestCase
from django.utils import timezone

from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Rematch
from games.match.setup import Setup
from games.messages import build_message
from games.messages.refusal import Refused
from games.models import Match
from games.review.notices import list_notices, notify_player
from games.store.proof import find_faults
from games.store.records import get_record
from lobby.accounts.merging import merge_guest
from lobby.groups import membership
from lobby.live.listing import read_lobby
from lobby.live.live_matches import clear_cache, get_played_matches
from lobby.models import Challenge, Group, Player, ProtectionChange, Rating, Seek
from lobby.privacy import protection
from lobby.privacy.export import stream_export
from lobby.privacy.protection import are_kept_apart, can_lift_protection, lift_protection
from lobby.privacy.visibility import build_public_condition, get_protected, is_public
from lobby.ratings import leaderboards
from lobby.seeks import challenges, matchmaking
from lobby.seeks.computer import play_computer
from lobby.seeks.one_screen import get_friend, open_one_screen_match
from lobby.tournaments.class_tournament import start_class_tournament
from tests.builders.groups import create_group, post_accounts
from tests.builders.matches import create_finished_match, create_match
from tests.builders.pages import get_text, remove_isolates
from tests.builders.players import client_for, create_organiser, create_player

pytestmark = pytest.mark.django_db
SETUP = Setup("tic-tac-toe")


@pytest.fixture
def there(db: None) -> dict[str, Any]:
    olga = create_organiser()
    anna, ben, outsider = (
        create_player("Anna Berg"),
        create_player("Ben Cole"),
        create_player("Out Sider"),
    )
    group = create_group(olga, anna, ben, for_minors=True)
    return {"olga": olga, "anna": anna, "ben": ben, "out": outsider, "group": group}


def test_members_of_a_group_for_minors_are_not_public(there: dict[str, Any]) -> None:
    anna, ben, olga, out = (there[name] for name in ("anna", "ben", "olga", "out"))
    assert not is_public(anna.pk) and is_public(olga.pk) and is_public(out.pk)
    rows = Player.objects.filter(build_public_condition())
    assert set(rows.values_list("username", flat=True)) == {"Olga Brook", "Out Sider"}
    seek = matchmaking.create_seek(out.pk, SETUP)
    assert list(Seek.objects.filter(build_public_condition("player"))) == [seek]
    assert get_protected([anna.pk, ben.pk, olga.pk, out.pk, 999_999]) == {anna.pk, ben.pk}
    assert get_protected([]) == set()


def test_protection_outlives_membership(there: dict[str, Any]) -> None:
    anna, ben, dora = there["anna"], there["ben"], create_player("Dora Dean")
    membership.join_group(dora, there["group"].code)
    membership.leave_group(dora.pk, there["group"].pk)
    membership.remove_member(there["group"].pk, anna.pk)
    membership.update_group(there["group"].pk, "7b", False)
    Group.objects.all().delete()
    for pupil in (anna, ben, dora):
        assert not is_public(pupil.pk)
        assert are_kept_apart(pupil.pk, there["out"].pk)
    assert are_kept_apart(anna.pk, ben.pk)  # they no longer share a group for minors
    with pytest.raises(Refused, match="group-only"):
        matchmaking.create_seek(anna.pk, SETUP)
    play_computer(anna.pk, SETUP, 1)
    open_one_screen_match(anna.pk, SETUP)
    assert Match.objects.count() == 2


def test_who_moves_to_another_class_stays_protected(there: dict[str, Any]) -> None:
    anna, other = there["anna"], create_group(create_organiser("Otto Brook"), for_minors=True)
    membership.join_group(anna, other.code or "")
    membership.leave_group(anna.pk, there["group"].pk)
    membership.leave_group(anna.pk, other.pk)
    assert not is_public(anna.pk)


def test_staff_and_organisers_in_a_class_are_adults(there: dict[str, Any]) -> None:
    otto, rita = create_organiser("Otto Brook"), create_player("rita", "reviewer")
    for adult in (otto, rita):
        membership.join_group(adult, there["group"].code)
        assert is_public(adult.pk)
        assert not are_kept_apart(adult.pk, there["anna"].pk)
    membership.update_group(there["group"].pk, "7b", False)
    membership.update_group(there["group"].pk, "7b", True)
    assert is_public(otto.pk) and is_public(there["olga"].pk)


def test_protection_is_lifted_by_their_only_organiser_or_by_staff(there: dict[str, Any]) -> None:
    anna, ben, olga, out = (there[name] for name in ("anna", "ben", "olga", "out"))
    sara, rita, otto = (
        create_player("sara", "senior reviewer"),
        create_player("rita", "reviewer"),
        create_organiser("Otto"),
    )
    open_one_screen_match(anna.pk, SETUP)
    for other in (anna, ben, out, otto, rita):
        assert not can_lift_protection(other, anna.pk)
        with pytest.raises(Refused, match="not-allowed"):
            lift_protection(anna, other, "I say so")
    second = create_group(otto, ben, for_minors=True)
    assert not can_lift_protection(olga, ben.pk)  # he is also in another organiser's class
    membership.remove_member(second.pk, ben.pk)
    assert can_lift_protection(olga, ben.pk) and can_lift_protection(sara, ben.pk)
    lift_protection(anna, olga, "Came of age")
    lift_protection(anna, olga, "Came of age")  # a repeat changes nothing
    assert is_public(anna.pk) and not Player.objects.filter(beside=anna, is_protected=True).exists()
    assert not are_kept_apart(anna.pk, out.pk)
    changes = ProtectionChange.objects.filter(player=anna)
    assert [(each.is_protected, each.by, each.reason) for each in changes] == [
        (False, olga, "Came of age"),
        (True, None, "member of 7b"),
    ]
    assert not is_public(ben.pk)


def test_long_reasons_are_shortened(there: dict[str, Any]) -> None:
    out, sara = there["out"], create_player("sara", "senior reviewer")
    with transaction.atomic():
        protection.lock_for_protection([out.pk])
        protection.protect_players([out.pk], sara, "x" * 300)
    lift_protection(out, sara, "x" * 300)
    found = ProtectionChange.objects.filter(player=out)
    assert [len(each.reason) for each in found] == [protection.LONGEST_REASON] * 2


def test_a_guest_who_turned_out_to_be_a_minor_is_not_public_either(there: dict[str, Any]) -> None:
    guest = create_player("Sly Fox", is_guest=True)
    merge_guest(guest.pk, there["anna"].pk)
    assert get_protected([guest.pk]) == {guest.pk}
    assert are_kept_apart(guest.pk, there["out"].pk)
    assert not are_kept_apart(guest.pk, there["ben"].pk)


def test_no_match_of_a_minor_and_an_outsider_is_opened_by_any_way(there: dict[str, Any]) -> None:
    anna, out = there["anna"], there["out"]
    for first, second, code in ((anna, out, "group-only"), (out, anna, "no-challenges")):
        with pytest.raises(Refused, match=code):
            challenges.create_challenge(first.pk, second.pk, SETUP)
        with pytest.raises(Refused, match="not-allowed"):
            open_match(SETUP, first.pk, second.pk)
    invitation = matchmaking.create_seek(out.pk, SETUP, by_address=True)
    with pytest.raises(Refused, match="group-only"):
        matchmaking.join_seek(anna.pk, invitation.pk)
    own = matchmaking.create_seek(anna.pk, SETUP, by_address=True)
    with pytest.raises(Refused, match="taken"):
        matchmaking.join_seek(out.pk, own.pk)
    listed_one = matchmaking.create_seek(out.pk, SETUP)
    with pytest.raises(Refused, match="group-only"):
        matchmaking.join_seek(anna.pk, listed_one.pk)
    with pytest.raises(Refused, match="group-only"):
        matchmaking.create_seek(anna.pk, SETUP)
    assert not Match.objects.exists()
    assert "play with the members of your class" in " ".join(
        client_for(anna).get(f"/seek/{invitation.pk}/").content.decode().split()
    )


def test_minors_play_each_other_their_organiser_the_computer_and_who_sits_beside_them(
    there: dict[str, Any],
) -> None:
    anna, ben, olga = there["anna"], there["ben"], there["olga"]
    made = challenges.create_challenge(ben.pk, anna.pk, SETUP)
    assert challenges.accept_challenge(anna.pk, made.pk)
    assert challenges.accept_challenge(
        ben.pk, challenges.create_challenge(olga.pk, ben.pk, SETUP).pk
    )
    invitation = matchmaking.create_seek(anna.pk, SETUP, by_address=True)
    assert matchmaking.join_seek(ben.pk, invitation.pk)
    play_computer(anna.pk, SETUP, 1)
    open_one_screen_match(anna.pk, SETUP)
    assert Match.objects.count() == 5


def test_a_club_of_adults_does_not_open_a_minor_to_them(there: dict[str, Any]) -> None:
    anna, out = there["anna"], there["out"]
    other = create_group(create_organiser("Otto Brook"), anna, out)
    assert are_kept_apart(anna.pk, out.pk)
    mine = matchmaking.create_seek(anna.pk, SETUP, group_id=other.pk)
    theirs = matchmaking.create_seek(out.pk, SETUP, group_id=other.pk)
    assert matchmaking.pair_seeks(mine.pk, theirs.pk) is None
    with pytest.raises(Refused, match="taken"):
        matchmaking.join_seek(out.pk, mine.pk)


def test_becoming_a_minor_ends_what_is_open_with_others(there: dict[str, Any]) -> None:
    dora, out = create_player("Dora Dean"), there["out"]
    search = matchmaking.create_seek(dora.pk, SETUP)
    challenges.create_challenge(dora.pk, out.pk, SETUP)
    challenges.create_challenge(out.pk, dora.pk, SETUP)
    _, ended = membership.join_group(dora, there["group"].code)
    assert ended == {search.pk: dora.pk}
    assert not Seek.objects.exists() and not Challenge.objects.exists()


def test_members_are_protected_when_their_group_is_set_to_minors(there: dict[str, Any]) -> None:
    dora, emil, out = create_player("Dora Dean"), create_player("Emil Eck"), there["out"]
    chess_club = create_group(create_organiser("Otto Brook"), dora, emil)
    search = matchmaking.create_seek(dora.pk, SETUP)
    kept = challenges.create_challenge(dora.pk, emil.pk, SETUP)
    challenges.create_challenge(dora.pk, out.pk, SETUP)
    own = matchmaking.create_seek(dora.pk, SETUP, group_id=chess_club.pk)
    assert membership.update_group(chess_club.pk, "7b", True) == {search.pk: dora.pk}
    assert list(Challenge.objects.all()) == [kept]
    assert list(Seek.objects.all()) == [own]


def test_live_games_with_strangers_end_without_a_result(there: dict[str, Any]) -> None:
    dora, out = create_player("Dora Dean"), there["out"]
    match = create_match("tic-tac-toe", dora, out, plies=1)
    classmates = create_match("tic-tac-toe", dora, out, plies=1)
    Match.objects.filter(pk=classmates.pk).update(second=there["anna"])
    computer = play_computer(dora.pk, SETUP, 1)
    screen = open_one_screen_match(dora.pk, SETUP)
    membership.join_group(dora, there["group"].code)
    match.refresh_from_db()
    assert (match.status, match.ended) == ("aborted", "aborted")
    assert not find_faults(*_stored(match.pk))
    for who in (dora, out):
        commit_requests([Request(match.pk, who.pk, Rematch())])
    live_now = set(Match.objects.filter(status="live").values_list("pk", flat=True))
    assert live_now == {classmates.pk, computer.pk, screen.pk}


def _stored(match_id: str) -> Any:
    found = get_record(match_id)
    assert found is not None
    return found.state, found.moves


@pytest.mark.parametrize("how", ["removal", "change"])
def test_classmates_who_part_stop_playing(
    there: dict[str, Any], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their live games and challenges end, and the site closes the rooms of both again."""
    closed: list[int] = []

    async def close(player_ids: list[int]) -> None:
        closed.extend(player_ids)

    monkeypatch.setattr(protection, "_close_to_strangers", close)
    anna, ben, group = there["anna"], there["ben"], there["group"]
    match = create_match("tic-tac-toe", anna, ben, plies=1)
    challenges.create_challenge(anna.pk, ben.pk, SETUP)
    with TestCase.captureOnCommitCallbacks(execute=True):
        if how == "removal":
            membership.remove_member(group.pk, ben.pk)
        else:
            membership.update_group(group.pk, "7b", False)
    match.refresh_from_db()
    assert match.ended == "aborted" and not Challenge.objects.exists()
    assert set(closed) == {anna.pk, ben.pk}


def test_the_friend_at_one_screen_is_as_protected_as_the_host(there: dict[str, Any]) -> None:
    stale = create_player("Dora Dean")
    friend = get_friend(stale)
    Player.objects.filter(pk=stale.pk).update(
        is_protected=True
    )  # as if another server had just done it
    assert is_public(friend.pk)
    open_one_screen_match(stale.pk, SETUP)
    assert not is_public(friend.pk)


def test_an_old_name_in_a_notice_is_hidden_too(there: dict[str, Any]) -> None:
    dora, out = create_player("Dora Dean"), there["out"]
    match = create_finished_match("tic-tac-toe", dora, out)
    notify_player(out.pk, build_message("notice.report-acted", name="Dora Dean"), match.pk)
    assert "Dora Dean" in list_notices(out.pk)[0]["words"]
    membership.join_group(dora, there["group"].code)
    dora.refresh_from_db()
    dora.username = "Zora Blume"
    dora.save()
    assert "Dora Dean" not in list_notices(out.pk)[0]["words"]


def test_ratings_and_everybody_plays_leave_protected_players_out(there: dict[str, Any]) -> None:
    anna, out = there["anna"], there["out"]
    Rating.objects.create(
        player=anna, game="six-in-a-row", rating=1800, deviation=60, volatility=0.06, games=30,
        best=1800, streak=1, longest=2, key="k", rated_at=timezone.now(),
    )  # fmt: skip
    leaderboards.update_distributions()
    assert leaderboards.get_distribution("six-in-a-row") == {}
    other = create_group(create_organiser("Otto Brook"), anna, out)
    assert other.organiser is not None
    setup, asked = Setup("tic-tac-toe", "3+2"), [anna.pk, out.pk, other.organiser_id or 0]
    made = start_class_tournament(other.organiser, other, "Tonight", "swiss", setup, 3, asked)
    assert set(made.entries.values_list("player", flat=True)) == {out.pk, other.organiser_id}


@pytest.mark.parametrize("logs_in", [True, False], ids=["logs in", "signs up"])
def test_a_guest_who_turns_out_to_be_a_pupil_meets_no_stranger(
    there: dict[str, Any], logs_in: bool
) -> None:
    guest, anna, out = create_player("Sly Fox", is_guest=True), there["anna"], there["out"]
    invitation = matchmaking.create_seek(out.pk, SETUP, by_address=True)
    pupil = anna if logs_in else guest
    match_id = matchmaking.join_seek(guest.pk, invitation.pk).match_id
    beside = open_one_screen_match(guest.pk, SETUP)
    if logs_in:
        merge_guest(guest.pk, anna.pk)
    else:
        Player.objects.filter(pk=guest.pk).update(is_guest=False)
        guest.refresh_from_db()
        membership.join_group(guest, there["group"].code)
    assert Match.objects.get(pk=match_id).ended == "aborted"
    beside.refresh_from_db()
    assert beside.status == "live"
    assert get_protected([beside.first_id, beside.second_id]) == {beside.first_id, beside.second_id}
    assert not is_public(pupil.pk)


def test_games_of_minors_are_not_shown_in_public(there: dict[str, Any]) -> None:
    clear_cache()
    hidden = create_match("tic-tac-toe", there["anna"], there["ben"], plies=1)
    shown = create_match("tic-tac-toe", there["out"], there["olga"], plies=1)
    clear_cache()
    assert set(get_played_matches()) == {shown.pk}
    assert set(read_lobby().matches) == {shown.pk}
    for path in ("/", "/tv/"):
        page = Client().get(path).content.decode()
        assert hidden.pk not in page and "Anna Berg" not in page
    clear_cache()


def test_whose_account_was_made_for_minors_is_taken_out_by_the_organiser(
    there: dict[str, Any],
) -> None:
    group, olga = there["group"], there["olga"]
    post_accounts(client_for(olga), group, how="list", names="Dora 7b").getvalue()
    dora = Player.objects.get(username="Dora 7b")
    with pytest.raises(Refused, match="minors-stay"):
        membership.leave_group(dora.pk, group.pk)
    client = client_for(dora)
    assert "Leave group" not in client.get(f"/groups/{group.pk}/").content.decode()
    client.post(f"/groups/{group.pk}/leave/")
    assert not is_public(dora.pk)
    assert ProtectionChange.objects.filter(player=dora, is_protected=True).exists()


@pytest.mark.django_db(transaction=True)
def test_the_download_has_the_groups(there: dict[str, Any]) -> None:
    async def read(who: Player) -> Any:
        return json.loads(b"".join([piece async for piece in stream_export(who)]))

    told = async_to_sync(read)(there["anna"])
    assert [each["group__name"] for each in told["groups"]] == ["7b"]
    assert told["groups_that_i_run"] == []
    (began,) = told["protection"]
    assert (began["is_protected"], began["reason"]) == (True, "member of 7b")
    told = async_to_sync(read)(there["olga"])
    assert [each["code"] for each in told["groups_that_i_run"]] == [there["group"].code]


# -- the pages that remove a member and lift protection


def test_removing_asks_first_and_says_what_follows(there: dict[str, Any]) -> None:
    group, anna, client = there["group"], there["anna"], client_for(there["olga"])
    where = f"/groups/{group.pk}/members/{anna.pk}/remove/"
    assert where in client.get(f"/groups/{group.pk}/").content.decode()
    page = get_text(client.get(where))
    assert "Remove Anna Berg from 7b?" in remove_isolates(page) and "They stay protected" in page
    assert membership.are_all_in(group.pk, [anna.pk])
    assert client.post(where).status_code == 302
    assert not membership.are_all_in(group.pk, [anna.pk]) and not is_public(anna.pk)
    assert client.get(where).status_code == 404
    assert client_for(there["ben"]).get(where).status_code == 403
    assert client.get(f"/groups/{group.pk}/members/{there['olga'].pk}/remove/").status_code == 404


def test_the_organiser_lifts_protection_on_a_page_of_its_own(there: dict[str, Any]) -> None:
    group, anna, client = there["group"], there["anna"], client_for(there["olga"])
    where = f"/groups/{group.pk}/members/{anna.pk}/protection/"
    assert where in client.get(f"/groups/{group.pk}/").content.decode()
    assert "Lift the protection of Anna Berg?" in remove_isolates(get_text(client.get(where)))
    for form in ({}, {"reason": "Of age"}, {"confirmed": "on"}, {"confirmed": "on", "reason": " "}):
        answer = client.post(where, form)
        assert (
            answer.status_code == 400
            and "confirm that this person is no longer a minor" in get_text(answer)
        )
        assert not is_public(anna.pk)
    for who, status in ((there["ben"], 403), (anna, 403), (there["out"], 404)):
        form = {"confirmed": "on", "reason": "Of age"}
        assert client_for(who).post(where, form).status_code == status
        assert not is_public(anna.pk)
    assert client.post(where, {"confirmed": "on", "reason": "Of age"}).status_code == 302
    assert is_public(anna.pk) and client.get(where).status_code == 404
    assert ProtectionChange.objects.filter(player=anna)[0].reason == "Of age"


def test_a_club_of_adults_does_not_list_its_protected_members(there: dict[str, Any]) -> None:
    anna, ben, out, olga = (there[name] for name in ("anna", "ben", "out", "olga"))
    other = create_group(create_organiser("Otto Brook"), anna, out)
    where = f"/groups/{other.pk}/"
    assert "Anna Berg" not in get_text(client_for(out).get(where))
    page = get_text(client_for(other.organiser).get(where))
    assert "Anna Berg" not in page and "Hidden player" in page
    remove = f"{where}members/{anna.pk}/remove/"
    assert "Anna Berg" not in get_text(client_for(other.organiser).get(remove))
    membership.join_group(ben, other.code or "")
    assert "Anna Berg" in get_text(client_for(ben).get(where))  # a pupil in her class
    client, form = client_for(olga), {"name": "7b"}
    page = get_text(client.post(f"/groups/{there['group'].pk}/change/", form, follow=True))
    assert "Some members are still protected" in page and "Hidden player" in page
    page = get_text(
        client.post(
            f"/groups/{there['group'].pk}/change/", {**form, "for_minors": "on"}, follow=True
        )
    )
    assert "Some members are still protected" not in page


def test_staff_change_protection_in_the_admin(there: dict[str, Any]) -> None:
    anna, sara = there["anna"], create_player("sara", "senior reviewer")
    where = "/admin/lobby/protectionchange/"
    form = {"name": "Anna Berg", "reason": "Of age", "confirmed": "on"}
    rita = client_for(create_player("rita", "reviewer"))
    assert rita.post(f"{where}add/", form).status_code == 403 and not is_public(anna.pk)
    client = client_for(sara)
    assert client.get(f"{where}add/").status_code == 200
    for wrong in ({**form, "reason": ""}, {**form, "confirmed": ""}, {**form, "name": "No One"}):
        assert client.post(f"{where}add/", wrong).status_code == 200
        assert not is_public(anna.pk)
    assert client.post(f"{where}add/", form).status_code == 302
    assert is_public(anna.pk)
    assert "is not protected already" in client.post(f"{where}add/", form).content.decode()
    again = {**form, "is_protected": "on", "reason": "Reported as a child"}
    assert client.post(f"{where}add/", again).status_code == 302
    assert not is_public(anna.pk)
    page = client.get(where).content.decode()
    assert "Reported as a child" in page and "Of age" in page and "member of 7b" in page
    newest = ProtectionChange.objects.filter(player=anna)[0]
    assert (newest.by, newest.is_protected) == (sara, True)

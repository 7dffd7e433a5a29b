"""Organisers pause, mute and rename members in their care until a date."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.live.rooms import check_speech
from games.match.commands import Rematch
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from games.store.records import read_states
from lobby.accounts.names import change_name, get_next_rename
from lobby.groups import care, membership, transfers
from lobby.models import Challenge, Group, Member, Player, Seek
from lobby.seeks import challenges, matchmaking
from lobby.seeks.computer import play_computer
from lobby.seeks.one_screen import open_one_screen_match
from lobby.tournaments import registration
from tests.builders.groups import create_group, post_accounts
from tests.builders.matches import create_finished_match, create_match
from tests.builders.pages import get_text, remove_isolates
from tests.builders.players import client_for, create_organiser, create_player
from tests.builders.tournaments import create_tournament

pytestmark = pytest.mark.django_db
SETUP = Setup("tic-tac-toe")
WHERE = "/groups/{}/members/{}/care/"


@pytest.fixture
def there(db: None) -> dict[str, Any]:
    olga, anna, ben = create_organiser(), create_player("Anna Berg"), create_player("Ben Cole")
    group = create_group(olga, anna, ben, for_minors=True)
    return {"olga": olga, "anna": anna, "ben": ben, "group": group}


def in_days(days: int) -> str:
    return f"{timezone.localdate() + timedelta(days=days):%Y-%m-%d}"


def in_words(days: int) -> str:
    return f"{timezone.localdate() + timedelta(days=days):%-d %b %Y}"


def send(there: dict[str, Any], what: str, who: str = "olga", **form: str) -> Any:
    path = WHERE.format(there["group"].pk, there["anna"].pk)
    form.setdefault("until", in_days(3))
    return client_for(there[who]).post(path, {"what": what, **form}, follow=True)


def test_who_is_paused_starts_no_game_by_any_way(there: dict[str, Any]) -> None:
    anna, ben, olga, group = (there[name] for name in ("anna", "ben", "olga", "group"))
    over = create_finished_match("tic-tac-toe", anna, ben)
    live = create_match("tic-tac-toe", anna, ben, plies=1)
    asked = challenges.create_challenge(ben.pk, anna.pk, SETUP)
    seek = matchmaking.create_seek(anna.pk, SETUP, group_id=group.pk)
    theirs = matchmaking.create_seek(ben.pk, SETUP, by_address=True)
    before = Match.objects.count()
    text = remove_isolates(get_text(send(there, "pause")))
    assert f"Anna Berg starts no games until the end of {in_words(3)}" in text
    assert not Seek.objects.filter(pk=seek.pk).exists()
    for act in (
        lambda: matchmaking.create_seek(anna.pk, SETUP, group_id=group.pk),
        lambda: matchmaking.join_seek(anna.pk, theirs.pk),
        lambda: challenges.create_challenge(anna.pk, ben.pk, SETUP),
        lambda: challenges.accept_challenge(anna.pk, asked.pk),
        lambda: play_computer(anna.pk, SETUP, 1),
        lambda: open_one_screen_match(anna.pk, SETUP),
        lambda: open_match(SETUP, ben.pk, anna.pk),
    ):
        with pytest.raises(Refused, match="games-paused"):
            act()
    for who in (anna, ben):
        commit_requests([Request(over.pk, who.pk, Rematch())])
    event = create_tournament(olga, group_id=group.pk, registration="group")
    with pytest.raises(Refused, match="games-paused"):
        registration.join_tournament(anna, event.pk)
    assert Match.objects.count() == before
    live.refresh_from_db()
    assert live.status == "live"  # what has begun goes on
    assert "Games are paused until" in get_text(client_for(anna).get(f"/groups/{group.pk}/"))
    assert "paused until" in get_text(client_for(olga).get(f"/groups/{group.pk}/"))
    assert "can start games again" in get_text(send(there, "pause", end="1"))
    assert matchmaking.create_seek(anna.pk, SETUP, group_id=group.pk)


def test_the_other_side_of_a_paused_challenge_is_refused_too(there: dict[str, Any]) -> None:
    asked = challenges.create_challenge(there["anna"].pk, there["ben"].pk, SETUP)
    Member.objects.filter(player=there["anna"]).update(
        paused_until=timezone.now() + timedelta(days=1)
    )
    with pytest.raises(Refused, match="games-paused"):
        challenges.accept_challenge(there["ben"].pk, asked.pk)
    assert not Match.objects.exists()
    assert (
        care.pause_member(
            there["olga"], there["group"].pk, there["anna"].pk, timezone.now() + timedelta(days=2)
        )
        == {}
    )
    assert not Challenge.objects.exists()


def test_a_pause_ends_by_itself(there: dict[str, Any]) -> None:
    Member.objects.filter(player=there["anna"]).update(
        paused_until=timezone.now() - timedelta(seconds=1)
    )
    care.must_not_be_paused([there["anna"].pk])
    assert play_computer(there["anna"].pk, SETUP, 1)


def test_who_is_muted_sends_no_phrases(there: dict[str, Any]) -> None:
    match = create_match("tic-tac-toe", there["anna"], there["ben"], plies=1)
    state = read_states([match.pk])[match.pk]
    assert not check_speech(state, 0) and not check_speech(state, 1)
    send(there, "mute")
    with pytest.raises(Refused, match="muted"):
        check_speech(state, 0)
    assert not check_speech(state, 1)  # Ben still may
    send(there, "mute", end="1")
    assert not check_speech(state, 0)


def test_who_is_renamed_keeps_the_name_until_that_day(there: dict[str, Any]) -> None:
    anna = there["anna"]
    text = remove_isolates(get_text(send(there, "name", name="Anna 7b")))
    assert f"Anna Berg is now Anna 7b, and keeps that name until the end of {in_words(3)}" in text
    anna.refresh_from_db()
    assert anna.username == "Anna 7b"
    Player.objects.filter(pk=anna.pk).update(named_at=None)  # the usual interval is over
    anna.refresh_from_db()
    assert f"{get_next_rename(anna):%Y-%m-%d}" == in_days(3)
    with pytest.raises(Refused, match="name-soon"):
        change_name(anna.pk, "Something else")
    send(there, "name", end="1")
    assert change_name(anna.pk, "Something else") == "Something else"


@pytest.mark.parametrize("name", ["", "x", "Ben Cole", "Anna Berg", "moderator", "a" * 21])
def test_a_name_that_does_not_fit_is_refused(there: dict[str, Any], name: str) -> None:
    answer = send(there, "name", name=name)
    assert answer.status_code == 400 and 'role="alert"' in answer.content.decode()
    there["anna"].refresh_from_db()
    assert there["anna"].username == "Anna Berg"
    assert Member.objects.get(player=there["anna"]).name_kept_until is None


@pytest.mark.parametrize("until", ["", "tomorrow", "2020-01-01", "9999-12-31", "in 367 days"])
def test_the_day_is_within_a_year(there: dict[str, Any], until: str) -> None:
    answer = send(there, "pause", until=in_days(367) if until == "in 367 days" else until)
    assert answer.status_code == 400 and "Choose a date" in get_text(answer)
    assert not Member.objects.filter(paused_until__isnull=False).exists()


def test_only_the_organiser_may(there: dict[str, Any]) -> None:
    there["out"] = create_organiser("Otto Brook")
    path = WHERE.format(there["group"].pk, there["anna"].pk)
    for who, status in (("anna", 403), ("ben", 403), ("out", 404)):
        assert client_for(there[who]).get(path).status_code == status
        assert send(there, "pause", who).status_code == status
        for act in (care.pause_member, care.mute_member):
            with pytest.raises(Refused, match="not-allowed"):
                act(there[who], there["group"].pk, there["anna"].pk, timezone.now())
    assert not Member.objects.filter(paused_until__isnull=False).exists()


def test_adults_are_in_nobodys_care(there: dict[str, Any]) -> None:
    olga, stan = there["olga"], create_player("Stan Ger")
    club = create_group(olga, stan)
    colleague, staff = create_organiser("Otto Brook"), create_player("rita", "reviewer")
    for adult in (colleague, staff):
        membership.join_group(adult, there["group"].code)
    for group, who in ((club, stan), (there["group"], colleague), (there["group"], staff)):
        with pytest.raises(Refused, match="not-in-care"):
            care.pause_member(olga, group.pk, who.pk, timezone.now())
        answer = client_for(olga).get(WHERE.format(group.pk, who.pk), follow=True)
        assert "You can pause, mute and rename only pupils" in get_text(answer)


def test_it_moves_to_another_class_and_ends_with_the_membership(there: dict[str, Any]) -> None:
    post_accounts(client_for(there["olga"]), there["group"], how="list", names="Bo").getvalue()
    bo = Player.objects.get(username="Bo")
    other = create_group(there["olga"], for_minors=True)
    until = timezone.now() + timedelta(days=2)
    care.pause_member(there["olga"], there["group"].pk, bo.pk, until)
    transfers.offer_transfer(there["olga"], there["group"].pk, bo.pk, other.pk)
    with pytest.raises(Refused, match="games-paused"):
        care.must_not_be_paused([bo.pk])
    membership.remove_member(other.pk, bo.pk)
    care.must_not_be_paused([bo.pk])


# -- names of two letters


def test_classes_allow_names_of_two_letters(there: dict[str, Any]) -> None:
    text = get_text(
        post_accounts(client_for(there["olga"]), there["group"], how="list", names="Bo\nAl\nX")
    )
    assert "A name needs at least 2 characters" in text and not Group.objects.filter(name="X")
    post_accounts(client_for(there["olga"]), there["group"], how="list", names="Bo\nAl").getvalue()
    bo = Player.objects.get(username="Bo")
    assert change_name(bo.pk, "Jo") == "Jo"
    with pytest.raises(Refused, match="name-too-short"):
        change_name(there["anna"].pk, "An")

"""Members of a group for minors meet its members and nobody else, and are on no public list."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit
from games.match.commands import Rematch, Resign
from games.match.setup import Setup
from games.models import Match
from games.words.refusal import Refused
from lobby.accounts.merging import merge
from lobby.accounts.stored import stream
from lobby.groups import membership
from lobby.groups.minors import are_kept_apart, is_listed, unlisted
from lobby.live.listing import read_lobby
from lobby.live.played import being_played, forget
from lobby.models import Challenge, Player, Seek
from lobby.models.group import listed
from lobby.seeks import challenges, matchmaking
from lobby.seeks.computer import play_computer
from lobby.seeks.one_screen import play_beside
from tests.games.review.conftest import live, player
from tests.lobby.groups.people import club, organiser, seen_by, send

pytestmark = pytest.mark.django_db
SETUP = Setup("tic-tac-toe")


@pytest.fixture
def there(db: None) -> dict[str, Any]:
    olga = organiser()
    anna, ben, outsider = player("Anna Berg"), player("Ben Cole"), player("Out Sider")
    group = club(olga, anna, ben, for_minors=True)
    return {"olga": olga, "anna": anna, "ben": ben, "out": outsider, "group": group}


def test_minors_are_not_listed_and_everybody_else_is(there: dict[str, Any]) -> None:
    anna, ben, olga, out = (there[name] for name in ("anna", "ben", "olga", "out"))
    assert not is_listed(anna.pk) and is_listed(olga.pk) and is_listed(out.pk)
    rows = Player.objects.filter(listed())
    assert set(rows.values_list("username", flat=True)) == {"Olga Brook", "Out Sider"}
    seek = matchmaking.seek(out.pk, SETUP)
    assert list(Seek.objects.filter(listed("player"))) == [seek]
    assert unlisted([anna.pk, ben.pk, olga.pk, out.pk, 999_999]) == {anna.pk, ben.pk}
    assert unlisted([]) == set()
    membership.remove(there["group"].pk, anna.pk)
    assert is_listed(anna.pk)
    membership.change(there["group"].pk, "7b", False)
    assert is_listed(ben.pk)


def test_a_guest_who_turned_out_to_be_a_minor_is_not_listed_either(there: dict[str, Any]) -> None:
    guest = player("Sly Fox", is_guest=True)
    merge(guest.pk, there["anna"].pk)
    assert unlisted([guest.pk]) == {guest.pk}
    assert are_kept_apart(guest.pk, there["out"].pk)
    assert not are_kept_apart(guest.pk, there["ben"].pk)


def test_no_match_of_a_minor_and_an_outsider_is_opened_by_any_way(there: dict[str, Any]) -> None:
    anna, out = there["anna"], there["out"]
    for first, second in ((anna, out), (out, anna)):
        with pytest.raises(Refused, match="no-challenges"):
            challenges.challenge(first.pk, second.pk, SETUP)
        with pytest.raises(Refused, match="not-allowed"):
            open_match(SETUP, first.pk, second.pk)
    invitation = matchmaking.seek(out.pk, SETUP, by_address=True)
    with pytest.raises(Refused, match="taken"):
        matchmaking.join(anna.pk, invitation.pk)
    own = matchmaking.seek(anna.pk, SETUP, by_address=True)
    with pytest.raises(Refused, match="taken"):
        matchmaking.join(out.pk, own.pk)
    listed_one = matchmaking.seek(out.pk, SETUP)
    with pytest.raises(Refused, match="group-only"):
        matchmaking.join(anna.pk, listed_one.pk)
    with pytest.raises(Refused, match="group-only"):
        matchmaking.seek(anna.pk, SETUP)
    assert not Match.objects.exists()
    assert "is taken" in " ".join(
        seen_by(anna).get(f"/seek/{invitation.pk}/").content.decode().split()
    )


def test_minors_play_each_other_their_organiser_the_computer_and_who_sits_beside_them(
    there: dict[str, Any],
) -> None:
    anna, ben, olga = there["anna"], there["ben"], there["olga"]
    made = challenges.challenge(ben.pk, anna.pk, SETUP)
    assert challenges.accept(anna.pk, made.pk)
    assert challenges.accept(ben.pk, challenges.challenge(olga.pk, ben.pk, SETUP).pk)
    invitation = matchmaking.seek(anna.pk, SETUP, by_address=True)
    assert matchmaking.join(ben.pk, invitation.pk)
    play_computer(anna.pk, SETUP, 1)
    play_beside(anna.pk, SETUP)
    assert Match.objects.count() == 5


def test_a_club_of_adults_does_not_open_a_minor_to_them(there: dict[str, Any]) -> None:
    anna, out = there["anna"], there["out"]
    other = club(organiser("Otto Brook"), anna, out)
    assert are_kept_apart(anna.pk, out.pk)
    mine = matchmaking.seek(anna.pk, SETUP, group_id=other.pk)
    theirs = matchmaking.seek(out.pk, SETUP, group_id=other.pk)
    assert matchmaking.pair(mine.pk, theirs.pk) is None
    with pytest.raises(Refused, match="taken"):
        matchmaking.join(out.pk, mine.pk)


def test_becoming_a_minor_ends_what_is_open_with_others(there: dict[str, Any]) -> None:
    dora, out, anna = player("Dora Dean"), there["out"], there["anna"]
    search = matchmaking.seek(dora.pk, SETUP)
    challenges.challenge(dora.pk, out.pk, SETUP)
    challenges.challenge(out.pk, dora.pk, SETUP)
    _, ended = membership.join(dora, there["group"].code)
    assert ended == {search.pk: dora.pk}
    assert not Seek.objects.exists() and not Challenge.objects.exists()
    membership.change(there["group"].pk, "7b", False)
    search = matchmaking.seek(dora.pk, SETUP)
    kept = challenges.challenge(dora.pk, anna.pk, SETUP)
    challenges.challenge(dora.pk, out.pk, SETUP)
    own = matchmaking.seek(dora.pk, SETUP, group_id=there["group"].pk)
    assert membership.change(there["group"].pk, "7b", True) == {search.pk: dora.pk}
    assert list(Challenge.objects.all()) == [kept]
    assert list(Seek.objects.all()) == [own]


def test_a_match_from_before_goes_on_and_has_no_rematch(there: dict[str, Any]) -> None:
    dora, out = player("Dora Dean"), there["out"]
    match = live("tic-tac-toe", dora, out, plies=1)
    membership.join(dora, there["group"].code)
    commit([Request(match.pk, dora.pk, Resign())])
    match.refresh_from_db()
    assert match.status == "over"
    for who in (dora, out):
        commit([Request(match.pk, who.pk, Rematch())])
    assert Match.objects.count() == 1


def test_games_of_minors_are_not_shown_in_public(there: dict[str, Any]) -> None:
    forget()
    hidden = live("tic-tac-toe", there["anna"], there["ben"], plies=1)
    shown = live("tic-tac-toe", there["out"], there["olga"], plies=1)
    forget()
    assert set(being_played()) == {shown.pk}
    assert set(read_lobby().matches) == {shown.pk}
    for path in ("/", "/tv/"):
        page = Client().get(path).content.decode()
        assert hidden.pk not in page and "Anna Berg" not in page
    forget()


def test_their_pages_are_kept_out_of_search_engines(there: dict[str, Any]) -> None:
    assert "noindex" in Client().get("/player/Anna%20Berg/").content.decode()
    assert "noindex" not in Client().get("/player/Out%20Sider/").content.decode()
    for client in (seen_by(there["out"]), Client()):
        page = client.get("/player/Anna%20Berg/").content.decode()
        assert "/player/Anna%20Berg/challenge/" not in page
    page = seen_by(there["ben"]).get("/player/Anna%20Berg/").content.decode()
    assert "/player/Anna%20Berg/challenge/" in page


def test_whose_account_was_made_for_minors_is_taken_out_by_the_organiser(
    there: dict[str, Any],
) -> None:
    group, olga = there["group"], there["olga"]
    send(seen_by(olga), group, how="list", names="Dora 7b").getvalue()
    dora = Player.objects.get(username="Dora 7b")
    with pytest.raises(Refused, match="minors-stay"):
        membership.leave(dora.pk, group.pk)
    client = seen_by(dora)
    assert "Leave the group" not in client.get(f"/groups/{group.pk}/").content.decode()
    client.post(f"/groups/{group.pk}/leave/")
    assert not is_listed(dora.pk)
    membership.leave(there["anna"].pk, group.pk)  # who came by the code goes as they please
    membership.remove(group.pk, dora.pk)
    assert is_listed(dora.pk) and is_listed(there["anna"].pk)


@pytest.mark.django_db(transaction=True)
def test_the_download_has_the_groups(there: dict[str, Any]) -> None:
    async def read(who: Player) -> Any:
        return json.loads(b"".join([piece async for piece in stream(who)]))

    told = async_to_sync(read)(there["anna"])
    assert [each["group__name"] for each in told["groups"]] == ["7b"]
    assert told["groups_that_i_run"] == []
    told = async_to_sync(read)(there["olga"])
    assert [each["code"] for each in told["groups_that_i_run"]] == [there["group"].code]

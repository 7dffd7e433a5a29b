"""Moderators find a player from every page of the review, by all that they may know."""

from typing import Any

import pytest
from django.utils import timezone

from games.models import Connection
from games.review import decisions, reports
from games.review.player_search import MOST, search_players
from games.store.audit import hash_address
from lobby.accounts.names import change_name
from lobby.models import Device, Player
from tests.builders.groups import create_group
from tests.builders.matches import create_match
from tests.builders.players import PASSWORD, create_organiser, create_player

SEARCH = "/admin/games/case/search/"


def found(text: str) -> dict[int, tuple[str, ...]]:
    return {hit.player_id: hit.reasons for hit in search_players(text)[0]}


def test_a_player_is_found_by_name_and_by_former_names(alice: Any, rita: Any) -> None:
    otter, pilot = create_player("Otter"), create_player("Brave Otter Pilot")
    assert list(found("otter")) == [otter.pk, pilot.pk]  # the exact name comes first
    decisions.rename_player(rita, pilot.pk, "So.", 0, "Polite Crane")
    assert list(found("otter")) == [otter.pk, pilot.pk]
    assert "Brave Otter Pilot" in found("brave otter")[pilot.pk][0]
    change_name(otter.pk, "Calm Heron")
    assert "Otter" in found("otter")[otter.pk][0]
    assert found("o") == found("") == found("   ") == {}


def test_a_guest_that_became_an_account_is_found_as_the_account(alice: Any) -> None:
    guest = create_player("Quick Marmot", is_guest=True)
    Player.objects.filter(pk=guest.pk).update(alias_of=alice, is_active=False, shown_as="alice")
    assert list(found("marmot")) == [alice.pk]


def test_the_members_of_a_class_are_found(bob: Any, charlie: Any) -> None:
    olga = create_organiser()
    create_group(olga, bob)
    assert set(found("7B")) == {olga.pk, bob.pk}
    assert "7b" in found("7B")[bob.pk][0]


def test_players_are_found_by_the_key_of_a_network_or_browser(
    alice: Any, bob: Any, charlie: Any, rita: Any, client: Any
) -> None:
    now, key = timezone.now(), hash_address("192.0.2.1")
    one, two = create_match("tic-tac-toe", alice, bob), create_match("tic-tac-toe", charlie, bob)
    for match, seat, address in ((one, 0, key), (two, 0, key), (two, 1, hash_address("other"))):
        Connection.objects.create(
            match=match, seat=seat, server="s", address=address, opened_at=now, seen_at=now
        )
    assert set(found(key)) == set(found(key[:6])) == {alice.pk, charlie.pk}
    assert found(key[:5]) == {}
    token = "0123456789abcdef" * 4
    for whom in (alice, bob):
        Device.objects.create(player=whom, token=token, seen_at=now)
    assert set(found(token)) == set(found(token[:8])) == {alice.pk, bob.pk}
    client.force_login(rita)
    page = client.get(f"/admin/games/match/player/{alice.pk}/").content.decode()
    assert f"{SEARCH}?q={key}" in page
    assert f"{SEARCH}?q={token[:16]}" in page


def test_a_browser_shared_by_two_accounts_has_one_key(alice: Any, bob: Any, client: Any) -> None:
    for whom in (alice, bob):
        sent = {"login": whom.username, "password": PASSWORD}
        assert client.post("/accounts/login/", sent).status_code == 302
        client.post("/accounts/logout/")
    assert Device.objects.filter(player=alice).get().token == Device.objects.get(player=bob).token


def test_every_page_of_the_review_has_the_search(
    alice: Any, bob: Any, charlie: Any, rita: Any, client: Any
) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    case = reports.store_report(alice.pk, match.pk, bob.pk, "name", "").case_id
    client.force_login(rita)
    for path in ("", "games/", "games/case/", f"games/case/{case}/change/", "games/sign/",
                 "games/decision/", "games/match/", f"games/match/{match.pk}/change/",
                 "games/case/queue/", f"games/case/queue/{bob.pk}/", "lobby/appeal/",
                 f"games/match/player/{bob.pk}/", "games/case/search/"):  # fmt: skip
        assert f'action="{SEARCH}"' in client.get(f"/admin/{path}").content.decode(), path
    shown = client.get(SEARCH, {"q": "bob"})
    (row,) = shown.context["rows"]
    assert (row["player"], len(row["reports"])) == (bob, 1)
    assert f"/admin/games/match/player/{bob.pk}/" in shown.content.decode()
    assert match.pk in client.get(SEARCH, {"q": match.pk}).content.decode()
    assert "Enter at least two characters" in client.get(SEARCH, {"q": "b"}).content.decode()


def test_a_search_lists_a_bounded_number(rita: Any, client: Any) -> None:
    Player.objects.bulk_create(Player(username=f"crowd {n}") for n in range(MOST + 1))
    hits, has_more = search_players("crowd")
    assert (len(hits), has_more) == (MOST, True)
    client.force_login(rita)
    assert "The first 200 players" in client.get(SEARCH, {"q": "crowd"}).content.decode()


@pytest.mark.parametrize("who", ["rita", "bob", None])
def test_only_staff_see_the_link_to_the_review(
    who: str | None, alice: Any, bob: Any, rita: Any, client: Any
) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    if who is not None:
        client.force_login({"rita": rita, "bob": bob}[who])
    for page, link in (
        ("/player/alice/", f"/admin/games/match/player/{alice.pk}/"),
        (f"/match/{match.pk}/", f"/admin/games/match/{match.pk}/change/"),
    ):
        assert (link in client.get(page).content.decode()) is (who == "rita"), page

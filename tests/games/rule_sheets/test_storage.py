"""Stored sheets: what is kept, what other processes see, and who may start matches."""

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.boards import BOARDS
from games.gdl.admission import LEAST_PLAYOUTS
from games.gdl.errors import SheetError
from games.journal.opening import open_match
from games.match.setup import Setup, checked
from games.messages import get_game_name, script
from games.messages.refusal import Refused
from games.models import Match, StoredSheet
from games.rule_sheets import storage
from games.rule_sheets.preparing import PreparedSheet, prepare_new_sheet
from games.rules import GAMES, LISTED_GAMES, PLAYABLE_GAMES, Access
from games.store.records import find_unsound_matches, get_record, serialize_record
from lobby.seeks import matchmaking
from tests.builders.board_sheets import keep_catalogue
from tests.builders.gdl_sheets import RACE, SHIPPED, compile_here
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db
OVERLAY = b'{"title": "The Race"}'


@pytest.fixture(autouse=True)
def catalogue() -> Iterator[None]:
    with keep_catalogue():
        yield


@pytest.fixture(scope="module")
def race() -> PreparedSheet:
    return prepare_new_sheet(RACE.encode(), OVERLAY, "race")


def test_a_stored_sheet_is_a_game(race: PreparedSheet) -> None:
    before = script._catalog("en")
    storage.store_sheet(race, is_settled=True)
    assert "race" in LISTED_GAMES
    assert get_game_name("race") == "The Race"
    assert "The Race" in script._catalog("en")[1]
    assert "The Race" not in before[1]
    assert BOARDS["race"].slug == "race"
    stored = StoredSheet.objects.get()
    assert stored.sheet.encode() == RACE.encode()
    assert stored.digest == GAMES["race"].sheet
    assert 'data-seek="race"' in Client().get("/").content.decode()


def test_another_process_loads_it_and_offers_it_only_when_all_have(race: PreparedSheet) -> None:
    with keep_catalogue():
        storage.store_sheet(race)
        assert "race" in GAMES
        assert "race" not in PLAYABLE_GAMES
    assert "race" not in GAMES
    storage.load_sheets()
    assert "race" in GAMES
    assert "race" not in PLAYABLE_GAMES
    StoredSheet.objects.update(added_at=timezone.now() - storage.SETTLING - timedelta(seconds=1))
    storage.load_sheets()
    assert "race" in LISTED_GAMES


def test_a_network_of_an_older_compiler_is_compiled_again(race: PreparedSheet) -> None:
    with keep_catalogue():
        storage.store_sheet(race)
    StoredSheet.objects.update(network=b"old")
    storage.load_sheets()
    assert GAMES["race"].start.legal() == ("take 1", "take 2")
    assert bytes(StoredSheet.objects.get().network) == race.loaded.network.encode()


def test_a_sheet_that_cannot_be_loaded_stops_nothing(race: PreparedSheet) -> None:
    with keep_catalogue():
        storage.store_sheet(race)
    StoredSheet.objects.update(sheet="(role", network=b"old")
    storage.load_sheets()
    assert "race" not in GAMES
    assert "race" in storage._broken


@pytest.mark.parametrize("slug", ["tic-tac-toe", "best", "seek", "race"])
def test_an_address_is_given_once(race: PreparedSheet, slug: str) -> None:
    storage.store_sheet(race)
    again = prepare_new_sheet(RACE.encode(), OVERLAY, slug)
    with pytest.raises(SheetError, match="already a game"):
        storage.store_sheet(again)
    assert StoredSheet.objects.count() == 1


@pytest.mark.parametrize("slug", ["Race", "a_b", "-a", "1st", "a" * 41, "é"])
def test_an_address_has_a_form(slug: str) -> None:
    with pytest.raises(SheetError, match="address"):
        prepare_new_sheet(RACE.encode(), OVERLAY, slug)


def test_there_is_a_limit(race: PreparedSheet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "MOST_SHEETS", 0)
    with pytest.raises(SheetError, match="no room"):
        storage.store_sheet(race)
    assert not StoredSheet.objects.exists()


@pytest.mark.parametrize("text", [b"\xff", RACE.encode() + b"; \0"])
def test_what_is_no_text_is_refused(text: bytes) -> None:
    with pytest.raises(SheetError, match="UTF-8"):
        prepare_new_sheet(text, OVERLAY, "race")


def test_a_game_that_is_switched_off_starts_no_match(race: PreparedSheet) -> None:
    storage.store_sheet(race, is_settled=True)
    one, other = create_player("one"), create_player("other")
    match = open_match(Setup("race"), one.pk, other.pk)
    storage.change_access("race", Access.NOBODY)
    assert "race" in GAMES
    with pytest.raises(Refused, match="game-off"):
        checked("race")
    with pytest.raises(Refused, match="game-off"):
        open_match(Setup("race"), one.pk, other.pk)
    assert Match.objects.count() == 1
    client = Client()
    assert 'data-seek="race"' not in client.get("/").content.decode()
    assert client.get(f"/match/{match.pk}/").status_code == 200
    assert client.get("/rules/race/").status_code == 200


def test_a_game_by_invitation_is_not_sought_in_public(race: PreparedSheet) -> None:
    storage.store_sheet(race, Access.INVITED, is_settled=True)
    one, other = create_player("one"), create_player("other")
    with pytest.raises(Refused, match="game-by-invitation"):
        matchmaking.create_seek(one.pk, checked("race"))
    seek = matchmaking.create_seek(one.pk, checked("race"), by_address=True)
    assert matchmaking.join_seek(other.pk, seek.pk).roles.keys() == {one.pk, other.pk}
    client = Client()
    client.force_login(one, backend="django.contrib.auth.backends.ModelBackend")
    assert 'data-seek="race"' not in client.get("/").content.decode()
    assert 'value="race"' in client.get("/player/other/challenge/").content.decode()


def test_records_name_the_sheet(race: PreparedSheet) -> None:
    storage.store_sheet(race, is_settled=True)
    match = open_match(Setup("race"), create_player("one").pk, create_player("other").pk)
    record = get_record(match.pk)
    assert record is not None
    assert serialize_record(record, ("one", "other"))["sheet"] == race.loaded.digest
    assert find_unsound_matches([match.pk]) == {}


def test_the_shipped_sheets_are_stored_once() -> None:
    storage.store_shipped_sheets(is_settled=True)
    known = {path.stem for path in storage.SHIPPED.glob("*.kif")}
    assert set(StoredSheet.objects.values_list("slug", flat=True)) == known
    assert known <= set(LISTED_GAMES)
    StoredSheet.objects.update(access=Access.NOBODY)
    storage.store_shipped_sheets()
    assert not StoredSheet.objects.exclude(access=Access.NOBODY).exists()


def test_a_shipped_sheet_without_room_does_not_stop_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(storage, "MOST_SHEETS", 1)
    storage.store_shipped_sheets()
    assert StoredSheet.objects.count() == 1


@pytest.mark.parametrize("slug", sorted(SHIPPED))
def test_the_shipped_network_is_that_of_its_sheet(slug: str) -> None:
    shipped = storage.prepare_shipped_sheet(slug).loaded.network
    compiled = compile_here(SHIPPED[slug].read_text(), LEAST_PLAYOUTS)
    assert shipped.encode() == compiled.encode()


def test_lists_take_one_query(race: PreparedSheet, django_assert_num_queries: object) -> None:
    storage.store_sheet(race)
    with django_assert_num_queries(1):  # type: ignore[operator]
        storage.load_sheets()


@pytest.mark.django_db(transaction=True)
def test_two_threads_store_one_sheet(race: PreparedSheet) -> None:
    refused = []

    def store() -> None:
        try:
            storage.store_sheet(race)
        except SheetError as error:
            refused.append(str(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=store) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert StoredSheet.objects.count() == 1
    assert len(refused) == 1
    assert "already a game" in refused[0]

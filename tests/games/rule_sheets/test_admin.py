"""Staff check, preview and add a game in the admin, and switch it off."""

from collections.abc import Iterator
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.models import StoredSheet
from games.rules import GAMES, PLAYABLE_GAMES
from tests.builders.board_sheets import keep_catalogue
from tests.builders.gdl_sheets import RACE
from tests.builders.players import create_player, create_staff

pytestmark = pytest.mark.django_db
ADD = "/admin/games/storedsheet/add/"
FORM = {"title": "The Race", "sheet": RACE.replace("\n", "\r\n"), "overlay": "", "access": "on"}


@pytest.fixture(autouse=True)
def catalogue() -> Iterator[None]:
    with keep_catalogue():
        yield


@pytest.fixture
def staff() -> Client:
    client = Client()
    player = create_player("teacher", "game editor")
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_preview_stores_nothing(staff: Client) -> None:
    page = staff.post(ADD, {**FORM, "_preview": "yes"}).content.decode()
    assert "Nothing is stored yet" in page
    assert page.count("<div><svg") == 3
    assert "take 1, take 2" in page
    assert "(role left)" in page  # in the form, to be sent again
    assert not StoredSheet.objects.exists()
    assert "the-race" not in GAMES


def test_a_game_is_added_from_a_file(staff: Client) -> None:
    file = SimpleUploadedFile("race.kif", RACE.encode())
    assert (
        staff.post(ADD, {**FORM, "sheet": "", "sheet_file": file, "_save": "yes"}).status_code
        == 302
    )
    stored = StoredSheet.objects.get()
    assert (stored.slug, stored.sheet) == ("the-race", RACE)
    assert "the-race" in GAMES
    page = staff.get("/admin/games/storedsheet/the-race/change/").content.decode()
    assert page.count("<div><svg") == 3
    assert (
        "The Race" in staff.get("/admin/games/storedsheet/").content.decode() or stored.slug in page
    )


def test_only_who_may_play_can_be_changed(staff: Client) -> None:
    staff.post(ADD, {**FORM, "_save": "yes"})
    StoredSheet.objects.update(added_at="2026-01-01T00:00Z")
    address = "/admin/games/storedsheet/the-race/change/"
    changed = staff.post(address, {"access": "off", "sheet": "(role x)", "slug": "other"})
    assert changed.status_code == 302
    stored = StoredSheet.objects.get()
    assert (stored.slug, stored.access) == ("the-race", "off")
    assert stored.sheet == RACE
    assert "the-race" not in PLAYABLE_GAMES
    assert (
        staff.post("/admin/games/storedsheet/the-race/delete/", {"post": "yes"}).status_code == 403
    )


@pytest.mark.parametrize("button", ["_preview", "_save"])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sheet": RACE + "(role third)"}, "the sheet has more than two roles"),
        ({"sheet": ""}, "Choose a file, or paste the text of a sheet."),
        ({"overlay": "[]"}, "the overlay is not an object in JSON"),
        ({"overlay": '{"colour": 1}'}, "colour"),
        ({"title": "é!"}, "address"),
        ({"title": ""}, "This field is required."),
    ],
)
def test_a_refusal_is_shown_with_the_form(
    staff: Client, button: str, change: dict[str, str], words: str
) -> None:
    page = staff.post(ADD, {**FORM, **change, button: "yes"})
    assert page.status_code == 200
    assert words in unescape(page.content.decode())
    assert not StoredSheet.objects.exists()


def test_an_address_that_is_taken_is_refused(staff: Client) -> None:
    page = staff.post(ADD, {**FORM, "title": "Tic Tac Toe", "_save": "yes"})
    assert "already a game" in unescape(page.content.decode())
    assert not StoredSheet.objects.exists()


def test_the_sheet_of_a_game_cannot_be_read_as_a_page(staff: Client) -> None:
    title = "<script>alert(1)</script>"
    page = staff.post(ADD, {**FORM, "title": title, "_preview": "yes"}).content.decode()
    assert "<script>alert" not in page


def test_staff_without_the_right_add_nothing() -> None:
    client = Client()
    reviewer = create_staff("reviewer")
    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")
    for button in ("_preview", "_save"):
        assert client.post(ADD, {**FORM, button: "yes"}).status_code == 403
    assert not StoredSheet.objects.exists()

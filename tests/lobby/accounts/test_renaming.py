"""Renaming an account: once a month, and the old name stays reserved for three months."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Notice
from games.review import decisions
from lobby.accounts.guests import new_guest
from lobby.accounts.names import change_name, find_person
from lobby.models import FormerName, Player
from lobby.seeks import matchmaking
from tests.builders.matches import create_match
from tests.builders.players import create_player
from tests.builders.retention import delete_old

pytestmark = pytest.mark.django_db
TAKEN = "name-taken"


@pytest.fixture
def page(anna: Any) -> Client:
    client = Client()
    client.force_login(anna)
    return client


def long_ago(anna: Any) -> None:
    Player.objects.filter(pk=anna.pk).update(named_at=timezone.now() - timedelta(days=31))


def refusal(player_id: int, name: str) -> str:
    with pytest.raises(Refused) as refused:
        change_name(player_id, name)
    return refused.value.code


def test_once_in_a_month(anna: Any) -> None:
    assert change_name(anna.pk, "  Anna   Dahl ") == "Anna Dahl"
    assert refusal(anna.pk, "Anna Ek") == "name-soon"
    long_ago(anna)
    assert change_name(anna.pk, "Anna Ek") == "Anna Ek"
    found = Player.objects.get(pk=anna.pk)
    assert (found.username, found.name) == ("Anna Ek", "Anna Ek")


def test_the_former_name_leads_to_the_new_and_is_nobody_elses(anna: Any) -> None:
    bob = create_player("Bob Cole")
    change_name(anna.pk, "Clara")
    assert find_person("Anna Berg") == anna == find_person("anna  berg")
    assert refusal(bob.pk, "\N{CYRILLIC CAPITAL LETTER A}nna Berg") == "name-mixed"
    assert refusal(bob.pk, "Anna Bérg") == TAKEN
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(username="ANNA BERG")
    with pytest.raises(IntegrityError), transaction.atomic():
        bob.username = "Anna Berg"
        bob.save()
    FormerName.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert find_person("Anna Berg") is None
    assert change_name(bob.pk, "Anna Berg") == "Anna Berg"
    delete_old(FormerName)
    assert not FormerName.objects.filter(player=anna).exists()
    assert find_person("Anna Berg") == bob


def test_back_to_the_former_name(anna: Any) -> None:
    change_name(anna.pk, "Clara")
    long_ago(anna)
    assert change_name(anna.pk, "Anna Berg") == "Anna Berg"
    assert [kept.name for kept in anna.former_names.all()] == ["Clara"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("", "name-too-short"),
        ("Al", "name-too-short"),
        ("A" * 21, "name-too-long"),
        ("A" * 10_000, "name-too-long"),
        ("An\x00na", "name-invisible"),
        ("An\u202ena", "name-invisible"),
        ("Anna\u200bB", "name-invisible"),
        ("Anna \N{PARTY POPPER}", "name-character"),
        ("\N{PARTY POPPER}" * 5, "name-character"),
        ("Bob CoIe", TAKEN),
        ("B0b C0le", TAKEN),
        ("Closed  account", "name-reserved"),
        ("The Moderators", "name-reserved"),
        ("Fuck You", "name-reserved"),
        ("<b>Anna</b>", "name-character"),
        ("Anna Berg", "name-same"),
    ],
)
def test_a_name_that_is_not_to_be_had_gets_a_clear_word(
    anna: Any, page: Client, asked: str, code: str
) -> None:
    create_player("Bob Cole")
    assert refusal(anna.pk, asked) == code
    answer = page.post("/accounts/name/", {"name": asked})
    assert answer.status_code in {400, 413}
    text = answer.content.decode()
    assert 'role="alert"' in text or "\0" in asked
    assert len(text) < 20_000
    assert Player.objects.get(pk=anna.pk).username == "Anna Berg"


def test_letters_of_many_scripts(anna: Any) -> None:
    for name in ("Łukasz Żak", "Иван Грозный", "武蔵の剣", "ދިވެހި", "علي رضا"):
        assert change_name(anna.pk, name) == name
        long_ago(anna)


def test_guests_and_nobody_choose_no_name(anna: Any) -> None:
    assert refusal(new_guest().pk, "Clara") == "not-allowed"
    assert refusal(0, "Clara") == "not-allowed"
    client = Client()
    client.force_login(new_guest())
    assert client.post("/accounts/name/", {"name": "Clara"}).status_code == 302
    assert Client().get("/accounts/name/").status_code == 302


def test_the_page(anna: Any, page: Client) -> None:
    answer = page.post("/accounts/name/", {"name": "Clara", "next": "https://evil.example/"})
    assert answer.headers["Location"] == "/accounts/", "no forged way out"
    assert "Your name is now Clara." in page.get("/accounts/").content.decode()
    text = page.get("/accounts/name/").content.decode()
    assert "You can change your name again on" in text
    assert "<form" not in text.split("<h1>")[1].split("</main>")[0]
    assert page.post("/accounts/name/", {"name": "Dora"}).status_code == 400


# -- moderators require another name


def test_another_name_is_asked_for_before_anything_else(anna: Any, page: Client) -> None:
    sara = create_player("sara", "senior reviewer")
    match = create_match("tic-tac-toe", anna, create_player("Bob Cole"))
    made = decisions.require_new_name(sara, anna.pk, "It is rude.", 0)
    assert "another name" in made.summary
    assert Notice.objects.filter(player=anna).count() == 1
    with pytest.raises(Refused, match="must-rename-already"):
        decisions.require_new_name(sara, anna.pk, "It is rude.", 1)
    for path in ("/", "/games/", "/admin/"):
        answer = page.get(path)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/accounts/name/")
    assert page.post("/computer/", {"game": "tic-tac-toe"}).headers["Location"] == "/accounts/name/"
    with pytest.raises(Refused, match="rename-first"):
        matchmaking.create_seek(anna.pk, Setup("tic-tac-toe"))
    assert page.get(f"/match/{match.pk}/").status_code == 200, "their games go on"
    answer = page.post("/accounts/name/", {"name": "Clara", "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert page.get("/").status_code == 200
    assert find_person("Anna Berg") is None, "a name that was not wanted leads nowhere"


def test_it_is_asked_for_within_the_month_too_and_can_be_taken_back(anna: Any) -> None:
    sara = create_player("sara", "senior reviewer")
    change_name(anna.pk, "Clara")
    made = decisions.require_new_name(sara, anna.pk, "It is rude.", 0)
    decisions.reverse_decision(sara, made.pk, "It is not.")
    assert refusal(anna.pk, "Dora") == "name-soon"
    decisions.require_new_name(sara, anna.pk, "It is.", 2)
    assert change_name(anna.pk, "Dora") == "Dora"
    with pytest.raises(Refused, match="no-choice"):
        decisions.require_new_name(sara, new_guest().pk, "Rude.", 0)

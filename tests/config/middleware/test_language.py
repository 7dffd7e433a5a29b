"""The language of a page: the player's, then the cookie's, then the browser's."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client, override_settings
from django.utils import translation

from games.runtime.streaming import ChunkedResponse
from lobby.models import Player
from tests.builders.catalogs import write_catalog
from tests.builders.players import PASSWORD, client_for, create_player

pytestmark = pytest.mark.django_db
GERMAN = {
    "Skip to content": "Zum Inhalt springen",
    "Your preferences apply on every device where you are logged in.": "Gilt überall.",
    "The password of your account at %(site_name)s was changed.": "Dein Passwort ist geändert.",
    "Wrong name or password.": "Name oder Passwort falsch.",
    "Offline": "Ohne Netz",
}
MARK = "Zum Inhalt springen"
PAGE = {"HTTP_ACCEPT": "text/html,*/*;q=0.8"}


@pytest.fixture(autouse=True)
def german(tmp_path: Path) -> Iterator[None]:
    write_catalog(tmp_path, "de", GERMAN)
    languages = [("en", "English"), ("de", "Deutsch")]
    with override_settings(LANGUAGES=languages, LOCALE_PATHS=[tmp_path]):
        yield


def get(client: Client, path: str = "/rules/", accepted: str = "", **more: Any) -> Any:
    return client.get(path, HTTP_ACCEPT_LANGUAGE=accepted, **PAGE, **more)


def choose(client: Client, language: str, **more: str) -> Any:
    return client.post("/language/", {"language": language, **more}, **PAGE)  # type: ignore[arg-type]


def is_german(answer: Any) -> bool:
    text = answer.content.decode()
    assert ('lang="de"' in text.split("<head>")[0]) is (MARK in text)
    return MARK in text


def test_a_visitor_gets_the_language_of_the_browser() -> None:
    client = Client()
    assert is_german(get(client, accepted="de-AT,de;q=0.9,en;q=0.5"))
    assert not is_german(get(client, accepted="en"))
    assert not is_german(get(client, accepted="tlh"))
    assert not is_german(get(client))


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-CH", "de"), ("pt", "pt-br"), ("pt-PT,pt;q=0.9", "pt-br"), ("zh-CN", "zh-hans"),
        ("zh-TW", "zh-hans"), ("en-GB,de;q=0.5", "en"), ("tlh,de;q=0.5", "de"), ("*", "en"),
    ],
)  # fmt: skip
def test_a_regional_variant_gets_its_language(tmp_path: Path, accepted: str, language: str) -> None:
    for code in ("pt-br", "zh-hans"):
        write_catalog(tmp_path, code, {})
    known = [(code, code) for code in ("en", "de", "pt-br", "zh-hans")]
    with override_settings(LANGUAGES=known):
        page = get(Client(), accepted=accepted).content.decode()
    assert f'lang="{language}"' in page.split("<head>")[0]


def test_the_choice_of_a_visitor_outranks_the_browser_and_creates_no_session() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = choose(client, "de", next="/rules/?a=b")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/?a=b")
    cookie = client.cookies["django_language"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["max-age"]
    assert is_german(get(client, accepted="en"))
    choose(client, "en")
    assert not is_german(get(client, accepted="de"))
    assert list(client.cookies) == ["django_language"]
    assert not Session.objects.exists()


def test_the_choice_of_a_player_holds_on_every_device() -> None:
    anna = create_player("Anna Berg")
    assert is_german(get(client_for(anna), accepted="de"))  # she has not chosen yet
    choose(client_for(anna), "de")
    elsewhere = client_for(anna)
    elsewhere.cookies["django_language"] = "en"
    for path in ("/", "/rules/", "/accounts/", "/player/Anna Berg/"):
        assert is_german(get(elsewhere, path, accepted="en"))
    assert elsewhere.cookies["django_language"].value == "de"  # for the scripts of the page
    elsewhere.logout()
    anna.language = "xx"  # a language that the site no longer has
    anna.save()
    assert not is_german(get(client_for(anna), accepted="en"))


@pytest.mark.parametrize("language", ["", "fr", "../en", "de\n", "DE"])
def test_an_unknown_language_is_refused(language: str) -> None:
    client = Client()
    assert choose(client, language).status_code == 400
    assert "django_language" not in client.cookies


@pytest.mark.parametrize("target", ["", "//example.org/", "https://example.org/", "javascript:1"])
def test_the_switch_leads_to_no_other_site(target: str) -> None:
    assert choose(Client(), "de", next=target).headers["Location"] == "/"
    assert Client().get("/language/").status_code == 405


def test_pages_vary_by_language_and_other_answers_do_not() -> None:
    client = Client()
    for path in ("/", "/rules/", "/offline/", "/nowhere/", "/tournaments/feed.atom"):
        found = {each.strip() for each in get(client, path).headers["Vary"].split(",")}
        assert {"Accept-Language", "Cookie"} <= found, path
    assert "Accept-Language" not in get(client, "/manifest.webmanifest").headers.get("Vary", "")
    assert "no-store" not in get(client, "/offline/").headers["Cache-Control"]


def test_the_api_stays_english_for_every_browser() -> None:
    client = Client()
    client.cookies["django_language"] = "de"
    english = Client().get("/api/user/nobody").content
    assert get(client, "/api/user/nobody", accepted="de").content == english
    assert not get(client, "/api/user/nobody").headers.get("Vary")


def test_no_language_stays_active_after_a_request() -> None:
    get(Client(), accepted="de")
    assert translation.get_language() == "en"
    assert not is_german(get(Client()))


def test_a_response_in_pieces_stays_in_the_language_in_which_it_began() -> None:
    ended = []

    def pieces() -> Iterator[bytes]:
        try:
            for _ in range(2):
                yield translation.gettext("Offline").encode()
        finally:
            ended.append(translation.get_language())

    with translation.override("de"):
        response = ChunkedResponse(pieces())
        left = ChunkedResponse(pieces())
    assert [piece.decode() for piece in response] == ["Ohne Netz", "Ohne Netz"]
    assert translation.get_language() == "en"
    assert next(iter(left)) == b"Ohne Netz"
    left.close()
    assert len(ended) == 2


def test_error_pages_and_refusals_are_in_the_viewers_language() -> None:
    client = Client()
    for path in ("/nowhere/", "/match/nosuchone/", "/rules/%00/"):
        answer = get(client, path, accepted="de")
        assert answer.status_code in {400, 404} and is_german(answer), path
    form = {"login": "Nobody Here", "password": "wrong"}
    answer = client.post("/accounts/login/", form, HTTP_ACCEPT_LANGUAGE="de")
    assert "Name oder Passwort falsch." in answer.content.decode()


def test_a_new_account_keeps_the_language_in_which_it_signed_up() -> None:
    client = Client()
    form = urlencode({"username": "Anna Berg", "password1": PASSWORD})
    client.post(
        "/accounts/signup/", form, "application/x-www-form-urlencoded", HTTP_ACCEPT_LANGUAGE="de"
    )
    assert Player.objects.get(username="Anna Berg").language == "de"


@override_settings(SENDS_MAIL=True, EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")
def test_an_email_is_written_in_the_recipients_language() -> None:
    from allauth.account.adapter import get_adapter
    from allauth.core import context
    from django.test import RequestFactory

    anna = create_player("Anna Berg", email="anna@example.org", language="de")
    EmailAddress.objects.create(user=anna, email=anna.email, primary=True, verified=True)
    with translation.override("en"), context.request_context(RequestFactory().get("/")):
        get_adapter().send_notification_mail("account/email/password_changed", anna)
        assert translation.get_language() == "en"
    assert "Dein Passwort ist geändert." in mail.outbox[0].body

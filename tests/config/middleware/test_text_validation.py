"""Text that PostgreSQL cannot store is refused in every input, and never causes a 500."""

import http.client
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed

from games.store.sessions import is_key
from tests.builders.second_factors import GIVE_TO_STAFF
from tests.builders.sites import PATIENCE, Person, Site, pair

BAD_KEYS = (
    '"aaaaaaaa\\000"',
    '"' + "a" * 31 + '\\000"',
    "A" * 32,
    "a" * 33,
    "x",
    "\\",
    '"',
    "ä" * 32,
)
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, postgres_url: str) -> Iterator[Site]:
    """A site on PostgreSQL: SQLite would store such text."""
    env = {"DATABASE_URL": postgres_url, "SECRET_KEY": "k" * 50}
    server = Site(tmp_path_factory.mktemp("strict"), env)
    try:
        yield server.wait()
        server.must_be_calm()
    finally:
        server.stop()


@pytest.fixture(scope="module")
def staff(site: Site) -> Person:
    made = site.manage(
        "shell", "-c",
        "from lobby.models import Player;"
        "Player.objects.create_superuser('chief', password='a long password');" + GIVE_TO_STAFF,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return Person(site).log_in("chief", "a long password", "/admin/")


def ask(person: Person, method: str, path: str, body: str = "", kind: str = FORM) -> int:
    """Send a request with the person's cookies and token. Return its status."""
    connection = http.client.HTTPConnection("127.0.0.1", person.site.port, timeout=PATIENCE)
    headers = {
        "Cookie": person.cookie_header(),
        "X-CSRFToken": person.token() or "",
        "Content-Type": kind,
        **person.headers,
    }
    connection.request(method, path, body.encode(), headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_a_sessions_key_has_a_shape() -> None:
    assert is_key("0123456789abcdefghijklmnopqrstuv")
    for text in ("", "a" * 31, "a" * 33, "A" * 32, "a" * 31 + "\0", "a" * 31 + "\n"):
        assert not is_key(text)


@pytest.mark.parametrize("key", BAD_KEYS)
def test_a_session_that_cannot_be_is_none(site: Site, charlie_online: Person, key: str) -> None:
    charlie_online.headers["Cookie"] = f"sessionid={key}".encode().decode("latin1")
    assert ask(charlie_online, "GET", "/") == 200
    with charlie_online.lobby() as lobby:
        assert lobby.next("lobby")["you"] is None


def test_other_cookies_may_be_anything(charlie_online: Person) -> None:
    for name in ("csrftoken", "messages", "other"):
        charlie_online.headers["Cookie"] = f'{name}="a\\000"'
        assert ask(charlie_online, "GET", "/") == 200


@pytest.mark.parametrize(
    "path",
    [
        "/%00",
        "/match/a%00/",
        "/seek/%00/",
        "/player/%00/",
        "/?q=%00",
        "/?%00=1",
        "/match/x/?ply=%00",
    ],
)
def test_no_nul_in_an_address(charlie_online: Person, path: str) -> None:
    assert ask(charlie_online, "GET", path) == 400


def test_no_nul_in_a_form(alice_online: Person, bob_online: Person) -> None:
    match_id, _ = pair(alice_online, bob_online, "tic-tac-toe")
    whom = bob_online.json("/match/" + match_id + "/record.json")
    assert whom["game"] == "tic-tac-toe"
    report = {"player": "1", "reason": "insults"}
    for form in ({**report, "words": "a\0b"}, {**report, "a\0": "b"}, {"game": "tic-tac-toe\0"}):
        for path in (f"/match/{match_id}/report/", "/seek/", "/computer/", "/guest/"):
            assert ask(alice_online, "POST", path, urlencode(form)) == 400
    parts = '--b\r\nContent-Disposition: form-data; name="words"\r\n\r\na\0b\r\n--b--\r\n'
    path = f"/match/{match_id}/report/"
    assert ask(alice_online, "POST", path, parts, "multipart/form-data; boundary=b") == 400
    for charset in ("utf-7", "hex", "unicode_escape", "no-such-thing"):
        kind = f"multipart/form-data; boundary=b; charset={charset}"
        assert ask(alice_online, "POST", path, parts.replace("\0", "+2AA-"), kind) == 400
    assert ask(alice_online, "POST", "/notice/1/read/", urlencode({"next": "/\0"})) == 400


@pytest.mark.parametrize(
    "query",
    ["q=%00", "seen=%00", "player=%00", "p=%00", "o=%00", "id__exact=%00", "first__username=%00"],
)
def test_no_nul_in_the_lists_of_the_staff(staff: Person, query: str) -> None:
    for model in ("games/match", "games/case", "games/sign", "games/decision", "lobby/player",
                  "lobby/seek"):  # fmt: skip
        assert ask(staff, "GET", f"/admin/{model}/") == 200
        assert ask(staff, "GET", f"/admin/{model}/?{query}") == 400
    assert ask(staff, "GET", "/admin/games/match/%00/change/") == 400


def test_no_nul_by_a_socket(alice_online: Person) -> None:
    for path in ("/ws/match/a%00b/", "/ws/match/%ed%a0%80/", "/ws/lobby/%00"):
        with alice_online.socket(path) as socket, pytest.raises(ConnectionClosed) as closed:
            socket.frame(10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404
    with alice_online.lobby() as lobby:
        lobby.next("lobby")
        lobby.send("join", seek="a\0b")
        assert lobby.next("error")["code"] == "malformed"

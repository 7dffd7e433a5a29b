"""Previews of a match or an invitation: its title and a picture of the position."""

import html
import re
import struct
import urllib.error
import urllib.request
from typing import Any

import pytest

from games.boards import BOARDS
from games.lessons import LESSONS
from games.previews.pictures import HEIGHT, WIDTH, Scene, render_png, render_svg
from games.rules import GAMES
from tests.builders.sites import PATIENCE, ROOT, Person, Site, pair
from tests.builders.sockets import play_new_match

BAD_NAME = "<b onload='x'>&\"{{7}}"


def size(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def scene(slug: str, words: str = "Sly Fox beat Kind Otter") -> Scene:
    position = LESSONS[slug].typical
    return Scene(slug, position.diagram, words, GAMES[slug].name, (), tuple(position.line))


def meta(page: str, name: str) -> str:
    found = re.search(rf'<meta property="og:{name}" content="([^"]*)">', page)
    assert found, name
    return html.unescape(found[1])


def fetch(person: Person, path: str, **headers: str) -> tuple[int, bytes, dict[str, Any]]:
    request = urllib.request.Request(f"{person.site.url}{path}", headers=headers)
    try:
        with person._http.open(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, error.read(), dict(error.headers)


@pytest.mark.parametrize("slug", GAMES)
def test_every_board_makes_a_picture_with_its_marks_on_it(slug: str) -> None:
    made = render_png(scene(slug))
    assert size(made) == (WIDTH, HEIGHT) == (1200, 630)
    start = Scene(slug, GAMES[slug].start.diagram, "Sly Fox beat Kind Otter", GAMES[slug].name)
    assert made != render_png(start)
    assert len(made) < 200_000


def test_the_words_are_written_in_our_own_font() -> None:
    """A picture is made without the system's fonts, so without ours it would have no words."""
    assert render_png(scene("tic-tac-toe", "Sly Fox")) != render_png(scene("tic-tac-toe", ""))


def test_no_word_of_people_is_markup() -> None:
    text = render_svg(scene("tic-tac-toe", BAD_NAME))
    assert "<b" not in text.replace("<svg", "")
    assert "&lt;b" in text
    assert size(render_png(scene("tic-tac-toe", BAD_NAME))) == (1200, 630)


def test_a_long_name_and_one_in_another_script_fit() -> None:
    for words in ("W" * 400, "Шахматист beat 王先生", "\u2068דנה\u2069 beat Sly Fox"):
        assert size(render_png(scene("six-in-a-row", words))) == (1200, 630)


def test_the_style_knows_every_colour_and_kind_of_element() -> None:
    kinds = {element.kind for board in BOARDS.values() for element in board.elements}
    assert kinds == {"cell", "stone", "box", "across", "down"}
    assert "var(" not in render_svg(scene("six-in-a-row"))


def test_boards_are_of_wood() -> None:
    sheet = (ROOT / "static/css/colours.css").read_text()
    wood = re.search(r"--wood: (#\w{6});", sheet)
    assert wood is not None and f".table.stones {{ fill: {wood[1]}; }}" in render_svg(
        scene("six-in-a-row")
    )


def test_a_finished_match_says_who_beat_whom(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    boxes = LESSONS["dots-and-boxes"].pictures[4].actions
    match_id, _ = play_new_match(alice_online, bob_online, "dots-and-boxes", *boxes)
    page = alice_online.get(f"/match/{match_id}/")[1]
    assert re.fullmatch(r"[\w ]+ beat [\w ]+ 19–6 · Dots and Boxes", meta(page, "title"))  # noqa: RUF001  # a dash of scores
    assert meta(page, "image") == f"{site.url}/match/{match_id}/picture.png"
    status, made, headers = fetch(bob_online, f"/match/{match_id}/picture.png")
    assert (status, headers["Content-Type"], size(made)) == (200, "image/png", (1200, 630))
    assert "public" in headers["Cache-Control"]
    assert "no-store" not in headers["Cache-Control"]
    path = f"/match/{match_id}/picture.png"
    again = fetch(bob_online, path, **{"If-None-Match": headers["ETag"]})
    assert again[:2] == (304, b"")


def test_points_are_said_where_a_win_is_not_a_whole_one(
    alice_online: Person, bob_online: Person
) -> None:
    def get_page_after(game: str, actions: tuple[str, ...]) -> str:
        match_id, _ = play_new_match(alice_online, bob_online, game, *actions)
        return alice_online.get(f"/match/{match_id}/")[1]

    half = LESSONS["parallel-tic-tac-toe"].pictures[2].actions
    page = get_page_after("parallel-tic-tac-toe", half)
    assert " 50–0 · Parallel" in meta(page, "title")  # noqa: RUF001  # the same
    whole = LESSONS["tic-tac-toe"].pictures[2].actions
    page = get_page_after("tic-tac-toe", whole)
    assert re.fullmatch(r"[\w ]+ beat [\w ]+ · Tic-Tac-Toe", meta(page, "title"))
    draw = LESSONS["tic-tac-toe"].pictures[3].actions
    page = get_page_after("tic-tac-toe", draw)
    assert re.fullmatch(r"[\w ]+ and [\w ]+ drew · Tic-Tac-Toe", meta(page, "title"))


def test_the_picture_of_a_live_match_changes_with_it(
    alice_online: Person, bob_online: Person
) -> None:
    match_id, _ = play_new_match(alice_online, bob_online, "tic-tac-toe", "mark 2 2")
    _, first, headers = fetch(alice_online, f"/match/{match_id}/picture.png")
    with bob_online.match(match_id) as b, alice_online.match(match_id) as a:
        state = a.ply(1)
        b.ply(1)
        mover = a if state["turn"] == state["you"] else b
        mover.play("mark 1 1")
        a.ply(2)
    tag = {"If-None-Match": headers["ETag"]}
    status, second, _ = fetch(alice_online, f"/match/{match_id}/picture.png", **tag)
    assert status == 200
    assert second != first


def test_an_invitation_says_who_invites_to_what(
    alice_online: Person, charlie_online: Person
) -> None:
    path = alice_online.post("/seek/", b"game=six-in-a-row")[1].removeprefix(alice_online.site.url)
    page = charlie_online.get(path)[1]
    assert re.fullmatch(r"[\w ]+ invited you to play Six in a Row", meta(page, "title"))
    status, made, _ = fetch(charlie_online, f"{path}picture.png")
    assert (status, size(made)) == (200, (1200, 630))
    assert fetch(charlie_online, "/seek/nosuchone/picture.png")[0] == 404
    assert fetch(charlie_online, "/match/nosuchone/picture.png")[0] == 404


def test_an_address_may_not_have_pictures_drawn_all_day(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    env = {"RATE_LIMITS": "on", "PICTURES_PER_MINUTE": "2"}
    limited = Site(tmp_path_factory.mktemp("limited"), env).wait()
    try:
        alice, bob = Person(limited).be_guest(), Person(limited).be_guest()
        match_id, _ = pair(alice, bob, "tic-tac-toe")
        path = f"/match/{match_id}/picture.png"
        found = [fetch(alice, path) for _ in range(3)]
        assert [status for status, *_ in found] == [200, 200, 429]
        tag = {"If-None-Match": found[0][2]["ETag"]}
        assert fetch(alice, path, **tag)[0] == 304  # which costs nothing
    finally:
        limited.stop()

"""A teacher creates accounts for a class of 30 and prints them.

Pupils log in with the printed passwords and play each other in the group's lobby. Members leave a
group and are removed from one.
"""

import os
import re
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Route, WebSocket, expect

from tests.builders.sites import Person, Site, until
from tests.builders.visitors import (
    DESK,
    PHONE,
    Visitor,
    create_logged_in,
    log_in,
    must_fit_window,
    save_picture,
    take_session,
)

ORGANISER = """
from django.contrib.auth.models import Group
Player.objects.get(username={name!r}).groups.add(Group.objects.get(name="organiser"))
"""
CLASS = """
from lobby.groups.membership import create_group
teacher = Player.objects.get(username={name!r})
print(create_group(teacher, "Class 7c", for_minors=True).get_absolute_url())
"""
CLUB = """
from lobby.groups.membership import create_group, join_group
from lobby.models import Player
from django.contrib.auth.models import Group
olga, _ = Player.objects.get_or_create(username="Olga Clubb")
olga.groups.add(Group.objects.get(name="organiser"))
club = create_group(Player.objects.get(pk=olga.pk), "Chess club", False)
join_group(Player.objects.get(username="{name}"), club.code)
"""
NAMES = [f"Pupil {number:02} 7b" for number in range(1, 31)]


def test_a_teacher_creates_a_class_and_prints_its_passwords(
    visit: Callable[..., Any], site: Site
) -> None:
    people, _ = create_logged_in(site, "Ms Brook", then=ORGANISER.format(name="Ms Brook"))
    teacher = take_session(visit(**DESK), people["Ms Brook"])
    page = teacher.open("/rules/").page
    page.locator(".account-menu summary").click()
    page.get_by_role("link", name="Your groups").click()
    must_fit_window(teacher.page, "groups-desk")
    page.get_by_label("Name", exact=True).fill("Class 7b")
    page.get_by_label("Group for minors").check()
    page.get_by_role("button", name="Create group").click()
    expect(page.get_by_role("heading", name="Class 7b")).to_be_visible()

    # For a list with errors the page reports each, creates nothing, and keeps the text.
    page.get_by_role("link", name="Create class accounts").click()
    box = page.get_by_label("One name per line")
    box.fill("\n".join([*NAMES[:3], "x", NAMES[0], *NAMES[3:]]))
    page.get_by_role("button", name="Create accounts").first.click()
    expect(page.locator(".faults li")).to_have_count(2)
    assert page.get_by_label("One name per line").input_value().count("\n") == 31
    must_fit_window(teacher.page, "faults-desk")
    teacher.complaints[:] = [c for c in teacher.complaints if "status of 400" not in c]

    # Pressing twice creates the accounts once and shows the same sheet.
    box.fill("\n".join(NAMES))
    page.get_by_role("button", name="Create accounts").first.dblclick()
    expect(page.locator(".slip")).to_have_count(30)
    expect(page.get_by_role("heading", name="30 accounts created")).to_be_visible()
    expect(page.locator(".making")).to_be_hidden()
    must_fit_window(teacher.page, "sheet-desk")
    slips = dict(
        zip(
            page.locator(".slip-name").all_inner_texts(),
            page.locator(".slip-password").all_inner_texts(),
            strict=True,
        )
    )
    assert list(slips) == NAMES and len(set(slips.values())) == 30
    printed(teacher)
    page.get_by_role("link", name="Done").click()
    expect(page.get_by_role("heading", name="Class 7b")).to_be_visible()


def print_passwords(teacher: Person, group: str, names: Sequence[str]) -> dict[str, str]:
    """Create accounts with the teacher's form. Return the passwords of the sheet by name."""
    form = {"names": "\n".join(names), "token": secrets.token_urlsafe(24)}
    status, sheet = teacher.form(f"{group}accounts/", urlencode(form).encode())
    assert status == 200
    slip = r'class="slip-name"><bdi>([^<]+)</bdi>.*?class="slip-password" dir="ltr">([^<]+)<'
    slips = dict(re.findall(slip, sheet, re.DOTALL))
    assert list(slips) == list(names)
    return slips


def test_pupils_of_a_class_play_which_their_teacher_sees_and_no_stranger(
    visit: Callable[..., Any], site: Site
) -> None:
    names = [f"Pupil {number:02} 7c" for number in range(1, 4)]
    script = (ORGANISER + CLASS).format(name="Ms Cole")
    people, output = create_logged_in(site, "Ms Cole", then=script)
    group = output.split()[-1]
    slips = print_passwords(people["Ms Cole"], group, names)
    anna = log_in(visit(**DESK), names[0], slips[names[0]]).open()
    anna.page.get_by_role("link", name="Class 7c").click()
    ben = take_session(visit(**PHONE), Person(site).log_in(names[1], slips[names[1]], "/offline/"))
    ben.open(group)
    for visitor in (anna, ben):
        expect(visitor.page.get_by_role("heading", name="Class 7c")).to_be_visible()
        expect(visitor.page.locator("#no-seeks")).to_be_visible()
    must_fit_window(anna.page, "group-desk")
    must_fit_window(ben.page, "group-phone")
    anna.page.get_by_role("button", name="Play Tic-Tac-Toe", exact=True).click()
    row = ben.page.locator("#seeks li", has_text=names[0])
    expect(row).to_be_visible()
    save_picture(ben.page, "group-waiting-phone")
    row.get_by_role("button", name="Join").click()
    for visitor in (anna, ben):
        visitor.wait_to_be_seated()
    first, second = (anna, ben) if anna.role() == "xplayer" else (ben, anna)
    first.page.locator("[data-action]:visible").first.click()
    first.confirm()
    second.see_ply(1)

    until(lambda: 'class="played"' in people["Ms Cole"].get(group)[1], "the game")
    teacher = take_session(visit(**DESK), people["Ms Cole"]).open(group)
    page = teacher.page
    expect(page.locator("#live li")).to_contain_text(names[0])
    expect(page.locator(".played").first).to_contain_text("Tic-Tac-Toe")
    must_fit_window(teacher.page, "organiser-desk")
    page.locator("li", has_text=names[2]).locator("summary").click()
    save_picture(teacher.page, "organiser-more-desk")
    page.set_viewport_size({"width": 390, "height": 844})
    must_fit_window(teacher.page, "organiser-phone")

    stranger = Person(site)
    status, lobby = stranger.get("/")
    assert status == 200 and "Live games" in lobby and "Pupil" not in lobby
    with stranger.lobby() as socket:
        frame = socket.next("lobby")
    assert "matches" in frame and "Pupil" not in str(frame)
    assert stranger.raw(group) == (302, f"/accounts/login/?next={group}")


def printed(teacher: Visitor) -> None:
    """Check that the print shows only the slips, in two columns, none of them split."""
    page = teacher.page
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 718, "height": 1040})  # A4 without its margins, at 96 dpi
    save_picture(teacher.page, "sheet-print")
    for hidden in (".masthead", ".footer", ".not-printed", ".looks"):
        expect(page.locator(hidden).first).to_be_hidden()
    boxes = [slip.bounding_box() for slip in page.locator(".slip").all()]
    assert len({round(box["x"]) for box in boxes if box}) == 2
    colours = page.locator(".slip-password").first.evaluate(
        "e => [getComputedStyle(e).color, getComputedStyle(e.closest('.slip')).backgroundColor]"
    )
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 3
    folder = os.environ.get("LOOK_AT")
    if folder:
        (Path(folder) / "sheet.pdf").write_bytes(pdf)
    page.emulate_media(media="screen", color_scheme="light")
    page.set_viewport_size({"width": 390, "height": 844})
    must_fit_window(teacher.page, "sheet-phone")
    page.set_viewport_size({"width": 1280, "height": 800})


def be_member(visitor: Visitor, name: str) -> Visitor:
    """Create an account that is in a club, and log the browser in to it."""
    people, _ = create_logged_in(visitor.site, name, then=CLUB.format(name=name))
    return take_session(visitor, people[name])


def test_who_leaves_a_group_comes_to_their_groups(visit: Callable[..., Any]) -> None:
    ann = be_member(visit(**DESK), "Ann Leaver")
    sockets: list[WebSocket] = []
    ann.page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108  # it takes no built-in

    def answer_late(route: Route) -> None:
        """Answer only after the socket has told the page that the viewer has left."""
        answer = route.fetch(max_redirects=0)
        if not sockets[-1].is_closed():
            sockets[-1].wait_for_event("close")
        route.fulfill(response=answer)

    page = ann.open("/groups/").page
    page.get_by_role("link", name="Chess club").click()
    page.wait_for_load_state()  # the last socket is that of the group's page from then on
    expect(page.locator("#no-seeks")).to_be_visible()
    page.get_by_text("Leave", exact=True).click()
    page.route("**/leave/", answer_late)
    page.get_by_role("button", name="Leave group").click()
    page.wait_for_url("**/groups/")
    expect(page.locator(".notice.success")).to_contain_text("Chess club")
    expect(page.get_by_role("link", name="Chess club")).to_have_count(0)


def test_who_is_removed_from_a_group_is_shown_their_groups(visit: Callable[..., Any]) -> None:
    ben = be_member(visit(**PHONE), "Ben Goner")
    page = ben.open("/groups/").page
    page.get_by_role("link", name="Chess club").click()
    expect(page.locator("#no-seeks")).to_be_visible()
    group = page.locator("#group").get_attribute("data-group")
    # The script does not wait for the answer, because the page may be left before it arrives.
    page.evaluate(
        """(group) => {
            const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
            const body = new URLSearchParams({ csrfmiddlewaretoken: token });
            fetch(`/groups/${group}/leave/`, { method: "POST", body, redirect: "manual" });
        }""",
        group,
    )
    page.wait_for_url("**/groups/")
    expect(page.get_by_role("link", name="Chess club")).to_have_count(0)

"""Pupils log in with printed cards and with pictures, in a browser."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.builders.visitors import DESK, PHONE

FILL = """
import json
from tests.builders.class_logins import create_class, give_logins, open_class
from tests.builders.players import create_organiser, create_player
pupils = create_player("Card 1a"), create_player("Photo 1a")
school = create_class(*pupils, organiser=create_organiser("Ms Cards"))
logins = give_logins(school, *pupils)
print(json.dumps([school.pk, [each.card for each in logins]]))
"""
OPEN = """
from lobby.models import Group
from tests.builders.class_logins import open_class
open_class(Group.objects.get(pk="{}"))
"""


def test_a_pupil_scans_a_card(visit: Callable[..., Any]) -> None:
    pupil = visit(**PHONE)
    pupil.open()
    site, page = pupil.site, pupil.page
    filled = site.manage("shell", "-v0", "-c", FILL)
    assert filled.returncode == 0, filled.stderr
    school, (card, other) = json.loads(filled.stdout.splitlines()[-1])
    where = f"{site.url}/groups/{school}/login/"
    page.goto(f"{where}#{card}")
    expect(page.get_by_role("heading", name="Log-in is closed")).to_be_visible()
    assert site.manage("shell", "-v0", "-c", OPEN.format(school)).returncode == 0
    page.get_by_role("link", name="Try again").click()
    page.wait_for_url(f"{site.url}/groups/{school}/")
    expect(page.locator(".account-menu summary")).to_contain_text("Card 1a")

    # The next child scans a card on the same device, which asks first.
    page.goto(f"{where}#{other}")
    expect(page.get_by_text("Card 1a is logged in on this device")).to_be_visible()
    assert page.url == where
    page.get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url(f"{site.url}/groups/{school}/")
    expect(page.locator(".account-menu summary")).to_contain_text("Photo 1a")
    assert card not in site.output() and other not in site.output()
    pupil.complaints[:] = [each for each in pupil.complaints if "status of 403" not in each]


def test_pictures_need_no_script(visit: Callable[..., Any]) -> None:
    pupil = visit(**DESK, java_script_enabled=False)
    page = pupil.page
    filled = pupil.site.manage(
        "shell",
        "-v0",
        "-c",
        FILL.replace("Card", "Ink").replace("Photo", "Pen")
        + "print(open_class(school).code, *logins[1].pictures)",
    )
    code, *pictures = filled.stdout.splitlines()[-1].split()
    page.goto(f"{pupil.site.url}/class/")
    page.get_by_label("Class code").fill(code)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Pen 1a").click()
    rows = page.locator(".picture-row")
    expect(rows).to_have_count(len(pictures))
    for row, picture in zip(rows.all(), pictures, strict=True):
        row.get_by_role("radio", name=re.compile(picture, re.IGNORECASE)).check()
    page.get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url(re.compile(r"/groups/\w+/$"))
    expect(page.locator(".account-menu summary")).to_contain_text("Pen 1a")

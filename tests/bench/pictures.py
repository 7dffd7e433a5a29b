"""Draw the README's pictures: `python -m tests.bench.pictures`. Plays a match of eight games."""

import random
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from games.rules import GAMES, Game
from tests.builders.gdl_sheets import SHIPPED, load_sheet
from tests.builders.second_factors import GIVE_TO_STAFF, get_code
from tests.builders.sites import ROOT, Person, Site, pair

PLIES = {
    "tic-tac-toe": 6,
    "parallel-tic-tac-toe": 5,
    "dots-and-boxes": 44,
    "six-in-a-row": 42,
    "connect-four": 19,
    "reversi": 28,
    "hex-7": 22,
    "nine-mens-morris": 24,
}
"""How many actions of each game are played."""
SEED = 11
FOLDER = ROOT / "static" / "pictures"


def get_game(slug: str) -> Game:
    return load_sheet(slug).game if slug in SHIPPED else GAMES[slug]


def play(site: Site, slug: str) -> str:
    """Some way into a match; gives its address."""
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    match_id, roles = pair(alice, bob, slug)
    sockets = {role: person.match(match_id) for role, person in roles.items()}
    chance, position = random.Random(SEED), get_game(slug).start
    for ply in range(PLIES[slug]):
        legal = position.legal()
        near = [a for a in legal if set(a.split()[1:]) & {"6", "7", "8", "9"}]
        action = chance.choice(near if slug == "six-in-a-row" and near else legal)
        action = next((a for a in legal if position.play(a).turn == position.turn), action)
        if slug == "six-in-a-row" and not action.startswith("pick") and position.may("pick black"):
            action = "pick black"
        mover = sockets[str(position.turn)]
        mover.ply(ply)
        mover.play(action)
        position = position.play(action)
        if position.is_over:
            break
    return f"{site.url}/match/{match_id}/"


def review(site: Site, page: Page) -> None:
    """A player of a demo as moderators handle them."""
    done = site.manage("seed_demo", "--players=20", "--matches=60", "--password=picture-1")
    assert done.returncode == 0, done.stderr
    assert site.manage("shell", "-c", GIVE_TO_STAFF).returncode == 0
    page.goto(f"{site.url}/admin/")
    page.fill("#id_login", "reviewer")
    page.fill("#id_password", "picture-1")
    page.click(".account-form .primary")
    page.fill("#id_code", get_code())
    page.click(".account-form .primary")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{site.url}/admin/")
    page.click("#take-next")
    page.locator("#decision [name=kind]").first.check()
    page.screenshot(path=FOLDER / "review.png")


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    site = Site(folder)
    FOLDER.mkdir(exist_ok=True)
    try:
        site.wait()
        addresses = {slug: play(site, slug) for slug in PLIES}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 400, "height": 700}, reduced_motion="reduce")
            for slug, address in addresses.items():
                page.goto(address)
                page.wait_for_selector('[data-here="true"]')
                page.locator(".table").screenshot(path=FOLDER / f"{slug}.png")
            page.set_viewport_size({"width": 1280, "height": 860})
            page.goto(site.url)
            page.wait_for_selector("#matches li")
            page.screenshot(path=FOLDER / "lobby.png")
            review(site, page)
            browser.close()
    finally:
        site.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()

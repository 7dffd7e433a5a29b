"""Reviewing in the admin: finding games, stepping, verifying, deciding and reversing."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.builders.axe import list_violations
from tests.builders.computer import analyse
from tests.builders.second_factors import GIVE_TO_STAFF, get_code
from tests.builders.sites import PATIENCE, Site
from tests.builders.visitors import DESK, PHONE, Visitor, wait_for_analysis

PASSWORD = "demo-demo-1"
CONTRAST = ["color-contrast"]  # the other rules do not depend on the scheme


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a small demo site."""
    folder: Path = tmp_path_factory.mktemp("review")
    server = Site(folder, {"SECRET_KEY": "k" * 50})
    try:
        server.wait()
        done = server.manage(
            "seed_demo", "--players=14", "--matches=120", "--reports=8", f"--password={PASSWORD}"
        )
        assert done.returncode == 0, done.stderr
        assert server.manage("shell", "-c", GIVE_TO_STAFF).returncode == 0
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def logged_in() -> dict[str, Any]:
    """Return the cookies of accounts that have logged in, by name."""
    return {}


@pytest.fixture
def log_in(visit: Callable[..., Visitor], logged_in: dict[str, Any]) -> Callable[..., Visitor]:
    def make(name: str, **how: object) -> Visitor:
        visitor = visit(**(how or DESK))
        if name in logged_in:  # a code of the app works only once
            visitor.page.context.add_cookies(logged_in[name])
            return visitor
        visitor.open("/admin/").page.fill("#id_login", name)
        visitor.page.fill("#id_password", PASSWORD)
        visitor.page.click(".account-form .primary")
        visitor.page.fill("#id_code", get_code())
        visitor.page.click(".account-form .primary")
        visitor.page.wait_for_selector("#user-tools")
        logged_in[name] = visitor.page.context.cookies()
        return visitor

    return make


def one(site: Site, query: str) -> str:
    with sqlite3.connect(f"file:{site.folder / 'site.sqlite3'}?mode=ro", uri=True) as database:
        return str(database.execute(query).fetchone()[0])


LONG = (
    "SELECT id FROM games_match WHERE game = '{}' AND ended = 'rules' AND ply > 20 AND id NOT IN"
    " (SELECT match_id FROM games_decision) ORDER BY created_at DESC"
)
SHORT = LONG.format("tic-tac-toe").replace("ply > 20", "ply > 5")


def open_match(visitor: Visitor, match_id: str) -> None:
    visitor.open(f"/admin/games/match/{match_id}/change/")


def test_a_reviewer_finds_a_match_by_its_filters(
    site: Site, log_in: Callable[..., Visitor]
) -> None:
    rita = log_in("reviewer")
    page = rita.open("/admin/").page
    page.get_by_role("link", name="Games", exact=True).first.click()
    page.wait_for_selector("#result_list")
    page.get_by_role("link", name="Reported", exact=True).click()
    page.wait_for_url("**worth=reported**")
    reported = page.locator("#result_list tbody tr").count()
    assert 0 < reported < 50
    name = page.locator("#result_list tbody td.field-players").first.inner_text().split(" – ")[0]  # noqa: RUF001
    page.get_by_label("By player").fill(name)
    page.locator(".written-filter", has=page.get_by_label("By player")).get_by_role(
        "button"
    ).click()
    page.wait_for_url("**player=**")
    assert "worth=reported" in page.url  # the filters are combined
    for row in page.locator("#result_list tbody td.field-players").all():
        assert name in row.inner_text()
    page.get_by_label("By length (moves, at least)").fill("9999")
    page.get_by_label("By length (moves, at least)").press("Enter")
    page.wait_for_url("**longer=9999**")
    assert page.locator("#result_list tbody tr").count() == 0


@pytest.mark.parametrize("game", ["six-in-a-row", "dots-and-boxes"])
def test_a_match_is_stepped_through_in_every_way(
    site: Site, log_in: Callable[..., Visitor], game: str
) -> None:
    rita = log_in("reviewer")
    match_id = one(site, LONG.format(game))
    open_match(rita, match_id)
    page = rita.page
    expect(page.locator(".sound")).to_contain_text("Verified")
    last = int(page.get_attribute("#review", "data-last") or 0)
    words = page.locator("#step-words")
    expect(words).to_have_text(f"Position after move {last} of {last}")
    empty = page.locator('.board-sheet .element[data-mark="."]').count()
    page.click('[data-step="first"]')
    expect(words).to_have_text(f"Position after move 0 of {last}")
    whole = page.locator(".board-sheet .element").count()
    assert page.locator('.board-sheet .element[data-mark="."]').count() == whole > empty
    page.keyboard.press("ArrowRight")
    expect(words).to_have_text(f"Position after move 1 of {last}")
    page.locator("#moves a").nth(6).click()
    expect(words).to_have_text(f"Position after move 7 of {last}")
    assert page.locator('#moves [aria-current="step"] .number').inner_text() == "7."
    page.locator("#slider").fill("12")
    expect(words).to_have_text(f"Position after move 12 of {last}")
    page.locator('#think-times [data-ply="5"]').click(force=True)
    expect(words).to_have_text(f"Position after move 5 of {last}")
    # Keys typed in a reason do not step through the moves.
    page.locator("summary", has_text="Void the game").click()
    page.locator("details[open] textarea").fill("words")
    page.keyboard.press("ArrowLeft")
    expect(words).to_have_text(f"Position after move 5 of {last}")
    # The same links work without scripts.
    page.goto(f"{site.url}/admin/games/match/{match_id}/change/?ply=3")
    expect(words).to_have_text(f"Position after move 3 of {last}")
    assert page.locator("#think-times .bar").count() == last
    titles = page.locator("#think-times .bar title").all_text_contents()
    assert titles[0].startswith("Move 1, ")


def test_the_record_and_the_picture_are_there_to_take_along(
    site: Site, log_in: Callable[..., Visitor]
) -> None:
    rita = log_in("reviewer")
    match_id = one(site, LONG.format("six-in-a-row"))
    open_match(rita, match_id)
    with rita.page.expect_download() as download:
        rita.page.get_by_role("link", name="Record (JSON)").click()
    record = json.loads(Path(download.value.path()).read_text())
    assert record["match"] == match_id
    assert record["faults"] == []
    answer = rita.page.request.get(f"{site.url}/admin/games/match/{match_id}/picture.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "script-src" not in answer.headers["content-security-policy"].replace(
        "script-src 'self'", ""
    )
    rita.page.goto(answer.url)
    numbers = rita.page.evaluate(
        "[...document.querySelectorAll('.number')].map(e => e.textContent)"
    )
    placed = [move for move in record["moves"] if move["action"].startswith("place")]
    assert len(numbers) == len(placed)
    fill = rita.page.evaluate(
        "getComputedStyle(document.querySelector('[data-mark=b] .stone')).fill"
    )
    assert fill.startswith('url("#shade-black")')  # its style and the gradient were loaded too
    assert rita.page.evaluate("document.querySelectorAll('#shade-black').length") == 1


def test_a_reviewer_decides_and_a_senior_reverses(
    site: Site, log_in: Callable[..., Visitor]
) -> None:
    rita, sara = log_in("reviewer"), log_in("senior")
    match_id = one(site, LONG.format("dots-and-boxes"))
    open_match(rita, match_id)
    open_match(sara, match_id)
    before = rita.page.locator(".facts p b").nth(2).inner_text()

    form = rita.page.locator("details", has_text="Correct the result").locator("form")
    rita.page.locator("summary", has_text="Correct the result").click()
    form.locator('[name="first_goal"]').fill("50")
    form.locator('[name="second_goal"]').fill("50")
    form.get_by_role("button").click()  # the browser itself asks for the reason
    assert form.locator("textarea").evaluate("e => e.validity.valueMissing")
    form.locator("textarea").fill("   ")
    form.get_by_role("button").click()
    expect(rita.page.locator(".messagelist .error")).to_contain_text("Enter a reason")
    form = rita.page.locator("details[open] form").first
    form.locator("textarea").fill("Both had agreed on a draw.")
    form.get_by_role("button").click()
    expect(rita.page.locator(".messagelist .success")).to_contain_text("corrected to 50 to 50")
    expect(rita.page.locator("#decisions")).to_contain_text("Both had agreed on a draw.")
    assert (
        rita.page.locator("#decisions summary").count() == 0
    )  # reviewers cannot reverse decisions
    expect(rita.page.locator(".sound")).to_be_visible()

    # The senior's page is outdated: it refuses her decision and says why.
    sara.page.locator("summary", has_text="Void the game").click()
    sara.page.locator("details[open] textarea").first.fill("Too late.")
    sara.page.get_by_role("button", name="Void the game").click()
    expect(sara.page.locator(".messagelist .error")).to_contain_text(
        "Another moderator has decided"
    )
    sara.forgive_refusal()
    sara.page.locator("#decisions summary", has_text="Reverse").click()
    sara.page.locator("#decisions textarea").fill("There is no word of that.")
    sara.page.get_by_role("button", name="Reverse the decision").click()
    expect(sara.page.locator(".messagelist .success")).to_contain_text("was reversed")
    open_match(sara, match_id)
    expect(sara.page.locator(".facts")).to_contain_text(before)
    expect(sara.page.locator("#decisions li")).to_have_count(2)
    rita.forgive_refusal()


def test_a_player_is_handled_in_four_clicks_on_one_screen(
    site: Site, log_in: Callable[..., Visitor]
) -> None:
    rita, sara = log_in("reviewer"), log_in("senior")
    page = rita.open("/admin/").page
    waiting = int(one(site, WAITING))
    expect(page.locator("#review-counts")).to_contain_text(f"{waiting} players in the queue")
    clicks = count_clicks(page)
    page.click("#take-next")
    decision = page.locator("#decision")
    name = page.locator("#player-title").inner_text()
    first = page.url
    page.wait_for_load_state()  # until its styles are there
    # Everything needed is on the screen without scrolling.
    for name_of in ("about", "game", "decide"):
        box = page.locator(f"#{name_of}").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    decision.get_by_label("Warn", exact=True).check()
    decision.locator('[data-for="warn"] .chip').first.click()
    expect(decision.locator("[name=reason]")).not_to_have_value("")
    button = decision.get_by_role("button", name="Decide, close and next")
    expect(button).to_be_in_viewport(ratio=1)
    reason = decision.locator("[name=reason]").input_value()
    button.click()
    expect(page.locator(".messagelist .success")).to_have_text("The player was warned.")
    assert clicks() == 4
    assert page.url != first
    expect(page.locator("#player-title")).not_to_have_text(name)
    expect(page.locator("#decision")).to_be_visible()  # the next case opens
    assert page.evaluate("scrollY") == 0
    assert int(one(site, WAITING)) == waiting - 1
    told = f"SELECT count(*) FROM games_decision WHERE kind = 'warn' AND reason = '{reason}'"
    assert one(site, told) == "1"
    # Sara can only view the case that Rita has taken.
    sara.page.goto(page.url)
    expect(sara.page.locator("#decide")).to_contain_text("to reviewer")
    assert sara.page.locator("#decision").count() == 0


def test_the_keys_of_the_queue_work_but_not_while_writing(
    site: Site, log_in: Callable[..., Visitor]
) -> None:
    rita = log_in("reviewer")
    page = rita.page
    rita.open("/admin/games/case/queue/")
    page.locator("#queue tbody tr", has_text="nobody").locator("th a").first.click()
    page.wait_for_url("**/queue/*/**")  # with its script
    page.locator(".keys summary").click()
    expect(page.locator(".keys")).to_contain_text("dismiss and open the next")
    page.keyboard.press("t")
    expect(page.locator("#decision")).to_be_visible()
    page.wait_for_load_state()
    first = page.url
    # Letters typed in a field or with Ctrl are not commands.
    page.locator("[name=note]").fill("")
    page.locator("[name=note]").press_sequentially("ndp")
    expect(page.locator("[name=note]")).to_have_value("ndp")
    page.locator(".keys summary").focus()
    page.keyboard.press("Control+d")
    assert page.url == first
    expect(page.locator("#decision")).to_be_visible()
    # The keys can be turned off.
    page.locator(".keys summary").click()
    page.get_by_label("Enable shortcuts").uncheck()
    page.locator(".keys summary").focus()
    page.keyboard.press("d")
    page.reload()
    expect(page.locator("#decision")).to_be_visible()
    page.locator(".keys summary").click()
    page.get_by_label("Enable shortcuts").check()
    waiting = int(one(site, WAITING))
    page.locator(".keys summary").focus()
    page.keyboard.press("d")
    expect(page.locator(".messagelist .success")).to_have_text("Dismissed.")
    page.wait_for_load_state()
    assert int(one(site, WAITING)) == waiting - 1
    here = page.url
    away = "n" if page.locator('[data-key="n"]').count() else "p"
    page.keyboard.press(away)
    page.wait_for_url(lambda url: url != here)
    page.keyboard.press("p" if away == "n" else "n")
    page.wait_for_url(here)


def test_the_computers_verdicts_stand_beside_the_game(
    site: Site, log_in: Callable[..., Visitor]
) -> None:
    rita = log_in("reviewer")
    page = rita.page
    match_id = one(site, SHORT)
    player = one(site, f"SELECT first_id FROM games_match WHERE id = '{match_id}'")
    rita.open(f"/admin/games/case/queue/{player}/?match={match_id}")
    expect(page.locator("#moves .who .mark").first).to_be_visible()
    assert "xplayer" not in page.locator(".review").inner_text()
    if page.locator("#computer").get_attribute("data-state") == "none":
        page.get_by_role("button", name="Analyse the game").click()
    page.wait_for_selector('#computer[data-state="waiting"]')
    analyse(site, match_id)
    wait_for_analysis(page, "#computer")
    expect(page.locator("#computer tbody tr")).to_have_count(2)
    expect(page.locator("#moves .verdict").first).to_have_text("Good (certain).")
    page.click('[data-step="first"]')
    expect(page.locator("#step-words")).to_contain_text("after move 0")
    assert f"match={match_id}" in page.url  # stepping stays in the chosen game


def test_a_private_note_stands_on_the_page_of_the_player(
    site: Site, log_in: Callable[..., Visitor]
) -> None:
    rita = log_in("reviewer")
    player = one(site, f"SELECT first_id FROM games_match WHERE id = ({SHORT} LIMIT 1)")
    page = rita.open(f"/admin/games/match/player/{player}/").page
    page.locator("[name=note]").fill("Plays well, by all that I see.")
    page.get_by_role("button", name="Save note").click()
    expect(page.locator("#notes")).to_contain_text("Plays well, by all that I see. (reviewer")


WAITING = (
    "SELECT count(*) FROM (SELECT player_id FROM games_case WHERE closed_at IS NULL"
    " UNION SELECT player_id FROM games_sign WHERE seen_at IS NULL)"
)


def count_clicks(page: Page) -> Callable[[], int]:
    """Count the user's clicks across pages."""
    page.context.add_init_script(
        """addEventListener("pointerdown", () => {
          const clicks = Number(sessionStorage.getItem("clicks") ?? 0);
          sessionStorage.setItem("clicks", clicks + 1);
        }, true);"""
    )
    page.reload()
    return lambda: int(page.evaluate("sessionStorage.getItem('clicks')"))


def test_what_was_tampered_with_is_told_in_red(site: Site, log_in: Callable[..., Visitor]) -> None:
    rita = log_in("reviewer")
    match_id = one(site, LONG.format("six-in-a-row"))
    with sqlite3.connect(site.folder / "site.sqlite3", timeout=PATIENCE) as database:
        database.execute(
            "UPDATE games_move SET action = 'place 99 99' WHERE match_id = ? AND ply = 9",
            [match_id],
        )
    open_match(rita, match_id)
    expect(rita.page.locator(".faults")).to_contain_text("Ply 9:")
    colour = rita.page.locator(".faults li").first.evaluate("e => getComputedStyle(e).color")
    red, green, blue = (int(part) for part in colour.strip("rgb()").split(","))
    assert red > 2 * max(green, blue)
    expect(rita.page.locator("#step-words")).to_have_text("Position after move 9 of 9")
    rita.open(f"/match/{match_id}/")
    rita.page.click('[data-step="first"]')
    rita.page.click('[data-step="last"]')
    expect(rita.page.locator("#slider")).to_have_value("9")


@pytest.mark.parametrize(
    "path",
    [
        "match/{match}/change/",
        "match/player/{player}/",
        "case/{case}/change/",
        "case/queue/",
        "case/queue/{waits}/",
        "decision/1/change/",
    ],
)
def test_the_reviews_own_pages_are_accessible(
    site: Site, log_in: Callable[..., Visitor], path: str
) -> None:
    rita = log_in("reviewer")
    keys = {
        "match": one(site, LONG.format("dots-and-boxes")),  # axe takes long for 361 points
        "player": one(site, "SELECT player_id FROM games_case"),
        "case": one(site, "SELECT id FROM games_case"),
        "waits": one(site, "SELECT player_id FROM games_sign WHERE seen_at IS NULL"),
    }
    rita.open(f"/admin/games/{path.format(**keys)}")
    take = rita.page.get_by_role("button", name="Take", exact=True)
    if "{waits}" in path and take.count():
        take.click()
        expect(rita.page.locator("#decision")).to_be_visible()
    for summary in rita.page.locator(".review summary").all():
        summary.click()
    for kind in rita.page.locator('[name="kind"][value="suspend"]').all():
        kind.dispatch_event("click")
    for how, scheme, rules in ((DESK, "light", {}), (PHONE, "dark", {"runOnly": CONTRAST})):
        rita.page.set_viewport_size(how["viewport"])
        rita.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert list_violations(rita.page, rules, ".review") == []
        width = rita.page.evaluate("document.documentElement.scrollWidth")
        assert width <= how["viewport"]["width"]

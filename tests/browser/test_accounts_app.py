"""An account with an authenticator app, and one that is closed and kept after all."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Visitor
from tests.browser.test_accounts import PASSWORD, go, is_accessible, send
from tests.builders.second_factors import get_code

Visit = Callable[..., Visitor]


def sign_up(visitor: Visitor, name: str) -> Page:
    page = go(visitor, "/accounts/signup/")
    send(page, username=name, password1=PASSWORD, password2=PASSWORD)
    page.click("text=I have written them down")
    expect(page.locator(".account-menu summary")).to_contain_text(name)
    return page


def log_out(page: Page) -> None:
    page.click(".account-menu summary")
    page.click(".account-menu >> text=Log out")
    expect(page.locator(".account-menu")).to_have_count(0)


def test_an_authenticator_app_is_asked_for_and_paper_stands_in_for_it(visit: Visit) -> None:
    page = sign_up(alice := visit(**PHONE), "Anna Berg")
    go(alice, "/accounts/2fa/totp/activate/")
    send(page, password=PASSWORD)
    secret = page.locator(".secret").inner_text()
    is_accessible(page)
    wrong = f"{(int(get_code(secret=secret)) + 1) % 10**6:06}"
    send(page, code=wrong)
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.locator(".secret").inner_text() == secret  # the app need not scan again
    send(page, code=get_code(secret=secret))
    page.wait_for_url("**/2fa/codes/")
    paper = page.locator(".codes li").all_inner_texts()
    log_out(page)

    go(alice, "/accounts/login/")
    send(page, login="Anna Berg", password=PASSWORD)
    expect(page.locator("h1")).to_have_text("The second step")
    is_accessible(page)
    send(page, code=get_code(1, secret))  # the present one was good once
    expect(page.locator(".account-menu summary")).to_contain_text("Anna Berg")
    log_out(page)

    go(alice, "/accounts/login/")
    send(page, login="Anna Berg", password=PASSWORD)
    send(page, code=paper[0])
    expect(page.locator(".account-menu summary")).to_contain_text("Anna Berg")
    log_out(page)
    go(alice, "/accounts/login/")
    send(page, login="Anna Berg", password=PASSWORD)
    send(page, code=paper[0])  # crossed out by now
    expect(page.get_by_role("alert").first).to_be_visible()


def test_who_logs_in_within_a_week_keeps_the_account(visit: Visit) -> None:
    page = sign_up(alice := visit(**DESK), "Ben Cole")
    go(alice, "/accounts/close/")
    is_accessible(page)
    send(page, password="not the one")
    expect(page.get_by_role("alert")).to_be_visible()
    alice.forgive_refusal()
    send(page, password=PASSWORD)
    expect(page.locator(".account-menu")).to_have_count(0)
    expect(page.locator(".notice.success")).to_contain_text("will be closed")
    go(alice, "/accounts/login/")
    send(page, login="Ben Cole", password=PASSWORD)
    expect(page.locator(".account-menu summary")).to_contain_text("Ben Cole")
    expect(page.locator(".notice.success")).to_contain_text("stays open")

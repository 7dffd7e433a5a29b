"""Accounts with an authenticator app, and closing an account and reopening it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.builders.players import PASSWORD
from tests.builders.second_factors import get_code
from tests.builders.visitors import (
    DESK,
    PHONE,
    Visitor,
    open_by_name,
    send_account_form,
)

Visit = Callable[..., Visitor]


def sign_up(visitor: Visitor, name: str) -> Page:
    page = open_by_name(visitor, "/accounts/signup/")
    send_account_form(page, username=name, password1=PASSWORD)
    page.click("text=I have written them down")
    expect(page.locator(".account-menu summary")).to_contain_text(name)
    return page


def log_out(page: Page) -> None:
    page.click(".account-menu summary")
    page.click(".account-menu >> text=Log out")
    expect(page.locator(".account-menu")).to_have_count(0)


def test_an_authenticator_app_is_asked_for_and_paper_stands_in_for_it(visit: Visit) -> None:
    page = sign_up(alice := visit(**PHONE), "Alma Frost")
    open_by_name(alice, "/accounts/2fa/totp/activate/")
    send_account_form(page, password=PASSWORD)
    secret = page.locator(".secret").inner_text()
    wrong = f"{(int(get_code(secret=secret)) + 1) % 10**6:06}"
    send_account_form(page, code=wrong)
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.locator(".secret").inner_text() == secret  # the app need not scan again
    send_account_form(page, code=get_code(secret=secret))
    page.wait_for_url("**/2fa/codes/")
    paper = page.locator(".codes li").all_inner_texts()
    log_out(page)

    open_by_name(alice, "/accounts/login/")
    send_account_form(page, login="Alma Frost", password=PASSWORD)
    expect(page.locator("h1")).to_have_text("Two-step login")
    send_account_form(page, code=get_code(1, secret))  # the current code was already used
    expect(page.locator(".account-menu summary")).to_contain_text("Alma Frost")
    log_out(page)

    open_by_name(alice, "/accounts/login/")
    send_account_form(page, login="Alma Frost", password=PASSWORD)
    send_account_form(page, code=paper[0])
    expect(page.locator(".account-menu summary")).to_contain_text("Alma Frost")
    log_out(page)
    open_by_name(alice, "/accounts/login/")
    send_account_form(page, login="Alma Frost", password=PASSWORD)
    send_account_form(page, code=paper[0])  # already used
    expect(page.get_by_role("alert").first).to_be_visible()


def test_who_logs_in_within_a_week_keeps_the_account(visit: Visit) -> None:
    page = sign_up(alice := visit(**DESK), "Bruno Hale")
    open_by_name(alice, "/accounts/close/")
    send_account_form(page, password="not the one")
    expect(page.get_by_role("alert")).to_be_visible()
    alice.forgive_refusal()
    send_account_form(page, password=PASSWORD)
    expect(page.locator(".account-menu")).to_have_count(0)
    expect(page.locator(".notice.success")).to_contain_text("will be closed")
    open_by_name(alice, "/accounts/login/")
    send_account_form(page, login="Bruno Hale", password=PASSWORD)
    expect(page.locator(".account-menu summary")).to_contain_text("Bruno Hale")
    expect(page.locator(".notice.success")).to_contain_text("stays open")

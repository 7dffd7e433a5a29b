"""A guest signs up and logs in with a passkey, a recovery code and a passphrase."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.builders.players import PASSWORD
from tests.builders.visitors import (
    DESK,
    PHONE,
    Visitor,
    open_by_name,
    send_account_form,
)


def add_authenticator(page: Page) -> None:
    """Let the browser store passkeys, as a phone with a fingerprint reader does."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )


def read_words(page: Page) -> list[str]:
    """Return the words of the passphrase once the page has loaded."""
    page.wait_for_load_state()
    words = page.locator(".words li")
    expect(words).to_have_count(8)
    return words.all_inner_texts()


def test_a_guest_signs_up_and_comes_back_in_every_way(visit: Callable[..., Visitor]) -> None:
    alice = visit(**DESK)
    page = open_by_name(alice, "/")
    page.click('[data-seek="tic-tac-toe"]')
    page.wait_for_selector("#waiting:not([hidden])")
    page.reload()
    name = page.locator("#whoami bdi").inner_text()
    page.click("text=Sign up")
    page.wait_for_load_state()  # the scripts handle the buttons from then on
    expect(page.locator("[name=username]")).to_have_value(name)
    password = page.locator("[name=password1]")
    password.fill(PASSWORD)
    page.get_by_role("button", name="Show password").click()
    expect(password).to_have_attribute("type", "text")
    send_account_form(page, password1=PASSWORD)
    words = read_words(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == " ".join(words)
    page.click("text=I have written them down")
    expect(page.locator(".account-menu summary")).to_contain_text(name)

    add_authenticator(page)
    page.click(".account-menu summary")
    page.click(".account-menu a >> text=Your account")
    open_by_name(alice, "/accounts/2fa/webauthn/add/")
    send_account_form(page, password=PASSWORD)
    page.click("[data-passkey-start]")
    page.wait_for_url("**/2fa/codes/")
    codes = page.locator(".codes li").all_inner_texts()
    assert re.fullmatch(r"\d{12}", codes[0])
    page.click(".account-menu summary")
    page.click(".account-menu >> text=Log out")

    open_by_name(alice, "/accounts/login/")
    page.click("[data-passkey-start]")  # neither name nor password
    expect(page.locator(".account-menu summary")).to_contain_text(name)

    bob = visit(**PHONE)  # another browser, which has no passkey
    page = open_by_name(bob, "/accounts/login/?next=/accounts/sessions/")
    send_account_form(page, login=name.upper(), password=PASSWORD)
    send_account_form(page, code=codes[0])
    expect(page.locator("h1")).to_have_text("Active sessions")
    expect(page.locator(".account-parts li")).to_have_count(2)

    open_by_name(bob, "/accounts/")
    page.click("main >> text=Log out")
    page = open_by_name(bob, "/accounts/recovery/")
    new = "another horse 8"
    send_account_form(page, name=name, words=" ".join(words), password1=new, password2=new)
    add_authenticator(page)  # it has no passkey yet, and the page says so
    page.click("[data-passkey-start]")
    expect(page.locator("[data-passkey-error]")).to_be_visible()
    send_account_form(page, code=codes[1])
    assert read_words(page) != words

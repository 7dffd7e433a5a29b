"""The page shown without a connection, and the return from it."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.builders.visitors import DESK, Visitor

Visit = Callable[..., Visitor]


def test_without_a_connection_a_page_of_ours_is_shown_and_goes_away_again(visit: Visit) -> None:
    visitor = visit(**DESK, service_workers="allow").open()
    page = visitor.page
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto(f"{visitor.site.url}/rules/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Offline")
    font = page.evaluate("document.fonts.ready.then(() => document.fonts.check('20px Fraunces'))")
    assert font  # the font is cached too
    page.context.set_offline(False)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("How to play")
    visitor.forgive_network()


def test_no_page_of_a_person_is_kept(visit: Visit) -> None:
    visitor = visit(**DESK, service_workers="allow").open()
    page = visitor.page
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visitor.invite_friend("dots-and-boxes")
    page.wait_for_selector("#address")
    kept = page.evaluate(
        """async () => {
          const found = [];
          for (const name of await caches.keys())
            for (const request of await (await caches.open(name)).keys())
              found.push(new URL(request.url).pathname);
          return found;
        }"""
    )
    assert "/offline/" in kept
    assert all(path == "/offline/" or path.startswith("/static/") for path in kept)

"""What axe finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

QUICK = {"resultTypes": ["violations"]}  # leave out the thousands of nodes that pass
SETTLE = """() => Promise.allSettled(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished))"""
RUN = "([context, options]) => axe.run(context, options).then((results) => results.violations)"


def list_violations(page: Page, options: dict[str, Any], within: str = "html") -> list[Any]:
    """Return the rules that an element breaks, each with some of the nodes."""
    if not page.evaluate("'axe' in window"):  # it takes longer to load than to run
        page.evaluate(Axe().axe_script)
    page.evaluate(SETTLE)  # the colours of links may be between those of two schemes
    return [
        (violation["id"], [node["html"][:160] for node in violation["nodes"][:3]])
        for violation in page.evaluate(RUN, [within, {**QUICK, **options}])
    ]

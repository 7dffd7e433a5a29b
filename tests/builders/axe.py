"""What axe finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

QUICK = {"resultTypes": ["violations"]}  # leave out the thousands of nodes that pass
SETTLE = """() => Promise.allSettled(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished))"""
# A lobby with many games has 14,000 shapes of boards. They have no text, role or focus, and no rule
# looks at them, but axe takes ten times as long. So the script removes them from the page until axe
# has run. The shapes of buttons stay, because they give a button its size.
RUN = """async ([context, options]) => {
  const kept = `text, title, desc, a, image, foreignObject, [role], [tabindex], [id], [href],
    [aria-hidden], [aria-label], [aria-labelledby]`;
  const button = "a, button, [role=button], [tabindex]";
  const taken = [];
  const takeShapes = (parent) => {
    for (const each of [...parent.children]) {
      if (each.matches(button)) continue;
      if (each.matches(kept) || each.querySelector(kept)) takeShapes(each);
      else {
        taken.push([parent, each, each.nextSibling]);
        each.remove();
      }
    }
  };
  for (const svg of document.querySelectorAll("svg")) if (!svg.ownerSVGElement) takeShapes(svg);
  const { violations } = await axe.run(context, options);
  for (const [parent, each, next] of taken.reverse()) {
    parent.insertBefore(each, next?.parentNode === parent ? next : null);
  }
  return violations;
}"""


def list_violations(page: Page, options: dict[str, Any], within: str = "html") -> list[Any]:
    """Return the rules that an element breaks, each with some of the nodes."""
    if not page.evaluate("'axe' in window"):  # it takes longer to load than to run
        page.evaluate(Axe().axe_script)
    page.evaluate(SETTLE)  # the colours of links may be between those of two schemes
    return [
        (violation["id"], [node["html"][:160] for node in violation["nodes"][:3]])
        for violation in page.evaluate(RUN, [within, {**QUICK, **options}])
    ]

"""Texts of a page in the pseudo-language that are not marked for translation.

Its catalog has accents in each marked sentence: whatever has none is not marked.
"""

import re

from playwright.sync_api import Page

from games.messages.guest_names import FRIENDS, MANNERS, SHADES

# Given a list of texts, the script returns the HTML of an element that has each.
TEXTS = r"""([attributes, skipped, wanted]) => {
  const found = new Map([[document.title, document.querySelector("title")]]);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: parent, data } = walk.currentNode;
    if (/[A-Za-z]{2}/.test(data) && !parent.closest(skipped)) found.set(data, parent);
  }
  for (const name of attributes) {
    for (const e of document.querySelectorAll(`[${name}]`)) {
      const text = e.getAttribute(name);
      if (/[A-Za-z]{2}/.test(text) && !e.closest(skipped)) found.set(text, e);
    }
  }
  return wanted ? wanted.map((text) => found.get(text)?.outerHTML ?? "") : [...found.keys()];
}"""
# Names of players, code, names of languages and of programs, and the index of technical models.
SKIPPED = """script, style, noscript, code, pre, kbd, bdi, time, [lang]:not(html), [translate=no],
  #nav-sidebar, .app-list, [class^=app-]"""
ATTRIBUTES = ["aria-label", "title", "placeholder", "alt", "aria-valuetext", "aria-roledescription"]
NAMES = """() => [...document.querySelectorAll("bdi")].map((e) => e.textContent.trim())"""

ALLOWED = re.compile(
    r"""https?://\S* | 127\.0\.0\.1\S*          # addresses
    | \b(?:Parlour|Member\ \d+|Olga\ Brook|Rita\ Cole|Pupil\ (?:One|\d+)|Friend\ of)\b  # names
    | The\ (?:swiss|round-robin|knockout|arena),\ (?:open|running|over)
    | \b(?:CSV|TRF16|JSON|SGF|Little\ Golem|API|UTC|QR|GB|MB|kB|PDF|SVG|PNG)\b  # names of formats
    | \b[A-Z0-9]{4,5}-[A-Z0-9]{4,5}\b | \([0-9a-f]{8}\) | \?q=a | \b[a-z]+-[a-z]+-\d{3}\b  # codes
    """,
    re.VERBOSE,
)
GUEST = re.compile(
    rf"(?:{'|'.join(MANNERS)})(?: (?:{'|'.join(SHADES)}))? (?:{'|'.join(FRIENDS)})\b"
)
ACCENTED = re.compile("[áéíóú]")
WORD = re.compile(r"[A-Za-z]{2,}")


def list_unmarked(page: Page) -> list[str]:
    """Return the texts of the page that have words without accents, with their elements."""
    names = sorted({name for name in page.evaluate(NAMES) if name}, key=len, reverse=True)
    name = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)" if names else "(?!)")
    where = [ATTRIBUTES, SKIPPED]
    faults = [
        text
        for text in page.evaluate(TEXTS, [*where, None])
        if WORD.search(ALLOWED.sub("", GUEST.sub("", name.sub("", text))))
    ]
    elements = page.evaluate(TEXTS, [*where, faults]) if faults else []
    return [
        f"{' '.join(text.split())} in {' '.join(element.split())[:160]}"
        for text, element in zip(faults, elements, strict=True)
    ]


def must_be_marked(page: Page) -> None:
    assert "\n".join(list_unmarked(page)) == ""

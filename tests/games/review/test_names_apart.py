"""Every page of the review isolates a name in right-to-left script."""

from html.parser import HTMLParser
from typing import Any

from games.models import Sign
from games.review import decisions, reports
from tests.builders.matches import create_match

HEBREW = "\u05e9\u05e8\u05d4"


class Loose(HTMLParser):
    """The texts that contain the name without a bdi element or an isolate around it."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        apart = {"bdi", "script", "option"} & set(self.inside)
        if not apart and HEBREW in data.replace(f"\u2068{HEBREW}\u2069", ""):
            self.found.append(data)


def test_names_keep_to_themselves_in_the_review(
    alice: Any, bob: Any, rita: Any, sara: Any, client: Any
) -> None:
    alice.username = HEBREW
    alice.save()
    match = create_match("tic-tac-toe", alice, bob, plies=3)
    made = reports.store_report(bob.pk, match.pk, alice.pk, "name", "")
    reports.store_report(alice.pk, match.pk, bob.pk, "name", "")
    sign = Sign.objects.create(
        key="k", kind="pair", match=match, player=alice, words="so", at=made.at
    )
    decided = decisions.void_match(rita, match.pk, "A program.", 0)
    renamed = decisions.rename_player(rita, bob.pk, "So.", 0, "Polite Otter", match.pk)
    client.force_login(sara)
    for path in (
        "match/",
        "case/",
        "case/queue/",
        f"case/queue/{alice.pk}/",
        f"case/queue/{bob.pk}/",
        "sign/",
        "decision/",
        f"match/{match.pk}/change/",
        f"match/player/{alice.pk}/",
        f"case/{made.case_id}/change/",
        f"sign/{sign.pk}/change/",
        f"decision/{decided.pk}/change/",
        f"decision/{renamed.pk}/change/",
    ):
        page = client.get(f"/admin/games/{path}").content.decode()
        loose = Loose()
        loose.feed(page)
        assert loose.found == [], path
        assert HEBREW in page or "decision" in path, path

"""The filters and the order of the queue, stored in its URL (`?type=report-name&age=7`)."""

from collections.abc import Container, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import asdict

from games.messages import get_game_name
from games.models import Report, Sign
from games.review.lists import find_people
from games.rules import GAMES
from games.store.aliases import get_kin

REPORTS, SIGNS, APPEALS = "reports", "signs", "appeals"
_REPORT, _SIGN = "report-", "sign-"
AGES = {"1": _("1 day"), "3": _("3 days"), "7": _("1 week"), "30": _("1 month")}
"""The choices for the minimum age of an open item, in days."""
NOBODY, ME, OTHERS = "nobody", "me", "others"
TAKEN = {
    NOBODY: pgettext_lazy("moderator", "nobody"),
    ME: pgettext_lazy("moderator", "you"),
    OTHERS: _("other moderators"),
}
OLDEST, NEWEST = "oldest", "newest"
ORDERS = {"": _("most urgent first"), OLDEST: _("oldest first"), NEWEST: _("newest first")}
NO_GAME = "none"
"""The value of `QueueFilter.game` that selects reports outside all matches."""
_LONGEST = 60  # the maximum length of a reporter's name; the rest is ignored


class QueueFilter(Struct, frozen=True):
    """The selection of players in the queue, and their order. An empty value selects everything.

    A player is listed if at least one open item matches the type, age, game and reporter together.
    """

    type: str = ""
    age: str = ""
    game: str = ""
    reporter: str = ""
    taken: str = ""
    order: str = ""

    @classmethod
    def parse(cls, given: Mapping[str, str]) -> "QueueFilter":
        """Parse the values in a query string. Unknown values are ignored."""
        known: dict[str, Container[str]] = {
            "type": dict(list_types()),
            "age": AGES,
            "game": {*GAMES, NO_GAME},
            "taken": TAKEN,
            "order": ORDERS,
        }
        found = {name: given.get(name, "") for name in known}
        sound = {name: value for name, value in found.items() if value in known[name]}
        return cls(**sound, reporter=" ".join(given.get("reporter", "").split())[:_LONGEST])

    @property
    def query(self) -> str:
        """The query string of these values without the question mark; "" if all are empty."""
        return urlencode({name: value for name, value in asdict(self).items() if value})

    @property
    def suffix(self) -> str:
        """The query string with the question mark, to append to a URL; "" if it is empty."""
        return f"?{self.query}" if self.query else ""

    @property
    def selects_items(self) -> bool:
        """Return whether the filter selects by properties of the items."""
        return bool(self.type or self.age or self.game or self.reporter)

    @property
    def is_narrow(self) -> bool:
        """Return whether the filter leaves anything out."""
        return self.selects_items or bool(self.taken)

    @property
    def _since(self) -> datetime | None:
        return timezone.now() - timedelta(days=int(self.age)) if self.age else None

    def build_report_filter(self) -> Q | None:
        """Return the filter for reports, or None if the type excludes all of them."""
        if self.type in {SIGNS, APPEALS} or self.type.startswith(_SIGN):
            return None
        found = self._build_common("case__match")
        if self.type.startswith(_REPORT):
            found &= Q(reason=self.type.removeprefix(_REPORT))
        if self.reporter:
            people = find_people(self.reporter)
            rows = {row for ids in get_kin(people).values() for row in ids}
            found &= Q(by__in=rows)
        return found

    def build_sign_filter(self) -> Q | None:
        """Return the filter for signs, or None if the type or the reporter excludes all of them."""
        if self.type in {REPORTS, APPEALS} or self.type.startswith(_REPORT) or self.reporter:
            return None
        found = self._build_common("match")
        if self.type.startswith(_SIGN):
            found &= Q(kind=self.type.removeprefix(_SIGN))
        return found

    def selects_appeal(self, at: datetime) -> bool:
        """Return whether an appeal that was made at that time is selected."""
        if self.type not in {"", APPEALS} or self.game or self.reporter:
            return False
        since = self._since
        return since is None or at <= since

    def _build_common(self, match: str) -> Q:
        found = Q()
        since = self._since
        if since is not None:
            found &= Q(at__lte=since)
        if self.game == NO_GAME:
            found &= Q(**{match: None})
        elif self.game:
            found &= Q(**{f"{match}__game": self.game})
        return found


EVERYTHING = QueueFilter()


def list_types() -> list[tuple[str, Any]]:
    """Return the types of items with their labels."""
    return [
        (REPORTS, gettext("All reports")),
        *((_REPORT + value, label) for value, label in Report.Reason.choices),
        (APPEALS, gettext("Appeals")),
        (SIGNS, gettext("All signs")),
        *((_SIGN + value, label) for value, label in Sign.Kind.choices),
    ]


def list_choices(chosen: QueueFilter) -> list[dict[str, Any]]:
    """Return the fields of the filter that have a list of choices, each with its choices."""
    games = [(slug, get_game_name(slug)) for slug in GAMES]
    fields = (
        ("type", pgettext("queue", "Type"), list_types()),
        ("age", gettext("Waiting for at least"), list(AGES.items())),
        ("game", gettext("Game"), [*games, (NO_GAME, gettext("no game"))]),
        ("taken", pgettext("column", "Handled by"), list(TAKEN.items())),
    )
    return [
        {"name": name, "label": label, "choices": choices, "value": getattr(chosen, name)}
        for name, label, choices in fields
    ]

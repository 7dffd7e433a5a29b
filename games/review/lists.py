"""Filters and pagination for the review's long lists. No list counts more than `MOST` rows."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.messages import get_game_name
from games.messages.names import compute_name_key
from games.models import Case, Decision, Match, Sign
from games.rules import GAMES

MOST = 2000  # the maximum number of rows to count, and to read in a query of `WorthFilter`
_PEOPLE = 50  # the maximum number of players to return if only parts of their names match


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # only its stubs are generic
    """A paginator for the first `MOST` rows, which never counts further."""

    @cached_property
    def count(self) -> int:
        found = self.object_list
        if isinstance(found, QuerySet):
            return int(found.order_by().values("pk")[:MOST].count())
        return min(len(found), MOST)


def find_people(name: str) -> list[int]:
    """Return the ids of the players with this or a similar name.

    If there are none, return the ids of at most `_PEOPLE` players whose name contains the text.
    """
    name = " ".join(name.split())
    everyone = get_user_model()._default_manager.order_by("pk")
    field = get_user_model().USERNAME_FIELD
    alike = Q(**{field: name}) | Q(name_key=compute_name_key(name) or None)
    exact = list(everyone.filter(alike).values_list("pk", flat=True))
    if exact:
        return exact
    likely = everyone.filter(**{f"{field}__icontains": name})
    return list(likely.values_list("pk", flat=True)[:_PEOPLE])


def build_name_filter(query: str, *fields: str) -> Q:
    """Return a filter for rows about the match with this id or, for any other text, about a player.

    `fields` are the fields that refer to players. The whole text is one name, even if it has
    several words.
    """
    if Match.objects.filter(pk=query.strip()).exists():
        return Q(match_id=query.strip())
    found, players = Q(pk__in=()), find_people(query)
    for field in fields if players else ():
        found |= Q(**{f"{field}__in": players})
    return found


def build_players_filter(player_ids: list[int]) -> Q:
    """Return a filter for matches in which one of the players has a seat."""
    return Q(first_id__in=player_ids) | Q(second_id__in=player_ids)


class GameFilter(admin.SimpleListFilter):
    title = pgettext_lazy("kind of game", "game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(slug, get_game_name(slug)) for slug in GAMES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(game=self.value()) if self.value() else queryset


class WorthFilter(admin.SimpleListFilter):
    """A filter by review status. It selects only the newest matches with that status.

    These are at most `MOST`, or twice as many if they are disputed.
    """

    title = _("status")
    parameter_name = "worth"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("open", gettext("Reported, open")),
            ("reported", gettext("Reported")),
            ("disputed", gettext("Disputed: reported after a decision, or reversed")),
            ("flagged", gettext("Flagged by a sign")),
            ("decided", gettext("Decided on")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        ids = get_matches_worth_review(self.value() or "")
        return queryset if ids is None else queryset.filter(pk__in=ids)


def get_matches_worth_review(what: str) -> set[str] | None:
    """Return the ids of the newest matches with a review status, or None if it is unknown.

    `what` is one of the values of `WorthFilter`.
    """
    if what == "open":
        return _get_newest(Case.objects.filter(closed_at=None).order_by("-opened_at"))
    if what == "reported":
        return _get_newest(Case.objects.order_by("-opened_at"))
    if what == "flagged":
        return _get_newest(Sign.objects.filter(seen_at=None).order_by("-at"))
    if what == "decided":
        return _get_newest(Decision.objects.exclude(match=None))
    if what == "disputed":
        again = Case.objects.exclude(disputed_at=None).order_by("-disputed_at")
        reversed_ = Decision.objects.filter(kind=Decision.Kind.REVERSE, player=None)
        return _get_newest(again) | _get_newest(reversed_)
    return None


def _get_newest(rows: QuerySet[Any]) -> set[str]:
    return set(rows.exclude(match=None).values_list("match_id", flat=True)[:MOST])


class Written(admin.ListFilter):
    """A filter with an input field for its value."""

    template = "admin/games/written_filter.html"
    parameter: ClassVar[str]
    kind: ClassVar[str] = "text"

    def __init__(
        self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any
    ) -> None:
        super().__init__(request, params, model, model_admin)
        self.value = ""
        if self.parameter in params:
            given = params.pop(self.parameter)
            self.value = str(given[-1] if isinstance(given, list) else given).strip()[:60]
            if self.value:
                self.used_parameters[self.parameter] = self.value

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [self.parameter]

    def choices(self, changelist: Any) -> Iterator[dict[str, Any]]:
        others = changelist.get_query_string(remove=[self.parameter, "p"])
        yield {
            "parameter": self.parameter,
            "kind": self.kind,
            "value": self.value,
            "others": [
                (name, value)
                for name, values in changelist.filter_params.items()
                if name != self.parameter
                for value in values
            ]
            + ([("q", changelist.query)] if changelist.query else []),
            "clear": others,
        }


class PlayerFilter(Written):
    title, parameter = _("player"), "player"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return (
            queryset.filter(build_players_filter(find_people(self.value)))
            if self.value
            else queryset
        )


class _DayFilter(Written):
    kind = "date"

    def day(self) -> datetime | None:
        try:
            return datetime.strptime(self.value, "%Y-%m-%d").replace(tzinfo=UTC)
        except ValueError:
            return None


class FromFilter(_DayFilter):
    title, parameter = _("day (from)"), "from"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(created_at__gte=self.day()) if self.day() else queryset


class BeforeFilter(_DayFilter):
    title, parameter = _("day (before)"), "before"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(created_at__lt=self.day()) if self.day() else queryset


class _NumberFilter(Written):
    kind = "number"

    def number(self) -> int | None:
        sound = self.value.isascii() and self.value.isdigit() and len(self.value) < 7
        return int(self.value) if sound else None


# These filters find only finished matches, because the index has no others.
class LongerFilter(_NumberFilter):
    title, parameter = _("length (moves, at least)"), "longer"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        if self.number() is None:
            return queryset
        return queryset.exclude(status=Match.Status.LIVE).filter(ply__gte=self.number())


class ShorterFilter(_NumberFilter):
    title, parameter = _("length (moves, at most)"), "shorter"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        if self.number() is None:
            return queryset
        return queryset.exclude(status=Match.Status.LIVE).filter(ply__lte=self.number())

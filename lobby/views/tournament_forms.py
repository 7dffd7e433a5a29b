"""The form that creates or edits a tournament. Each invalid field shows its error."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods
from msgspec import Struct, field

from games.match.clock import describe_clock
from games.match.setup import Setup
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.rules import DEFAULT_GAME, PLAYABLE_GAMES
from games.runtime.ids import new_id
from lobby.accounts.access import require_account
from lobby.groups.membership import can_manage, list_groups
from lobby.models import Player, Tournament
from lobby.models.tournament import LONGEST_ABOUT, LONGEST_TITLE
from lobby.seeks.rated import get_bounds
from lobby.seeks.setup_choices import CONTROLS
from lobby.tournaments import series
from lobby.tournaments.draft import (
    MOST_PLAYERS,
    BadDraftError,
    Draft,
    create_tournament,
    update_tournament,
)
from lobby.tournaments.labels import get_kind_labels, get_tie_break_labels
from lobby.tournaments.pairing.standings import TIE_BREAKS
from lobby.tournaments.series import MOST
from lobby.views.groups import member
from lobby.views.tournament_access import for_organiser

Kind, Registration, Pace = Tournament.Kind, Tournament.Registration, Tournament.Pace

_FORM = "lobby/tournament_form.html"
_SOON = ("5", "15", "30", "60")  # the choices for the start, in minutes from now
_AT = "at"
_NUMBERS = {
    "rounds": 20,
    "minutes": 720,
    "best_of": 7,
    "most": 1000,
    "lowest": 4000,
    "highest": 4000,
    "check_in_minutes": 1440,
    "late_minutes": 1440,
    "round_minutes": 10080,
    "best": MOST,
}
"""The numeric fields, and the maximum of each in the browser."""
_TIMES = ("starts_at", "opens_at")
_MINUTE = "%Y-%m-%dT%H:%M"
_MAY_BE_EMPTY = ("most", "lowest", "highest")
_OF_SERIES = "best"  # the number of results that count in the series; not a field of a draft
_FOLDED = ("opens_at", "about", "guests", "bots", "most", "lowest", "highest", "check_in_minutes",
           "late_minutes", "round_minutes", "pace", "tie_breaks")  # fmt: skip
_WEEK = 7  # days
_MOST_OFFSET = 14 * 60  # the largest offset from UTC in minutes


class SubmittedForm(Struct):
    """A submitted form.

    `values` are displayed again. `faults` has the error of each invalid field.
    """

    values: dict[str, Any]
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def is_unfolded(self) -> bool:
        """Return whether a field in the collapsed part is invalid."""
        return any(name in self.faults for name in _FOLDED)


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
def new(request: HttpRequest) -> HttpResponse:
    """Show the form for a new tournament.

    A POST creates the tournament and, if requested, a series that begins with it.
    `?group=<id>` proposes a tournament for the members of that group.
    """
    player = member(request)
    if request.method != "POST":
        return _form(request, SubmittedForm(_proposed(player, request.GET)), None)
    asked = SubmittedForm(_typed(request.POST))
    try:
        draft = _draft(asked)
        if draft is not None:
            with transaction.atomic():
                made = create_tournament(player, draft, _token(request.POST))
                if asked.values["weekly"] and made.series_id is None:
                    best = int(asked.values[_OF_SERIES] or 0)
                    series.create_series(player, made.pk, made.name, _WEEK, min(best, MOST))
            messages.success(request, render_message(build_message("tournament.made")))
            return redirect(made)
    except (BadDraftError, Refused) as error:
        _note(asked, error)
    return _form(request, asked, None)


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def change(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the form with the settings of a tournament. A POST changes them."""
    if request.method != "POST":
        return _form(request, SubmittedForm(_stored(tournament)), tournament)
    asked = SubmittedForm(_typed(request.POST))
    try:
        draft = _draft(asked, tournament)
        if draft is not None:
            changed = update_tournament(member(request), tournament.pk, draft)
            messages.success(request, render_message(build_message("tournament.kept")))
            return redirect(changed)
    except (BadDraftError, Refused) as error:
        _note(asked, error)
    return _form(request, asked, tournament)


# -- the submitted form


def _proposed(player: Player, query: QueryDict) -> dict[str, Any]:
    """Return the initial values: five Swiss rounds that start soon."""
    group = query.get("group", "")
    return {
        "name": render_message(build_message("tournament.of", name=player.name))[:LONGEST_TITLE],
        "kind": Kind.SWISS.value,
        "game": DEFAULT_GAME.slug,
        "clock": "5+3",
        "rated": False,
        "when": "30",
        "starts_at": "",
        "opens_at": "",
        "rounds": "5",
        "minutes": "45",
        "best_of": "1",
        "is_double": False,
        "third_place": False,
        "registration": f"group {group}" if group else Registration.OPEN.value,
        "about": "",
        "guests": False,
        "bots": False,
        "most": "",
        "lowest": "",
        "highest": "",
        "check_in_minutes": "0",
        "late_minutes": "5",
        "round_minutes": "0",
        "pace": Pace.READY.value,
        "tie_breaks": [],
        "weekly": False,
        "best": "0",
    }


def _typed(form: QueryDict) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: form.get(name, "")[: 2 * LONGEST_ABOUT]
        for name in ("name", "kind", "game", "clock", "when", "registration", "about", "pace")
    }
    found |= {name: form.get(name, "").strip()[:12] for name in _NUMBERS}
    found |= {
        name: bool(form.get(name))
        for name in ("rated", "is_double", "third_place", "guests", "bots", "weekly")
    }
    for name in _TIMES:
        text = form.get(name, "")[:20]
        at = _time(text, form.get(f"{name}_offset", "0"))
        found[name] = text if at is None else _minute(at)
    found["tie_breaks"] = form.getlist("tie_breaks")[:10]
    return found


def _token(form: QueryDict) -> str:
    """Return an id that is the same if the form is submitted again unchanged.

    The id depends on the values, because people may go back and create another tournament. Return
    "" for a form without a token.
    """
    token = form.get("token", "")[:64]
    what = sorted((name, form.getlist(name)) for name in form if name != "csrfmiddlewaretoken")
    return f"{token} {what}" if token else ""


def _stored(tournament: Tournament) -> dict[str, Any]:
    group = tournament.group_id
    values: dict[str, Any] = {
        name: getattr(tournament, name)
        for name in ("name", "kind", "game", "clock", "rated", "is_double", "third_place",
                     "about", "guests", "bots", "pace")
    }  # fmt: skip
    values |= {name: str(getattr(tournament, name, "0")) for name in _NUMBERS}
    lowest, highest = get_bounds(tournament.lowest, tournament.highest)
    values |= {
        "lowest": lowest or "",
        "highest": highest or "",
        "when": _AT,
        "starts_at": _minute(tournament.starts_at),
        "opens_at": _minute(tournament.opens_at) if tournament.opens_at else "",
        "registration": f"group {group}" if group else tournament.registration,
        "tie_breaks": [each for each in tournament.tie_breaks.split(",") if each],
    }
    if tournament.most == MOST_PLAYERS[tournament.kind]:
        values["most"] = ""
    return values


def _minute(at: datetime) -> str:
    """Return a time in UTC in the format of the browser's input."""
    return at.astimezone(UTC).strftime(_MINUTE)


def _time(text: str, offset: str) -> datetime | None:
    """Parse a time that is `offset` minutes ahead of UTC. Return None if it is invalid."""
    try:
        ahead = int(offset) if len(offset) < 6 else 0
        local = datetime.strptime(text, _MINUTE).replace(tzinfo=UTC)
        return local - timedelta(minutes=max(-_MOST_OFFSET, min(_MOST_OFFSET, ahead)))
    except (ValueError, OverflowError):
        return None


# -- from the form to a draft


def _draft(asked: SubmittedForm, tournament: Tournament | None = None) -> Draft | None:
    """Return the draft, or None if a field is invalid, with the errors in `faults`.

    A time that shows the same minute as that of `tournament` keeps its seconds.
    """
    values, numbers = asked.values, _numbers(asked)
    starts_at, opens_at = _start(values), _time(values["opens_at"], "0")
    if tournament is not None:
        starts_at = _kept(starts_at, tournament.starts_at)
        opens_at = _kept(opens_at, tournament.opens_at)
    for name, at in (("starts_at", starts_at), ("opens_at", opens_at)):
        if at is None and (values[name] or name == "starts_at"):
            asked.faults[name] = render_message(build_message("refused.event-time"))
    if asked.faults or starts_at is None:
        return None
    registration, _, group = values["registration"].partition(" ")
    kind = values["kind"]
    ties = [each for each in TIE_BREAKS if each in values["tie_breaks"]]
    return Draft(
        name=values["name"],
        kind=kind,
        setup=Setup(values["game"], values["clock"], "", values["rated"]),
        starts_at=starts_at,
        about=values["about"],
        is_double=values["is_double"],
        third_place=values["third_place"],
        tie_breaks=tuple(ties) or None,
        registration=registration,
        group_id=group or None,
        guests=values["guests"],
        bots=values["bots"],
        opens_at=opens_at,
        pace=values["pace"],
        **{name: number for name, number in numbers.items() if name != _OF_SERIES},
    )


def _numbers(asked: SubmittedForm) -> dict[str, Any]:
    """Return the numeric fields, and record invalid ones as errors.

    An empty field that this kind of tournament does not require gets a default value.
    """
    found: dict[str, Any] = {}
    for name, most in _NUMBERS.items():
        text = asked.values[name]
        if not text and name in _MAY_BE_EMPTY:
            found[name] = None
        elif not text and name not in _wanted(asked.values["kind"]):
            found[name] = 1 if name == "best_of" else 0
        elif text.isascii() and text.isdigit():
            found[name] = int(text)
        else:
            asked.faults[name] = render_message(
                build_message("refused.number-between", least=0, most=most)
            )
    return found


def _wanted(kind: str) -> tuple[str, ...]:
    """Return the numeric fields that cannot be empty for a kind of tournament."""
    own = {"swiss": "rounds", "arena": "minutes", "knockout": "best_of"}
    return ("late_minutes", own.get(kind, ""))


def _start(values: Mapping[str, Any]) -> datetime | None:
    if values["when"] in _SOON:
        return timezone.now() + timedelta(minutes=int(values["when"]))
    return _time(values["starts_at"], "0")


def _kept(typed: datetime | None, stored: datetime | None) -> datetime | None:
    if typed is None or stored is None or _minute(typed) != _minute(stored):
        return typed
    return stored


_SHOWN_AT = {"setup": "clock"}


def _note(asked: SubmittedForm, error: BadDraftError | Refused) -> None:
    """Record the errors of a refused draft by field."""
    if isinstance(error, Refused):
        asked.faults[""] = render_message(error.words)
        return
    for name, refusal in error.faults.items():
        place = _SHOWN_AT.get(name, name)
        if refusal.code.startswith("unrated-"):
            place = "rated"
        asked.faults[place] = render_message(refusal.words)


# -- the page


def _form(
    request: HttpRequest, asked: SubmittedForm, tournament: Tournament | None
) -> HttpResponse:
    is_new = tournament is None
    context = {
        "form": asked,
        "fields": _fields(asked, member(request)),
        "fault_said": asked.faults.get("") or render_message(build_message("tournament.not-made")),
        "kinds": [(kind, *get_kind_labels(kind)) for kind in Kind.values],
        "games": [(slug, get_game_name(slug)) for slug in PLAYABLE_GAMES],
        "tie_breaks": [(code, *get_tie_break_labels(code)) for code in TIE_BREAKS],
        "may_repeat": is_new,
        "token": request.POST.get("token", "")[:64] or new_id(),
        "title": render_message(build_message("tournament.new" if is_new else "tournament.change")),
        "button": render_message(build_message("tournament.make" if is_new else "tournament.keep")),
        "back": reverse("tournaments") if tournament is None else tournament.get_absolute_url(),
    }
    return render(request, _FORM, context, status=400 if asked.faults else 200)


def _fields(asked: SubmittedForm, player: Player) -> dict[str, dict[str, Any]]:
    """Return the template context of each field."""
    choices = _choices(player, asked.values)
    found = {}
    for name in FIELDS:
        value, wrong = asked.values[name], asked.faults.get(name, "")
        found[name] = {
            "name": name,
            "label": render_message(build_message(f"tournament-field.{name.replace('_', '-')}")),
            "value": value,
            "type": "number" if name in _NUMBERS else "text",
            "most": _NUMBERS.get(name, LONGEST_TITLE),
            "choices": choices.get(name),
            "wrong": wrong,
            "about": wrong or _hint(name),
        }
    found["about"] |= {"rows": 4, "most": LONGEST_ABOUT}
    for name in _TIMES:
        found[name] |= {"type": "datetime-local"}
    found["name"] |= {"required": True}
    return found


def _hint(name: str) -> str:
    return (
        render_message(build_message(f"tournament-hint.{name.replace('_', '-')}"))
        if name in HINTS
        else ""
    )


FIELDS = ("name", "clock", "when", *_TIMES, "registration", "about", "pace", *_NUMBERS)
HINTS = (
    "opens_at",
    "best",
    "rounds",
    "best_of",
    "check_in_minutes",
    "late_minutes",
    "round_minutes",
)


def _choices(player: Player, values: Mapping[str, Any]) -> dict[str, list[tuple[str, str]]]:
    clocks = list(dict.fromkeys(["", *CONTROLS, values["clock"]]))
    mine = [group for group in list_groups(player.pk) if can_manage(player, group)]
    plain = (Registration.OPEN, Registration.CODE, Registration.INVITATION)
    return {
        "clock": [(clock, _clock(clock)) for clock in clocks],
        "when": [
            *(
                (each, render_message(build_message("tournament.in-minutes", count=int(each))))
                for each in _SOON
            ),
            (_AT, render_message(build_message("tournament.at-a-time"))),
        ],
        "registration": [
            *(
                (each.value, render_message(build_message(f"tournament-entry.{each.value}")))
                for each in plain
            ),
            *(
                (
                    f"group {each.pk}",
                    render_message(build_message("tournament-entry.group", name=each.name)),
                )
                for each in mine
            ),
        ],
        "pace": [
            (each, render_message(build_message(f"tournament-pace.{each}"))) for each in Pace.values
        ],
    }


def _clock(clock: str) -> str:
    try:
        return render_message(describe_clock(clock))
    except ValueError:  # keep the text as it was typed
        return clock

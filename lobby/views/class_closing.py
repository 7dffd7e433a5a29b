"""Pages on which organisers close a class at the end of the year, export it, or reopen it.

The export is one ZIP file with the games and results of the class, for its organiser to keep.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec import Struct

from games.formats import FORMATS
from games.match.state import MatchState
from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.runtime.limiter import is_within_limit
from games.runtime.streaming import ChunkedResponse
from games.store.aliases import get_persons
from games.store.records import MatchRecord, build_sheet, serialize_record
from lobby.accounts.access import require_account
from lobby.accounts.audit_events import log_event
from lobby.groups import class_closing
from lobby.groups.games import list_records_of_games
from lobby.groups.membership import is_organiser_of
from lobby.models import Group, Tournament
from lobby.models.group import Closing
from lobby.tournaments.pairing.export import escape_formula
from lobby.views.classes import View, for_organiser
from lobby.views.groups import found_for, member, tell
from lobby.views.tournament_exports import write_results

_HOUR = 60  # minutes


def for_organiser_of_closed(view: View) -> View:
    """Pass the group to the view if the player is its organiser, even if the group is closed.

    Redirect visitors and guests to the login page. Respond to other members with 403, and to other
    players with 404.
    """

    @wraps(view)
    def shown(request: HttpRequest, group_id: str, *args: Any, **more: Any) -> HttpResponseBase:
        found = found_for(request, group_id)
        if not is_organiser_of(member(request), found):
            return render(request, "403.html", status=403)
        return view(request, found, *args, **more)

    return require_account(shown)


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def close(request: HttpRequest, group: Group) -> HttpResponse:
    """Show the ways to close a class at the end of the year. A POST closes it in the chosen way."""
    asked, fault = request.POST.get("closing", ""), ""
    if request.method == "POST":
        try:
            if asked not in Closing.values:
                raise Refused("close-how")
            if not request.POST.get("confirmed"):
                raise Refused("close-unconfirmed")
            mark = request.POST.get("mark", "")
            players = [each.player_id for each in group.members.all()]
            class_closing.close_class(member(request), group.pk, asked, mark)
        except Refused as refusal:
            fault = render_message(refusal.words)
        else:
            log_event("class closed", request, member(request).pk, group=group.pk, how=asked)
            tell({}, *players)
            messages.success(request, render_message(build_message("close.done", name=group.name)))
            return redirect(group)
    context = {
        "group": group,
        "accounts": class_closing.list_accounts(group),
        "unfinished": class_closing.list_unfinished_tournaments(group),
        "days": settings.ACCOUNT_CLOSING_DAYS,
        "asked": asked,
        "fault": fault,
    }
    return render(request, "lobby/group_close.html", context, status=400 if fault else 200)


@require_POST
@for_organiser_of_closed
def reopen(request: HttpRequest, group: Group) -> HttpResponse:
    """Reopen a class, if it is not too late."""
    try:
        class_closing.reopen_class(member(request), group.pk)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
    else:
        log_event("class reopened", request, member(request).pk, group=group.pk)
        tell({}, *(each.player_id for each in group.members.all()))
        messages.success(request, render_message(build_message("close.undone", name=group.name)))
    return redirect(group)


@require_safe
@for_organiser_of_closed
def export(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Download the games and results of a class as a ZIP file."""
    player = member(request)
    if not is_within_limit(settings.DOWNLOADS_PER_HOUR, "class", str(player.pk), _HOUR):
        detail = render_message(build_message("login.too-often"))
        return render(request, "429.html", {"detail": detail}, status=429)
    if request.method == "HEAD":
        answer: HttpResponseBase = HttpResponse()
    else:
        log_event("class exported", request, player.pk, group=group.pk)
        answer = ChunkedResponse(stream_class(group, player.pk))
    answer.headers["Content-Type"] = "application/zip"
    name = slugify(group.name) or "class"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


_UNCOUNTED = {"aborted", "voided"}
_FOLDERS = {"json": "games", "sgf": "sgf", "golem": "little-golem"}


class _Line(Struct):
    """The results of a player in the games of the class."""

    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2


class _Buffer(io.RawIOBase):
    """A file that keeps the bytes written to it until they are taken."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]  # zipfile writes bytes
        self._written += piece
        return len(piece)

    def take(self) -> bytes:
        taken = bytes(self._written)
        self._written.clear()
        return taken


def stream_class(group: Group, viewer_id: int) -> Iterator[bytes]:
    """Yield the ZIP file in chunks, with the names that the viewer may see now."""
    buffer = _Buffer()
    games, table = [_GAMES_HEAD], dict[int, _Line]()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _describe(group))
        for page in list_records_of_games(group.pk, viewer_id):
            people = get_persons({pk for each, _names in page for pk in _get_seats(each.state)})
            for record, names in page:
                _write_records(archive, record, names)
                games.append(_build_row(record, names))
                _count(table, record.state, names, people)
            yield buffer.take()
        archive.writestr("table.csv", _render_csv(_build_table(table)))
        archive.writestr("games.csv", _render_csv(games))
        for tournament in Tournament.objects.filter(group=group).order_by("starts_at"):
            for form in ("csv", "json"):
                name = f"tournaments/{tournament.starts_at:%Y-%m-%d}-{tournament.pk}.{form}"
                archive.writestr(name, write_results(tournament, form))
            yield buffer.take()
    yield buffer.take()


def _describe(group: Group) -> str:
    lines = (
        _("Games and results of {group}, {on} UTC").format(
            group=group.name, on=date_format(datetime.now(UTC), "DATETIME_FORMAT")
        ),
        "",
        _("table.csv: the members' results in games between two of them"),
        _("games.csv: these games, newest first"),
        _("games: each of them with its moves, as JSON"),
        _("sgf and little-golem: the games that can be written in SGF and for Little Golem"),
        _("tournaments: the tables of the tournaments, as CSV and JSON"),
    )
    return "\r\n".join((*lines, ""))


def _get_seats(state: MatchState) -> tuple[int, int]:
    return state.first_id, state.second_id


def _write_records(archive: zipfile.ZipFile, record: MatchRecord, names: tuple[str, str]) -> None:
    """Write a match in every format that supports its game and options."""
    name = _get_file_name(record.state)
    for each in FORMATS.values():
        # Use the format of `record.json`, which has more fields than `each.write` writes.
        if each.name == "json":
            text = json.dumps(serialize_record(record, names), ensure_ascii=False)
        elif each.game == record.state.game:
            try:
                text = each.write(build_sheet(record, names))
            except Refused:  # the match was played with options that the format does not support
                continue
        else:
            continue
        archive.writestr(f"{_FOLDERS[each.name]}/{name}.{each.ending}", text)


def _get_file_name(state: MatchState) -> str:
    return f"{state.created_at:%Y-%m-%d}-{state.id}"


_GAMES_HEAD: Sequence[object] = (
    *("file", "game", "first", "second", "first_points", "second_points", "status", "ended"),
    *("rated", "clock", "moves", "began", "over"),
)


def _build_row(record: MatchRecord, names: tuple[str, str]) -> Sequence[object]:
    state = record.state
    points = (state.first_goal, state.second_goal)
    return (
        *(_get_file_name(state), state.game, *map(escape_formula, names)),
        *("" if goal is None else goal / 100 for goal in points),
        *(state.status, state.ended, "yes" if state.rated else "no", state.clock, state.ply),
        f"{state.created_at:%Y-%m-%d %H:%M}",
        f"{state.ended_at:%Y-%m-%d %H:%M}" if state.ended_at else "",
    )


def _count(
    table: dict[int, _Line], state: MatchState, names: tuple[str, str], people: dict[int, int]
) -> None:
    """Add the result of a match to the totals of its players."""
    goals = (state.first_goal, state.second_goal)
    seats = _get_seats(state)
    for seat, (mine, theirs) in enumerate((goals, goals[::-1])):
        player_id = people.get(seats[seat], seats[seat])
        line = table.setdefault(player_id, _Line(names[seat]))
        if state.is_live or state.ended in _UNCOUNTED or mine is None or theirs is None:
            continue
        line.won += mine > theirs
        line.drawn += mine == theirs
        line.lost += mine < theirs


def _build_table(table: dict[int, _Line]) -> list[Sequence[object]]:
    lines = sorted(table.values(), key=lambda line: (-line.points, line.name.casefold()))
    head = ("name", "games", "won", "drawn", "lost", "points")
    rows = [
        (
            escape_formula(line.name),
            line.won + line.drawn + line.lost,
            *(line.won, line.drawn, line.lost, line.points),
        )
        for line in lines
    ]
    return [head, *rows]


def _render_csv(rows: Sequence[Sequence[object]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue()

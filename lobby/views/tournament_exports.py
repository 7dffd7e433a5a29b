"""The results of a tournament as JSON, CSV or, for a Swiss, TRF16.

The file of a finished tournament has an ETag.
"""

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, set_response_etag
from django.views.decorators.http import require_safe
from msgspec import json

from games.messages import build_message
from games.messages import render as render_message
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit
from lobby.models import Tournament
from lobby.tournaments.field import Field, get_field
from lobby.tournaments.pairing import export
from lobby.tournaments.pairing.standings import Row
from lobby.tournaments.pairing.trf import About, render_trf
from lobby.tournaments.queries import compute_table
from lobby.tournaments.views import list_tie_breaks
from lobby.views.tournament_access import for_viewers

_PER_MINUTE = 60  # files per minute and client network; each file is computed for its request

Writer = Callable[[Tournament, Field, tuple[Row, ...]], str]


@require_safe
@for_viewers
def results(request: HttpRequest, tournament: Tournament, form: str) -> HttpResponse:
    """Return the results as a file in one of the formats in `_FORMS`."""
    if form not in _FORMS or (form == "trf" and tournament.kind != Tournament.Kind.SWISS):
        raise Http404
    kind, _ = _FORMS[form]
    if not is_within_limit(_PER_MINUTE, "results", get_request_network(request)):
        detail = render_message(build_message("refused.many-at-once"))
        return render(request, "429.html", {"detail": detail}, status=429)
    answer = HttpResponse(write_results(tournament, form), content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{tournament.pk}.{form}"'
    if tournament.state != Tournament.State.OVER:
        return answer
    # The tag covers the text, because players can be renamed or hidden after the end.
    set_response_etag(answer)
    known = get_conditional_response(request, etag=answer.headers["ETag"])
    if known is not None:
        return HttpResponse(status=known.status_code, headers={"ETag": answer.headers["ETag"]})
    return answer


def write_results(tournament: Tournament, form: str) -> str:
    """Return the text of the results in one of the formats in `_FORMS`."""
    _, write = _FORMS[form]
    return write(tournament, get_field(tournament), compute_table(tournament))


def _trf(tournament: Tournament, field: Field, rows: tuple[Row, ...]) -> str:
    about = About(
        name=tournament.name,
        rounds=tournament.rounds,
        begins=(tournament.started_at or tournament.starts_at).date(),
        ends=tournament.ended_at.date() if tournament.ended_at else None,
        clock=tournament.clock,
    )
    return render_trf(about, field.entrants, field.games, {row.entry: row.rank for row in rows})


def _json(tournament: Tournament, field: Field, rows: tuple[Row, ...]) -> str:
    setup = tournament.setup
    about = {
        "id": tournament.pk,
        "url": tournament.get_absolute_url(),
        "game": setup.game,
        "clock": setup.clock or None,
        "rated": setup.rated,
        "state": tournament.state,
        "started_at": tournament.started_at,
        "ended_at": tournament.ended_at,
    }
    return json.encode(export.build_structure(_whole(tournament, field, rows), about)).decode()


def _csv(tournament: Tournament, field: Field, rows: tuple[Row, ...]) -> str:
    return export.render_csv(_whole(tournament, field, rows))


def _whole(tournament: Tournament, field: Field, rows: tuple[Row, ...]) -> export.Whole:
    return export.Whole(
        name=tournament.name,
        kind=tournament.kind,  # type: ignore[arg-type]  # a `Literal` of the same kinds
        rounds=tournament.rounds,
        tie_breaks=list_tie_breaks(tournament),
        entrants=field.entrants,
        games=field.games,
        rows=rows,
    )


_FORMS: Mapping[str, tuple[str, Writer]] = {
    "json": ("application/json", _json),
    "csv": ("text/csv; charset=utf-8", _csv),
    "trf": ("text/plain; charset=us-ascii", _trf),
}
"""The content type and the function that renders each format."""

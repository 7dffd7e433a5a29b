"""The page of a player in a tournament, and the page of a pairing.

The page of a player shows their games, and how points and tie-breaks are computed. The page of a
pairing explains the pairing.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.messages import build_message
from games.messages import render as render_message
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.explanation import Meeting, explain_pairing
from lobby.tournaments.field import Field, get_field, get_round_game
from lobby.tournaments.labels import (
    get_bye_label,
    get_tie_break_labels,
    render_points,
    render_score,
)
from lobby.tournaments.names import get_entry_name, is_hidden_in
from lobby.tournaments.pairing import arena
from lobby.tournaments.pairing.standings import Reckoning, explain_tie_breaks
from lobby.tournaments.pairing.tie_breaks import TieBreakPart
from lobby.tournaments.queries import count_complete_rounds, list_games
from lobby.tournaments.views import (
    StandingsRow,
    build_standings_table,
    list_tie_breaks,
    render_value,
)
from lobby.views.tournament_access import for_viewers

_BYES = (Pairing.Kind.BYE, Pairing.Kind.HALF_BYE, Pairing.Kind.ZERO_BYE)


@require_safe
@for_viewers
def card(request: HttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Show the games of one entry, and how its points and tie-breaks are computed."""
    found = Entry.objects.filter(pk=entry_id, tournament=tournament).select_related("player")
    entry = found.exclude(state=Entry.State.INVITED).first()
    row = _line(tournament, entry_id)
    if entry is None or row is None:
        raise Http404
    pairings = list_games(entry)
    field = get_field(tournament) if not tournament.is_arena else Field((), (), ())
    context = {
        "tournament": tournament,
        "row": row,
        "facts": _facts(tournament, entry, row),
        "player_url": ""
        if entry.player.closed_at or is_hidden_in(tournament, entry)
        else reverse("player", args=[entry.player.username]),
        "games": _games(tournament, entry, pairings),
        "has_parts": tournament.is_arena,
        "reckoned": _reckoned(tournament, entry, row, field, pairings),
    }
    return render(request, "lobby/tournament_card.html", context)


@require_safe
@for_viewers
def why(request: HttpRequest, tournament: Tournament, pairing_id: int) -> HttpResponse:
    """Explain why two players met, or why a player had a bye."""
    rows = Pairing.objects.filter(pk=pairing_id, tournament=tournament)
    pairing = rows.select_related("first__player", "second__player").first()
    if pairing is None:
        raise Http404
    # This tournament has its group loaded, which decides whether names are shown.
    pairing.tournament = tournament
    found = explain_pairing(pairing)
    is_hidden = any(is_hidden_in(tournament, each) for each in (pairing.first, pairing.second))
    code = "why.title" if pairing.second else "why.title-bye"
    context = {
        "tournament": tournament,
        "title": render_message(build_message(code)),
        "facts": _pairing_facts(tournament, pairing),
        "reasons": [render_message(reason) for reason in found.reasons],
        "sides": found.sides,
        "has_points": not tournament.is_arena,
        "meetings": [
            {"said": _meeting_said(each), "match": "" if is_hidden else each.match}
            for each in found.meetings
        ],
        "match": "" if is_hidden else pairing.match_id or "",
    }
    return render(request, "lobby/tournament_pairing.html", context)


def _pairing_facts(tournament: Tournament, pairing: Pairing) -> list[str]:
    names = [get_entry_name(tournament, each) for each in (pairing.first, pairing.second) if each]
    found = []
    if pairing.round:
        found.append(
            render_message(
                build_message(
                    "tournament.round",
                    number=pairing.round,
                    rounds=tournament.rounds or pairing.round,
                )
            )
        )
        found.append(render_message(build_message("why.board", number=pairing.board)))
    if len(names) == 2:
        found.append(render_message(build_message("match.against", one=names[0], other=names[1])))
    else:
        found += [names[0], get_bye_label(tournament, pairing)]
    return found


def _meeting_said(meeting: Meeting) -> str:
    if meeting.round:
        return render_message(build_message("why.meeting-round", number=meeting.round))
    return render_message(build_message("why.meeting-earlier"))


def _line(tournament: Tournament, entry_id: int) -> StandingsRow | None:
    return next(
        (row for row in build_standings_table(tournament).lines if row.entry == entry_id), None
    )


def _facts(tournament: Tournament, entry: Entry, row: StandingsRow) -> list[str]:
    found = []
    if tournament.started_at is not None:
        found.append(
            render_message(build_message("tournament-card.place", rank=row.rank, points=row.points))
        )
    if entry.rating is not None:
        found.append(
            render_message(build_message("tournament-card.rating", rating=round(entry.rating)))
        )
    if row.gone:
        found.append(render_message(build_message("tournament-card.gone")))
    return found


# -- the games


def _games(tournament: Tournament, entry: Entry, pairings: list[Pairing]) -> list[dict[str, Any]]:
    parts = _parts(entry, pairings) if tournament.is_arena else {}
    rows = [_game(tournament, entry, each, parts.get(each.pk, "")) for each in pairings]
    for at, row in enumerate(rows, 1):
        row["number"] = at if tournament.is_arena else row["number"]
    return rows[::-1] if tournament.is_arena else rows


def _game(tournament: Tournament, entry: Entry, pairing: Pairing, part: str) -> dict[str, Any]:
    is_first = pairing.first_id == entry.pk
    other = pairing.second if is_first else pairing.first
    is_bye = pairing.kind in _BYES
    score, seat = "", ""
    if pairing.ended_at is None:
        score = render_message(build_message("tournament.live"))
    elif is_bye:
        score = render_points(pairing.first_points) if pairing.first_points else ""
    else:
        mine, theirs = pairing.first_points, pairing.second_points
        score = render_score(mine, theirs) if is_first else render_score(theirs, mine)
        if pairing.kind == Pairing.Kind.FORFEIT:
            score = render_message(build_message("tournament.forfeit", score=score))
    if not is_bye:
        seat = render_message(
            build_message("tournament-card.first" if is_first else "tournament-card.second")
        )
    name = get_entry_name(tournament, other) if other else get_bye_label(tournament, pairing)
    is_hidden = any(is_hidden_in(tournament, each) for each in (pairing.first, pairing.second))
    return {
        "number": pairing.round,
        "opponent": other.pk if other else None,
        "name": name,
        "seat": seat,
        "score": score,
        "match": "" if is_hidden else pairing.match_id or "",
        "label": f"{name}: {score}",
        "part": part,
    }


def _parts(entry: Entry, pairings: list[Pairing]) -> dict[int, str]:
    """Return a dictionary that maps the ids of an entry's finished arena games to their points.

    The points are texts such as "4 (doubled)".
    """
    over = sorted(
        (each for each in pairings if each.ended_at is not None),
        key=lambda each: (each.ended_at, each.pk),
    )
    sheet = arena.compute_points(
        arena.get_results([get_round_game(each) for each in over]).get(entry.pk, [])
    )
    found = {}
    for pairing, points, doubled in zip(over, sheet.points, sheet.is_doubled, strict=True):
        code = "tournament-card.doubled" if doubled else "tournament-card.plain"
        found[pairing.pk] = render_message(build_message(code, points=points))
    return found


# -- how points and tie-breaks are computed


def _reckoned(
    tournament: Tournament, entry: Entry, row: StandingsRow, field: Field, pairings: list[Pairing]
) -> list[dict[str, str]]:
    if tournament.started_at is None or entry.seed is None:
        return []
    over = [each for each in pairings if each.ended_at is not None]
    points = {
        "label": render_message(build_message("standings-head.points")),
        "value": row.points,
        "how": render_message(build_message(f"tournament-rule.{tournament.kind}")),
        "parts": "" if tournament.is_arena else _sum(_own_points(entry, over), row.points),
    }
    if tournament.is_arena or not field.games:
        return [points]
    found = explain_tie_breaks(
        field.entrants,
        field.games,
        tournament.kind,  # type: ignore[arg-type]  # a `Literal` of the same kinds
        list_tie_breaks(tournament),
        entry.pk,
        count_complete_rounds(tournament),
    )
    names = {each.entry: each.name for each in field.entrants}
    return [points, *(_explained(each, names) for each in found)]


def _own_points(entry: Entry, over: list[Pairing]) -> list[str]:
    own = (each.first_points if each.first_id == entry.pk else each.second_points for each in over)
    return [render_points(points or 0) for points in own]


def _explained(found: Reckoning, names: dict[int, str]) -> dict[str, str]:
    label, how = get_tie_break_labels(found.tie_break)
    total = render_value(found.total)
    parts = [_part(each, names) for each in found.parts]
    return {"label": label, "value": total, "how": how, "parts": _sum(parts, total)}


def _part(part: TieBreakPart, names: dict[int, str]) -> str:
    """Return a term of a sum with its source, such as "2½ (Anna)"."""
    value = render_value(part.value)
    name = names.get(part.opponent, "") if part.opponent is not None else ""
    said = f"{value} ({name})" if name else value
    return render_message(build_message("tournament-card.cut", part=said)) if part.is_cut else said


def _sum(parts: list[str], total: str) -> str:
    return f"{' + '.join(parts)} = {total}" if parts else ""

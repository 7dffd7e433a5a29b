"""The page of a tournament."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from msgspec import to_builtins

from games.messages import build_message, render
from games.messages.refusal import Refused
from lobby.live.tournaments import TOP, TournamentSnapshot, build_whole_frame, read_tournament
from lobby.live.tv import get_board_context
from lobby.models import Entry, Pairing, Player, Tournament
from lobby.tournaments.arena import get_first_move_time
from lobby.tournaments.labels import (
    get_kind_labels,
    get_players_label,
    get_state_label,
    get_tie_break_labels,
    is_starting,
    list_facts,
)
from lobby.tournaments.late_entry import is_invited_late
from lobby.tournaments.locking import can_manage, get_log
from lobby.tournaments.names import (
    get_entry_name,
    get_hidden_entries,
    get_organiser_name,
    render_log,
)
from lobby.tournaments.pairing.knockout import is_still_playing
from lobby.tournaments.queries import get_entry
from lobby.tournaments.registration import (
    MOST_BYES,
    must_be_able_to_rejoin,
    must_be_eligible,
)
from lobby.tournaments.states import Act, is_allowed, is_left_for_good
from lobby.tournaments.views import (
    HEADS,
    StandingsRow,
    get_next_event,
    list_headings,
    list_tie_breaks,
)
from lobby.views.tournament_access import viewer
from lobby.views.tournament_director import build_director
from lobby.views.tournament_rows import (
    Bracket,
    build_crosstable_context,
    build_last_games,
    build_round,
    build_stages,
    get_bracket,
)

State, Kind, Registration = Tournament.State, Tournament.Kind, Tournament.Registration

_MOST_DIGITS = 6  # for numbers in the query string
_STANDINGS: dict[str, str] = {State.RUNNING: "now", State.OVER: "final"}
_ON_STEP = 6  # the maximum number of players who are named on a step of the podium


def context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return the template context. Raise `ValueError` if the query string is invalid."""
    player = viewer(request)
    entry = get_entry(tournament, player)
    shown = read_tournament(tournament)
    state = get_state_label(tournament)
    bracket = get_bracket(tournament)
    pairs = _pairs(request, tournament, entry)
    return {
        "tournament": tournament,
        "series": tournament.series,
        "group": tournament.group,
        "facts": _facts(tournament, shown),
        "rules": rules_of(tournament),
        "arena_here": describe_arena(shown),
        "state_said": state,
        "stage": shown.stage,
        "said": f"{state}. {pairs['title']}" if pairs else state,
        "next": next_said(tournament),
        "own": _own(request, tournament, player, entry, shown, bracket),
        "podium": podium(shown.lines) if tournament.state == State.OVER else (),
        "boards": [get_board_context(board) for board in shown.boards.values()],
        "pairs": pairs,
        "bracket": build_stages(tournament, bracket),
        "standing": _standing(request, tournament, entry, shown),
        "cross": build_crosstable_context(tournament),
        "director": build_director(request, tournament, shown)
        if can_manage(player, tournament)
        else None,
        "numbered": _numbered(tournament) if can_manage(player, tournament) else [],
        "log": _log(request, tournament),
        "exports": exports_of(tournament),
        "frame": to_builtins(build_whole_frame(shown), str_keys=True),
    }


def podium(lines: Sequence[StandingsRow]) -> list[dict[str, Any]]:
    """Return a step of the podium for each of the first three ranks that occur.

    Players who share a place stand on the same step.
    """
    steps: dict[int, list[StandingsRow]] = {}
    for line in lines:
        if line.rank <= 3:
            steps.setdefault(line.rank, []).append(line)
    return [
        {"rank": rank, "rows": rows[:_ON_STEP], "more": len(rows[_ON_STEP:])}
        for rank, rows in sorted(steps.items())
    ]


def number(request: HttpRequest, name: str) -> int | None:
    """Return the number called `name` in the query string, or None if it is missing.

    Raise `ValueError` if it is invalid.
    """
    text = request.GET.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise ValueError(name)
    return int(text)


def next_said(tournament: Tournament) -> dict[str, Any] | None:
    """Return the next scheduled event and its time, or None if there is none or it is due."""
    found = get_next_event(tournament)
    if found is None or is_starting(tournament):
        return None
    code, at = found
    said = render(build_message(f"tournament-next.{code}"))
    return {"said": said, "at": at, "until": int(at.timestamp())}


def rules_of(tournament: Tournament) -> list[str]:
    """Return the rules of the tournament as sentences."""
    found = [
        get_kind_labels(tournament.kind)[1],
        render(build_message(f"tournament-rule.{tournament.kind}")),
    ]
    if tournament.kind == Kind.SWISS:
        found.append(render(build_message("tournament-rule.byes", most=MOST_BYES)))
    if tournament.admits_bots:
        found.append(render(build_message("tournament-rule.bots")))
    if tournament.is_arena:
        seconds = int(get_first_move_time(tournament).total_seconds())
        found.append(render(build_message("tournament-rule.late-arena", count=seconds)))
    else:
        found.append(render(build_message("tournament-rule.late", count=tournament.late_minutes)))
    if tournament.round_minutes:
        found.append(render(build_message("tournament-rule.time", count=tournament.round_minutes)))
    for code in list_tie_breaks(tournament):
        label, how = get_tie_break_labels(code)
        found.append(f"{label}: {how}")
    return found


def describe_arena(shown: TournamentSnapshot) -> str:
    """Return how many players of an arena are present and, if nobody is paired, the reason.

    Return "" for other tournaments, and for an arena that is over.
    """
    if shown.arena is None:
        return ""
    counts = build_message("arena.here", entered=shown.arena.entered, here=shown.arena.here)
    return " ".join(render(each) for each in (counts, shown.arena.why) if each)


def exports_of(tournament: Tournament) -> list[dict[str, str]]:
    """Return the links to the files of results."""
    kinds = ["json", "csv", *(["trf"] if tournament.kind == Kind.SWISS else [])]
    names = {"json": "JSON", "csv": "CSV", "trf": "TRF16"}
    url = tournament.get_absolute_url()
    return [{"name": names[kind], "url": f"{url}results.{kind}"} for kind in kinds]


def _facts(tournament: Tournament, shown: TournamentSnapshot) -> list[dict[str, str]]:
    found = [{"said": each} for each in list_facts(tournament)]
    # A script updates this fact.
    found.append({"said": get_players_label(shown.players), "kind": "players"})
    if organiser := get_organiser_name(tournament):
        found.append({"said": render(build_message("tournament.run-by", name=organiser))})
    return found


# -- the games of a round


def _pairs(
    request: HttpRequest, tournament: Tournament, entry: Entry | None
) -> dict[str, Any] | None:
    asked, first = number(request, "round"), number(request, "board")
    if tournament.is_arena:
        return build_last_games(tournament, entry) if tournament.pairings else None
    if not tournament.round:
        return None
    which = tournament.round if asked is None else asked
    if not 1 <= which <= tournament.round:
        raise ValueError("round")
    return build_round(tournament, which, first or 1, entry)


# -- the standings


def _standing(
    request: HttpRequest, tournament: Tournament, entry: Entry | None, shown: TournamentSnapshot
) -> dict[str, Any]:
    first = number(request, "place") or 1
    here = shown.lines[first - 1 : first - 1 + TOP]
    own = next((at for at, row in enumerate(shown.lines) if entry and row.entry == entry.pk), None)
    is_over = tournament.state in (State.OVER, State.CALLED_OFF)
    code = _STANDINGS.get(tournament.state, "players")
    last = first - 1 + TOP
    return {
        "title": render(build_message(f"standings.{code}")),
        "count": shown.players or "",
        "rows": here,
        "points_head": render(build_message("standings-head.points"))
        if tournament.started_at
        else "",
        "heads": [_head(each) for each in list_headings(tournament)],
        "follows": first == 1 and not is_over,
        "next": last + 1 if len(shown.lines) > last else None,
        "is_further": first > 1,
        "mine": max(1, own - 3) if own is not None and not first - 1 <= own < last else None,
    }


def _head(code: str) -> str:
    return (
        render(build_message(f"standings-head.{code}"))
        if code in HEADS
        else get_tie_break_labels(code)[0]
    )


# -- actions of the viewer


def _own(
    request: HttpRequest,
    tournament: Tournament,
    player: Player | None,
    entry: Entry | None,
    shown: TournamentSnapshot,
    bracket: Bracket,
) -> dict[str, Any]:
    own: dict[str, Any] = {"entry": "", "is_shown": True}
    if entry is not None and entry.is_in:
        own |= _taking_part(tournament, entry, shown, bracket)
    else:
        own |= _outside(tournament, player, entry)
        own["code"] = request.GET.get("code", "")[:40]
    if entry is not None:
        own["entry"] = entry.pk
        own["game"] = _game(entry)
    own["is_shown"] = any(own.get(key) for key in ("game", "said", "why", "may_register"))
    return own


def _taking_part(
    tournament: Tournament, entry: Entry, shown: TournamentSnapshot, bracket: Bracket
) -> dict[str, Any]:
    line = next((row for row in shown.lines if row.entry == entry.pk), None)
    byes, rounds = entry.bye_rounds, range(tournament.round + 1, tournament.rounds)
    may_ask = tournament.kind == Kind.SWISS and is_allowed(tournament, Act.ASK_BYE)
    asks = may_ask and len(byes) < MOST_BYES
    left = [each for each in rounds if each not in byes] if asks else []
    is_out = bool(bracket.slots) and not is_still_playing(bracket.slots, entry.pk)
    return {
        "said": _place_said(tournament, entry, line, is_out),
        "card": f"player/{entry.pk}/" if tournament.started_at else "",
        "may_check_in": is_allowed(tournament, Act.CHECK_IN) and entry.checked_in_at is None,
        "may_ask_bye": bool(left),
        "bye_rounds": left,
        "byes": [each for each in byes if each > tournament.round] if may_ask else [],
        "may_withdraw": not is_out
        and (is_allowed(tournament, Act.LEAVE) or is_allowed(tournament, Act.WITHDRAW)),
        "may_return": not is_left_for_good(tournament),
    }


def _place_said(
    tournament: Tournament, entry: Entry, line: StandingsRow | None, is_out: bool
) -> str:
    if tournament.started_at is None or line is None:
        if tournament.state == State.CHECK_IN:
            code = "tournament-own.here" if entry.checked_in_at else "tournament-own.check-in"
            return render(build_message(code))
        return render(build_message("tournament-own.in"))
    if tournament.state == State.OVER:
        return render(build_message("tournament-own.final", rank=line.rank, points=line.points))
    if is_out:
        return render(build_message("tournament-own.out", rank=line.rank, points=line.points))
    if entry.playing_id is None and not tournament.is_paused:
        code = "tournament-own.waits-arena" if tournament.is_arena else "tournament-own.waits"
        return render(build_message(code, rank=line.rank, points=line.points))
    return render(build_message("tournament-own.place", rank=line.rank, points=line.points))


def _game(entry: Entry) -> dict[str, Any] | None:
    """Return the game that the viewer is playing now, or None."""
    if entry.playing_id is None:
        return None
    rows = Pairing.objects.filter(pk=entry.playing_id, match__isnull=False)
    pairing = rows.select_related("first__player", "second__player", "tournament__group").first()
    if pairing is None or pairing.second is None:
        return None
    other = pairing.second if pairing.first_id == entry.pk else pairing.first
    url = f"/match/{pairing.match_id}/"
    return {
        "match": pairing.match_id,
        "url": url,
        "opponent": get_entry_name(pairing.tournament, other),
    }


def _outside(tournament: Tournament, player: Player | None, entry: Entry | None) -> dict[str, Any]:
    """Return the template context for a viewer who does not take part.

    It says whether the viewer can join, and the reason if not. It is empty if nobody can join now.
    """
    is_invited = entry is not None and entry.state == Entry.State.INVITED
    comes_back = entry is not None and entry.state == Entry.State.WITHDRAWN
    act = Act.COME_BACK if comes_back and tournament.state == State.RUNNING else Act.JOIN
    if not is_allowed(tournament, act) and not is_invited_late(tournament, entry):
        return {}
    if act == Act.COME_BACK and entry is not None:
        try:
            must_be_able_to_rejoin(tournament, entry)
        except Refused as refusal:
            return {"why": render(refusal.words)}
    if player is None:
        needs_account = not tournament.guests
        why = render(build_message("refused.event-account")) if needs_account else ""
    else:
        why = _why_not(player, tournament, entry)
        needs_account = player.is_guest and not tournament.guests
    has_code = tournament.registration == Registration.CODE and entry is None
    return {
        "may_register": not why,
        "why": why,
        "needs_account": needs_account,
        "asks_code": has_code,
        "comes_back": comes_back,
        "is_invited": is_invited,
    }


def _why_not(player: Player, tournament: Tournament, entry: Entry | None) -> str:
    try:
        must_be_eligible(player, tournament, entry)
    except Refused as refusal:
        return render(refusal.words)
    return ""


def _numbered(tournament: Tournament) -> list[str]:
    """Return the displayed names of protected players, for the organiser."""
    return list(get_hidden_entries(tournament).values())


# -- the log


def _log(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    before = number(request, "log")
    lines, following = get_log(tournament.pk, before)
    return {
        "lines": [
            {"at": line.at, "said": render(said), "by": by}
            for line, (said, by) in zip(lines, render_log(tournament, lines), strict=True)
        ],
        "next": following,
        "is_open": before is not None,
    }

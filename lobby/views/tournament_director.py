"""The organiser's bar on the page of a tournament, with the items that need attention."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from games.messages import build_message, render
from games.models import Attendance
from lobby.groups.codes import format_code
from lobby.groups.membership import list_visible_members
from lobby.live.tournaments import TournamentSnapshot
from lobby.models import Entry, Pairing, Round, Tournament
from lobby.tournaments.class_tournament import estimate_end
from lobby.tournaments.labels import get_players_label, get_state_label, is_starting
from lobby.tournaments.names import get_entry_name
from lobby.tournaments.queries import list_live_games
from lobby.tournaments.states import Act, is_allowed

State, Kind, Registration = Tournament.State, Tournament.Kind, Tournament.Registration

SIMPLE = (
    ("start", Act.START, "", "tournament-doing.start"),
    ("resume", Act.PAUSE, "", "tournament-doing.resume"),
    ("pause", Act.PAUSE, "", "tournament-doing.pause"),
    ("end", Act.END, "tournament-ask.end", "tournament-doing.end"),
    ("call-off", Act.CALL_OFF, "tournament-ask.call-off", "tournament-doing.call-off"),
)
"""The actions without parameters: name, permission, question, and the text of the button while the
action is running."""

_WAITING = 20  # the maximum number of games or players in a list


def build_director(
    request: HttpRequest, tournament: Tournament, shown: TournamentSnapshot
) -> dict[str, Any] | None:
    """Return the context of the organiser's bar, or None if no action is possible any more."""
    live = list_live_games(tournament) if is_allowed(tournament, Act.FORFEIT) else []
    invites = tournament.registration == Registration.INVITATION and is_allowed(
        tournament, Act.INVITE
    )
    is_late = is_allowed(tournament, Act.ADD_LATE)
    there = [row for row in shown.lines if not row.gone]
    playing = {each.first_id for each in live} | {each.second_id for each in live}
    missed = tournament.round if is_late and tournament.kind == Kind.SWISS else 0
    code = (tournament.code or "") if is_allowed(tournament, Act.JOIN) else ""
    may_add = invites or (is_late and _has_room_for_late_players(tournament))
    add = "late" if is_late else "invite"
    director = {
        "status": _get_status(tournament, shown, live),
        "missing": render(build_message("director.missing", count=len(live)))
        if live and not tournament.is_arena
        else "",
        "close_round": _get_round_to_close(tournament, live),
        "expected_end": estimate_end(tournament, timezone.now())
        if tournament.state == State.RUNNING
        else None,
        "simple": _list_simple_actions(tournament),
        "code": format_code(code) if code else "",
        "has_new_code": tournament.registration == Registration.CODE
        and is_allowed(tournament, Act.JOIN),
        "link": request.build_absolute_uri(f"{tournament.get_absolute_url()}?code={code}"),
        "display": f"{tournament.get_absolute_url()}?display",
        "may_change": is_allowed(tournament, Act.EDIT),
        "may_add": may_add,
        "add_label": render(build_message(f"tournament-do.{add}")),
        "add_names": _list_addable_names(tournament, request.user.pk) if may_add else [],
        "half_points": [(each, _halves(each)) for each in range(missed, -1, -1)] if missed else [],
        "players": there if is_allowed(tournament, Act.REMOVE) else [],
        "live": [row for row in there if row.entry in playing],
        "waiting": _list_waiting(tournament, live),
    }
    return director if any(director[each] for each in ("simple", "may_change", "may_add")) else None


def _list_simple_actions(tournament: Tournament) -> list[dict[str, str]]:
    unfit = "pause" if tournament.is_paused else "resume"
    return [
        {
            "name": name,
            "label": render(build_message(f"tournament-do.{name}")),
            "asks": render(build_message(asks)) if asks else "",
            "doing": render(build_message(doing)),
        }
        for name, act, asks, doing in SIMPLE
        if is_allowed(tournament, act)
        and name != unfit
        and not (act == Act.START and is_starting(tournament))
    ]


def _get_status(tournament: Tournament, shown: TournamentSnapshot, live: Sequence[Pairing]) -> str:
    """Return the current activity of the tournament in a few words."""
    if tournament.state == State.CHECK_IN and not is_starting(tournament):
        here = sum(row.here for row in shown.lines)
        return render(build_message("director.checked-in", here=here, count=shown.players))
    if tournament.state != State.RUNNING or tournament.is_paused or tournament.is_arena:
        return f"{get_state_label(tournament)} · {get_players_label(shown.players)}"
    if live and _is_closed(tournament):
        return render(build_message("director.deciding"))
    if live or (tournament.round and tournament.kind == Kind.KNOCKOUT):
        number, rounds = tournament.round, tournament.rounds
        return render(build_message("tournament.round", number=number, rounds=rounds))
    if tournament.round >= tournament.rounds:
        return render(build_message("director.ending"))
    return render(build_message("director.pairing", number=tournament.round + 1))


def _get_round_to_close(tournament: Tournament, live: Sequence[Pairing]) -> dict[str, Any] | None:
    """Return the context of the button that ends the time of the round.

    Return None if the button would change nothing.
    """
    if not is_allowed(tournament, Act.CLOSE_ROUND) or tournament.is_paused:
        return None
    if _is_closed(tournament) or not (live or tournament.pace == Tournament.Pace.TIMED):
        return None
    is_last = tournament.round >= tournament.rounds
    code = "tournament-do.last-round" if is_last else "tournament-do.close-round"
    asks = build_message("director.ask-close", count=len(live)) if live else None
    return {
        "number": tournament.round,
        "label": render(build_message(code)),
        "asks": render(asks) if asks else "",
        "doing": render(
            build_message("director.ending")
            if is_last
            else build_message("director.pairing", number=tournament.round + 1)
        ),
    }


def _is_closed(tournament: Tournament) -> bool:
    rows = Round.objects.filter(tournament=tournament, number=tournament.round)
    return rows.filter(ends_at__lte=timezone.now()).exists()


def _has_room_for_late_players(tournament: Tournament) -> bool:
    """Return whether a late player can enter.

    A Swiss and an arena accept new players. Other kinds only take back players who have left.
    """
    if tournament.kind in (Kind.SWISS, Kind.ARENA):
        return True
    gone = Entry.objects.filter(tournament=tournament, state=Entry.State.WITHDRAWN)
    return gone.filter(seed__isnull=False).exists()


def _list_addable_names(tournament: Tournament, viewer_id: int | None) -> list[str]:
    """Return the names of visible members of the tournament's group who do not take part.

    Return no names for a kind that accepts no new players.
    """
    if tournament.group is None or tournament.kind not in (Kind.SWISS, Kind.ARENA):
        return []
    taking_part = set(
        Entry.objects.filter(tournament=tournament, state=Entry.State.IN).values_list(
            "player", flat=True
        )
    )
    return [
        each.player.name
        for each in list_visible_members(tournament.group, viewer_id)
        if each.player_id not in taking_part
        and not each.is_hidden
        and each.player.is_active
        and (tournament.admits_bots or not each.player.is_bot)
    ]


def _halves(count: int) -> str:
    """Return the label of a choice: `count` half points for a late player."""
    if not count:
        return render(build_message("tournament.no-half-points"))
    return render(build_message("tournament.half-points", count=count))


# -- items that are waiting for the organiser


def _list_waiting(tournament: Tournament, live: Sequence[Pairing]) -> dict[str, Any]:
    games = [] if tournament.is_arena else _list_missing_results(tournament, live)
    entries = Entry.objects.filter(tournament=tournament).select_related("player")
    invited, unseen = [], []
    if tournament.state not in (State.OVER, State.CALLED_OFF):
        rows = entries.filter(state=Entry.State.INVITED).order_by("-pk")[:_WAITING]
        invited = [get_entry_name(tournament, each) for each in rows]
    if tournament.state == State.CHECK_IN:
        rows = entries.filter(state=Entry.State.IN, checked_in_at=None).order_by("pk")[:_WAITING]
        unseen = [get_entry_name(tournament, each) for each in rows]
    return {
        "games": games[:_WAITING],
        "more": len(games[_WAITING:]),
        "invited": invited,
        "not_checked_in": unseen,
        "is_any": bool(games or invited or unseen),
    }


def _list_missing_results(tournament: Tournament, live: Sequence[Pairing]) -> list[dict[str, Any]]:
    """Return the live games, first those with a player who has not arrived."""
    seen: dict[str, list[bool]] = {}
    rows = Attendance.objects.filter(match__in=[each.match_id for each in live if each.match_id])
    for match_id, first_at, second_at in rows.values_list("match", "first_at", "second_at"):
        there = seen.setdefault(match_id, [False, False])
        there[0] |= first_at is not None
        there[1] |= second_at is not None
    found = []
    for each in live:
        assert each.second is not None  # a bye is never live
        there = seen.get(each.match_id or "", [False, False])
        sides = [
            {"name": get_entry_name(tournament, entry), "bit": bit, "is_there": is_there}
            for entry, bit, is_there in zip((each.first, each.second), (1, 2), there, strict=True)
        ]
        missing = [str(side["name"]) for side in sides if not side["is_there"]]
        found.append(
            {
                "pairing": each.pk,
                "board": each.board,
                "match": each.match_id,
                "sides": sides,
                "said": _get_absence(missing),
                "since": each.made_at,
                "is_missing": bool(missing),
            }
        )
    found.sort(key=lambda row: not row["is_missing"])
    return found


def _get_absence(missing: Sequence[str]) -> str:
    if len(missing) == 2:
        return render(build_message("director.nobody-there"))
    return render(build_message("director.not-there", name=missing[0])) if missing else ""

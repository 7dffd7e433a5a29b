"""The contents of the review's pages about a match and about a player."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Count, F, Q
from django.utils import timezone

from games.boards import BOARDS
from games.engine.replay import stepping
from games.match.outcome import outcome, told
from games.match.state import MatchState
from games.models import Case, Connection, Decision, Match, Sign
from games.review.charts import connected, duration, presence, think_times
from games.review.decisions import number_of, reversible
from games.review.lists import of_players
from games.review.signs import MEANINGS
from games.store.proof import faults
from games.store.records import Record, as_json
from games.words import say

_OTHERS = 10  # other matches listed


def match_page(record: Record, match: Match, asked_ply: str) -> dict[str, Any]:
    """Everything that staff see of a match. Never fails, whatever was done to what is stored."""
    state, moves = record.state, record.moves
    names = (str(match.first), str(match.second))
    now = timezone.now()
    connections = list(Connection.objects.filter(match=state.id).order_by("opened_at")[:500])
    known = state.game in BOARDS
    roles = state.rules.roles if known else ("first", "second")
    return {
        "match": match,
        "state": state,
        "names": names,
        "people": [
            {"pk": pk, "name": name, "role": role, **record_of(pk)}
            for pk, name, role in zip((state.first_id, state.second_id), names, roles, strict=True)
        ],
        "verdict": how_it_ended(state, names) if known else "",
        "faults": faults(record.state, moves),
        "game": state.rules if known else None,
        **(stepping(record, asked_ply, live_too=True) if known else {}),
        "stored": [
            {
                "number": move.ply + 1,
                "role": move.role,
                "words": say(BOARDS[state.game].say(move.action)) if known else move.action,
                "action": move.action,
                "at": move.at,
                "spent": duration(move.spent_ms),
            }
            for move in moves
        ],
        "think_times": think_times(state, moves, names) if known else None,
        "presence": presence(state, moves, connections, now) if known else None,
        "connections": [
            {"name": names[each.seat], "words": connected(each), "address": each.address[:6]}
            for each in connections
        ],
        "between": between(state.first_id, state.second_id, state.id),
        "signs": signs(Sign.objects.filter(match=state.id)),
        "cases": Case.objects.filter(match=state.id).prefetch_related("reports__by"),
        "decisions": decisions(Decision.objects.filter(match=state.id)),
        "seen": number_of(match_id=state.id),
        "seen_of": {pk: number_of(player_id=pk) for pk in (state.first_id, state.second_id)},
    }


def how_it_ended(state: MatchState, names: tuple[str, str]) -> str:
    """How the match ended, with the points of both of 100, for staff; "" while it is live."""
    found = outcome(state)
    if found is None:
        return ""
    ended = say(told(found, dict(zip(state.rules.roles, names, strict=True))))
    return ended if state.goals is None else f"{ended} ({state.first_goal}:{state.second_goal})"


def whole_record(found: Record, match: Match) -> dict[str, Any]:
    """Everything that is stored of a match, for a file. Times in seconds since 1970."""
    return {
        **as_json(found, (str(match.first), str(match.second))),
        "chain": found.state.chain,
        "faults": [{"ply": f.ply, "words": f.words} for f in faults(found.state, found.moves)],
        "connections": [
            {
                "seat": each.seat,
                "server": each.server,
                "address": each.address,
                "opened_at": each.opened_at.timestamp(),
                "seen_at": each.seen_at.timestamp(),
                "closed_at": each.closed_at.timestamp() if each.closed_at else None,
            }
            for each in match.connections.all()
        ],
        "decisions": [
            {
                "id": each.pk,
                "number": each.number,
                "kind": each.kind,
                "summary": each.summary,
                "reason": each.reason,
                "by": str(each.by),
                "at": each.at.timestamp(),
                "reverses": each.reverses_id,
            }
            for each in match.decisions.select_related("by")
        ],
    }


def player_page(player: Any) -> dict[str, Any]:
    """Everything that staff see of a player."""
    mine = Match.objects.filter(of_players([player.pk])).select_related("first", "second")
    return {
        "player": player,
        "people": [{"pk": player.pk, "name": str(player), **record_of(player.pk)}],
        "matches": mine.order_by("-created_at")[:50],
        "signs": signs(Sign.objects.filter(player=player)),
        "cases": Case.objects.filter(player=player).prefetch_related("reports__by"),
        "decisions": decisions(Decision.objects.filter(player=player)),
        "seen_of": {player.pk: number_of(player_id=player.pk)},
    }


def record_of(player_id: int) -> dict[str, int]:
    """How many matches a player has won, drawn, lost and aborted, of all that count."""
    total = {"won": 0, "drawn": 0, "lost": 0, "aborted": 0, "live": 0}
    over = Q(status="over") & ~Q(ended="voided")
    for seat, own, other in (
        ("first", "first_goal", "second_goal"),
        ("second", "second_goal", "first_goal"),
    ):
        found = Match.objects.filter(**{seat: player_id}).aggregate(
            won=Count("pk", filter=over & Q(**{f"{own}__gt": F(other)})),
            drawn=Count("pk", filter=over & Q(**{own: F(other)})),
            lost=Count("pk", filter=over & Q(**{f"{own}__lt": F(other)})),
            aborted=Count("pk", filter=Q(status="aborted")),
            live=Count("pk", filter=Q(status="live")),
        )
        for key, number in found.items():
            total[key] += number
    return total


def between(first_id: int, second_id: int, but: str) -> dict[str, Any]:
    """The other matches of the same two, and how many each of them won."""
    two = (first_id, second_id)
    both = Match.objects.filter(first__in=two, second__in=two).exclude(pk=but)
    won = [0, 0, 0]
    over = both.filter(status="over").exclude(ended="voided")
    for first, one, other in over.values_list("first", "first_goal", "second_goal"):
        if one == other:
            won[2] += 1
        else:
            won[two.index(first) if (one or 0) > (other or 0) else 1 - two.index(first)] += 1
    last = both.select_related("first", "second").order_by("-created_at")[:_OTHERS]
    return {"first": won[0], "second": won[1], "drawn": won[2], "matches": last}


def signs(found: Any) -> list[dict[str, Any]]:
    """Signs, each with what it may mean."""
    return [
        {"sign": sign, "meaning": MEANINGS[Sign.Kind(sign.kind)]}
        for sign in found.select_related("player", "seen_by")[:50]
    ]


def decisions(found: Any) -> list[dict[str, Any]]:
    """Decisions, newest first, each with whether it can be reversed."""
    rows = found.select_related("by", "player", "reversed_by").order_by("-at", "-pk")[:50]
    return [{"decision": each, "reversible": reversible(each)} for each in rows]


def player_or_none(player_id: int) -> Any:
    """The player, or None."""
    return get_user_model()._default_manager.filter(pk=player_id).first()

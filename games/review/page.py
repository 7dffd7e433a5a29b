"""The context of the review's pages about a match and a player.

A match can also be rendered as one picture, or serialized for a file.
"""

from functools import cache
from html import escape
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from django.db.models import Count, F, Q
from django.utils import timezone

from games.boards import BOARDS
from games.boards.drawing import draw
from games.engine.replay import build_replay_context
from games.match.outcome import get_outcome, get_outcome_for
from games.match.state import MatchState
from games.messages import get_game_name, render
from games.models import Case, Connection, Decision, Match, Sign
from games.review import computer
from games.review.charts import build_presence, build_think_times, connected, duration
from games.review.decisions import get_number, get_reversible
from games.review.handling import list_notes, list_open_appeals
from games.review.lists import build_players_filter
from games.review.player_search import list_keys
from games.review.signs import MEANINGS
from games.store.proof import find_faults, replay_moves
from games.store.records import MatchRecord, serialize_record

# The maximum number of matches listed between two players, and of appeals listed for a player.
_OTHERS = 10
_COUNTED = 1000  # the maximum number of finished matches between two players that are counted


def build_game_context(record: MatchRecord, match: Match, asked_ply: str) -> dict[str, Any]:
    """Return a match's board, moves, proof and verdicts for moderators.

    The context can be built even if the stored rows were tampered with.
    """
    state, moves = record.state, record.moves
    names = (str(match.first), str(match.second))
    known = state.game in BOARDS
    found = computer.get_verdicts(record) if known else computer.NOTHING
    steps = (
        build_replay_context(record, asked_ply, live_too=True, verdicts=found.verdicts)
        if known
        else {}
    )
    made = steps["moves"] if known else []
    sitting = dict(zip(state.rules.roles, names, strict=True)) if known else {}
    return {
        "match": match,
        "state": state,
        "names": names,
        "seats": list_seats(record, names),
        "verdict": describe_end(state, names) if known else "",
        "faults": find_faults(state, moves),
        "game": state.rules if known else None,
        "game_name": get_game_name(state.game) if known else state.game,
        **steps,
        "stored": [
            {
                "number": move.ply + 1,
                # The mark of an illegal move is unknown.
                "mark": made[index].mark if index < len(made) else "",
                "name": sitting.get(move.role, move.role),
                "words": render(BOARDS[state.game].say(move.action)) if known else move.action,
                "verdict": found.verdicts[index] if index < len(found.verdicts) else None,
                "at": move.at,
                "spent": duration(move.spent_ms),
            }
            for index, move in enumerate(moves)
        ],
        "analysis": found,
        "agreement": computer.compute_agreement(record, found, names),
        "think_times": build_think_times(state, moves, names) if known else None,
        "seen": get_number(match_id=state.id),
        "seen_of": {pk: get_number(player_id=pk) for pk in (state.first_id, state.second_id)},
    }


def build_match_context(record: MatchRecord, match: Match, asked_ply: str) -> dict[str, Any]:
    """Return the context of a match's page for moderators, even if the match was tampered with."""
    state, moves = record.state, record.moves
    whole = build_game_context(record, match, asked_ply)
    names = whole["names"]
    connections = list(Connection.objects.filter(match=state.id).order_by("opened_at")[:500])
    known = state.game in BOARDS
    return whole | {
        "people": [seat | count_results(seat["pk"]) for seat in whole["seats"]],
        "presence": build_presence(state, moves, connections, timezone.now()) if known else None,
        "connections": [
            {"name": names[each.seat], "words": connected(each), "address": each.address}
            for each in connections
        ],
        "between": get_matches_between(state.first_id, state.second_id, state.id),
        "signs": list_signs(Sign.objects.filter(match=state.id)),
        "cases": list_cases(Case.objects.filter(match=state.id)),
        "decisions": list_decisions(Decision.objects.filter(match=state.id)),
    }


def list_seats(record: MatchRecord, names: tuple[str, str]) -> list[dict[str, Any]]:
    """Return both players' ids, names and marks (crosses, stones)."""
    state = record.state
    marks = ("", "")
    if state.game in BOARDS:
        board, position = BOARDS[state.game], replay_moves(state, record.moves).positions[-1]
        one, other = state.rules.roles
        marks = (board.badge(position, one), board.badge(position, other))
    both = zip((state.first_id, state.second_id), names, marks, strict=True)
    return [{"pk": pk, "name": name, "mark": mark} for pk, name, mark in both]


def describe_end(state: MatchState, names: tuple[str, str]) -> str:
    """Describe how the match ended, with both players' points; "" while it is live."""
    found = get_outcome(state)
    if found is None:
        return ""
    ended = render(get_outcome_for(found, dict(zip(state.rules.roles, names, strict=True))))
    return ended if state.goals is None else f"{ended} ({state.first_goal}:{state.second_goal})"


def serialize_whole_record(found: MatchRecord, match: Match) -> dict[str, Any]:
    """Return a match with its moves, faults, connections and decisions, for a file.

    Times are seconds since 1970.
    """
    return {
        **serialize_record(found, (str(match.first), str(match.second))),
        "chain": found.state.chain,
        "faults": [{"ply": f.ply, "words": f.words} for f in find_faults(found.state, found.moves)],
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


def build_player_context(player: Any) -> dict[str, Any]:
    """Return the context of a player's page for moderators."""
    mine = Match.objects.filter(build_players_filter([player.pk])).select_related("first", "second")
    return {
        "player": player,
        "people": [{"pk": player.pk, "name": str(player), **count_results(player.pk)}],
        "matches": mine.order_by("-created_at")[:50],
        "signs": list_signs(Sign.objects.filter(player=player)),
        "cases": list_cases(Case.objects.filter(player=player)),
        "decisions": list_decisions(Decision.objects.filter(player=player)),
        "notes": list_notes(player.pk),
        "seen_of": {player.pk: get_number(player_id=player.pk)},
        "keys": list_keys(player.pk),
        "appeals": list_open_appeals(_OTHERS, player.pk),
    }


def count_results(player_id: int) -> dict[str, int]:
    """Count a player's matches by outcome, without voided ones."""
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


def get_matches_between(first_id: int, second_id: int, but: str) -> dict[str, Any]:
    """Return the newest other matches of the same two players, and how many each player won.

    Of the finished matches, the newest `_COUNTED` are counted.
    """
    two = (first_id, second_id)
    both = Match.objects.filter(first__in=two, second__in=two).exclude(pk=but)
    won = [0, 0, 0]
    over = both.filter(status="over").exclude(ended="voided")
    rows = over.order_by("-created_at").values_list("first", "first_goal", "second_goal")
    for first, one, other in rows[:_COUNTED]:
        if one == other:
            won[2] += 1
        else:
            won[two.index(first) if (one or 0) > (other or 0) else 1 - two.index(first)] += 1
    last = both.select_related("first", "second").order_by("-created_at")[:_OTHERS]
    return {"first": won[0], "second": won[1], "drawn": won[2], "matches": last}


def list_signs(found: Any) -> list[dict[str, Any]]:
    """Return the newest 50 of the signs, each with its possible meanings."""
    return [
        {"sign": sign, "meaning": render(MEANINGS[Sign.Kind(sign.kind)])}
        for sign in found.select_related("player", "seen_by").order_by("-at", "-pk")[:50]
    ]


def list_cases(found: Any) -> list[Case]:
    """Return the newest 50 of the cases with their reports, newest first."""
    rows = found.select_related("player", "closed_by").prefetch_related("reports__by")
    return list(rows.order_by("-opened_at", "-pk")[:50])


def list_decisions(found: Any) -> list[dict[str, Any]]:
    """Return the newest 50 of the decisions, each with a flag for whether it can be reversed."""
    rows = found.select_related("by", "player", "reversed_by").order_by("-at", "-pk")[:50]
    return [{"decision": each, "reversible": get_reversible(each)} for each in rows]


def find_player(player_id: int) -> Any:
    return get_user_model()._default_manager.filter(pk=player_id).first()


def get_players(player_ids: list[int]) -> dict[int, Any]:
    return get_user_model()._default_manager.in_bulk(player_ids)


_MARGIN, _LINE, _BOARD = 40, 26, 800
_COLUMNS = 4
_SHEETS = ("css/colours.css", "css/board.css", "css/board-symbols.css", "css/board-numbers.css")


def render_picture(record: MatchRecord, names: tuple[str, str]) -> str:
    """Render the match as SVG: the last position, with the number of the move on each element.

    Numbers start at 1, as in the list of moves. The SVG contains its styles, so that it looks the
    same everywhere.
    """
    state = record.state
    board = BOARDS[state.game]
    played = replay_moves(state, record.moves)
    position = played.positions[-1]
    numbers: dict[int, str] = {}
    said = []
    for number, move in enumerate(record.moves[: len(played.positions) - 1], 1):
        own = board.own(move.action)
        for index in own:
            numbers[index] = f"{numbers[index]}·{number}" if index in numbers else str(number)
        said.append(f"{number}. {render(board.say(move.action))}")
    svg = draw(board, position.diagram, line=position.line, numbers=numbers, label=state.rules.name)

    scale = _BOARD / board.width
    width = board.width * scale + 2 * _MARGIN
    titles = [
        f"{state.rules.name}: {names[0]} against {names[1]}",
        f"{state.created_at:%Y-%m-%d %H:%M} UTC · match {state.id}",
        describe_end(state, names) or "Not over yet.",
    ]
    top = _MARGIN + _LINE * len(titles)
    below = top + board.height * scale + _MARGIN
    columns = _COLUMNS if max(map(len, said), default=0) * 8 < width / _COLUMNS else 2
    per_column = -(-len(said) // columns) if said else 0
    texts = [_render_text(_MARGIN, _MARGIN + _LINE * i, words) for i, words in enumerate(titles)]
    for index, words in enumerate(said):
        column, line = divmod(index, per_column)
        x = _MARGIN + column * (width - _MARGIN) / columns
        texts.append(_render_text(x, below + _LINE * (line + 0.5), words, small=True))
    height = below + _LINE * (per_column + 1)
    inner = (
        f'<g class="board {board.traits}" data-game="{escape(board.slug)}"'
        f' transform="translate({_MARGIN} {top:g}) scale({scale:g})">'
        f"{svg[svg.index('>') + 1 : svg.rindex('</svg>')]}</g>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img">'
        f"<style>{_get_style()}</style>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(texts)}{inner}</svg>'
    )


def _render_text(x: float, y: float, words: str, small: bool = False) -> str:
    kind = ' class="small"' if small else ""
    return f'<text x="{x:g}" y="{y:g}"{kind}>{escape(words)}</text>'


@cache
def _get_style() -> str:
    """Return the styles of the board, in light colours."""
    text = ""
    for name in _SHEETS:
        path = finders.find(name)
        assert isinstance(path, str), f"{name} is missing"
        with open(path, encoding="utf-8") as file:  # noqa: PTH123  # finders return a str
            text += file.read()
    return (
        text.replace("<", "").replace("light dark", "light")
        + "text{font:600 18px sans-serif;fill:#222}text.small{font:15px sans-serif}"
    )

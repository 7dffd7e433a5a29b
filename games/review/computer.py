"""The agreement of the players' moves with the computer's analysis, and requests for analyses.

Agreement is evidence for reports of outside help, although strong players often agree with the
computer too.
"""

from typing import Any

from msgspec import Struct

from games.engine import analysis
from games.engine.verdicts import Verdict, judge_moves
from games.messages.refusal import Refused
from games.models import Case, Report
from games.review.charts import duration
from games.store.records import MatchRecord
from games.store.records import get_record as stored


class Found(Struct, frozen=True):
    """The analysis of a match.

    `state` is "live" (no analysis is shown), "none" (not requested), "waiting", "ready", or "" if
    the match cannot be analysed. While it is "waiting", `looked` is the number of plies analysed.
    """

    state: str
    verdicts: tuple[Verdict, ...] = ()
    looked: int = 0


NOTHING = Found("")


def get_verdicts(record: MatchRecord) -> Found:
    """Return the computer's verdicts on a match."""
    state = record.state
    if state.is_live:
        return Found("live")
    if not analysis.may_ask(state):
        return NOTHING
    seen = analysis.get_analysis(state)
    if seen is None:
        return Found("none")
    if seen.due_at is not None:
        return Found("waiting", looked=seen.looked)
    return Found("ready", tuple(judge_moves(state, record.moves, seen.looks)))


def compute_agreement(
    record: MatchRecord, found: Found, names: tuple[str, str]
) -> list[dict[str, Any]]:
    """Return how each player's moves were judged, and the player's average time per move.

    The judgements are the numbers of best moves, mistakes and unclear moves, and the percentage of
    best moves. Without a finished analysis, the list is empty.
    """
    if found.state != "ready":
        return []
    rows = []
    for name, role in zip(names, record.state.rules.roles, strict=True):
        own = [
            (verdict.kind, move.spent_ms)
            for move, verdict in zip(record.moves, found.verdicts, strict=False)
            if move.role == role and verdict.kind
        ]
        kinds = [kind for kind, _ in own]
        best = [ms for kind, ms in own if kind == "kept"]
        rows.append(
            {
                "name": name,
                "moves": len(own),
                "best": len(best),
                "mistakes": kinds.count("lost"),
                "unclear": kinds.count("unclear"),
                "share": round(100 * len(best) / len(own)) if own else 0,
                "pace": duration(sum(ms for _, ms in own) // len(own)) if own else "",
            }
        )
    return rows


def request_analysis(match_id: str, by: Any, address: str = "") -> None:
    """Request the computer's analysis of a match. Raise `Refused` if this is not possible."""
    found = stored(match_id)
    if found is None:
        raise Refused("no-such")
    analysis.request_analysis(found.state, by.pk, address)


def request_for_reported(player_id: int, by: Any) -> None:
    """Request an analysis of the match in the newest open case with a report of outside help.

    The analysis may then be ready when the moderator looks at the match. Do nothing if there is no
    such match or if it cannot be analysed now.
    """
    reported = Case.objects.filter(
        player=player_id, closed_at=None, reports__reason=Report.Reason.CHEATING
    )
    newest = reported.order_by("-pk").values_list("match", flat=True).first()
    if newest is None:
        return
    try:
        request_analysis(newest, by)
    except Refused:
        return

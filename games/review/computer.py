"""What the computer found of a game: how often each player chose as it would.

This is the evidence where outside help was reported. A strong player agrees with it often, too.
"""

from typing import Any

from msgspec import Struct

from games.engine import analysis
from games.engine.verdicts import Verdict, verdicts
from games.messages.refusal import Refused
from games.models import Case, Report
from games.review.charts import duration
from games.store.records import MatchRecord
from games.store.records import get_record as stored


class Found(Struct, frozen=True):
    """What is known of a game. `state`: "live" (nothing is said of it), "none" (nobody has asked),
    "waiting", "ready"; "" where the computer knows nothing of the game."""

    state: str
    verdicts: tuple[Verdict, ...] = ()
    looked: int = 0


NOTHING = Found("")


def verdicts_of(record: MatchRecord) -> Found:
    """What the computer found of a game."""
    state = record.state
    if state.is_live:
        return Found("live")
    if not analysis.may_ask(state):
        return NOTHING
    seen = analysis.found(state)
    if seen is None:
        return Found("none")
    if seen.due_at is not None:
        return Found("waiting", looked=seen.looked)
    return Found("ready", tuple(verdicts(state, seen.looks)))


def agreement(record: MatchRecord, found: Found, names: tuple[str, str]) -> list[dict[str, Any]]:
    """For each player: how many moves were best, mistakes, or unclear, and how long a best move and
    another took on average."""
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


def ask(match_id: str, by: Any, address: str = "") -> None:
    """Have the computer look at a game. Raises `Refused`."""
    found = stored(match_id)
    if found is None:
        raise Refused("no-such")
    analysis.ask(found.state, by.pk, address)


def ask_for_reported(player_id: int, by: Any) -> None:
    """Have the computer look at the newest game in which outside help was reported, so that its
    verdicts are there when they are read. What it cannot look at now is left."""
    reported = Case.objects.filter(
        player=player_id, closed_at=None, reports__reason=Report.Reason.CHEATING
    )
    newest = reported.order_by("-pk").values_list("match", flat=True).first()
    if newest is None:
        return
    try:
        ask(newest, by)
    except Refused:
        return

"""The context of the page on which a moderator handles all open items about one player.

It includes preset reasons for decisions.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import F
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from msgspec import Struct

from games.messages import get_game_name, render
from games.models import Decision, Match, MergedEntry, Report, Sign
from games.review import handling, queue
from games.review.decisions import get_last_reversal, get_number
from games.review.forms import DAYS
from games.review.handling import list_notes, list_open_appeals
from games.review.lists import build_players_filter
from games.review.moderators import HOURS, may_handle_own_reports
from games.review.page import build_game_context, count_results, list_decisions
from games.review.queue import get_weight
from games.review.queue_filters import EVERYTHING, QueueFilter
from games.review.signs import MEANINGS
from games.store.audit import Neighbour, list_neighbours
from games.store.records import get_record as stored

_LISTED = 40  # the maximum number of reports, of signs, and of each player's appeals
_NEIGHBOURS = 12  # the maximum number of players listed as being on the same network
Kind = Decision.Kind
_SHORT = {
    Kind.WARN: pgettext_lazy("button", "Warn"),
    Kind.SUSPEND: pgettext_lazy("button", "Suspend"),
    Kind.RENAME: pgettext_lazy("button", "Rename"),
    Kind.VOID: pgettext_lazy("button", "Void game"),
    Kind.END: pgettext_lazy("button", "End game"),
    Kind.CORRECT: pgettext_lazy("button", "Correct result"),
}


class Item(Struct, frozen=True):
    """A report or a sign, as the entry's page shows it."""

    is_sign: bool
    label: str
    words: str
    meaning: str
    by: str
    at: datetime
    match_id: str | None
    game: str
    weight: float
    about: str  # the player that the item is about, if several are handled together


def build_entry_context(
    player: Any, by: Any, match_id: str, ply: str, chosen: QueueFilter = EVERYTHING
) -> dict[str, Any]:
    """Return the context of a player's entry, with the requested or the most relevant match.

    `chosen` is the filter of the queue that the moderator used.
    """
    group = handling.get_group(player.pk)
    items = _list_items(group)
    seen = handling.get_open_items(player.pk)
    held = handling.get_holder(player.pk)
    entries = queue.list_entries(chosen, by)
    before, after = queue.get_neighbours(entries, player.pk)
    most_relevant = next((item.match_id for item in items if item.match_id), "")
    shown = _match(group, match_id or most_relevant)
    reasons = set(
        Report.objects.filter(case__player__in=group, case__closed_at=None)
        .order_by()
        .values_list("reason", flat=True)
        .distinct()
    )
    found = list_neighbours(player.pk)
    return {
        "player": player,
        "facts": count_results(player.pk),
        "items": items,
        "more": seen.number - len(items),
        "open": str(seen),
        "is_open": bool(seen.number),
        "appeals": [each for pk in group for each in list_open_appeals(_LISTED, pk)],
        "together": [
            {"player": each, "seen": get_number(player_id=each.pk)}
            for each in get_user_model()._default_manager.filter(pk__in=group[1:]).order_by("pk")
        ],
        "merged_into": MergedEntry.objects.filter(player=player).select_related("into").first(),
        "chosen": chosen,
        "held": held,
        "is_mine": held is not None and held.by_id == by.pk,
        "own_report": may_handle_own_reports(group, by),
        "hours": HOURS,
        "before": before,
        "after": after,
        "place": next(
            (n for n, entry in enumerate(entries, 1) if entry.player_id == player.pk), None
        ),
        "length": len(entries),
        "has_acted": handling.has_acted(player.pk, by),
        "neighbours": _get_names(found[:_NEIGHBOURS]),
        "neighbours_more": max(0, len(found) - _NEIGHBOURS),
        "notes": list_notes(player.pk),
        "decisions": list_decisions(Decision.objects.filter(player=player)),
        "days": DAYS,
        **_game(shown, ply),
        "kinds": _kinds(player.pk, shown, reasons),
        "seen_player": get_number(player_id=player.pk),
    }


def _get_names(found: list[Neighbour]) -> list[dict[str, Any]]:
    people = get_user_model()._default_manager.in_bulk([each.player_id for each in found])
    return [
        {"player": people[each.player_id], "last": each.last_at, "is_suspended": each.is_suspended}
        for each in found
        if each.player_id in people
    ]


def _list_items(group: list[int]) -> list[Item]:
    """Return the newest open reports and signs, at most `_LISTED` of each.

    Those with the highest weight come first, and the newest first among those with equal weight.
    """
    is_one = len(group) == 1
    reports = Report.objects.filter(case__player__in=group, case__closed_at=None)
    reports = reports.select_related("by", "case__player").annotate(
        match_id=F("case__match"), game=F("case__match__game")
    )
    signs = Sign.objects.filter(player__in=group, seen_at=None).select_related("player")
    signs = signs.annotate(game=F("match__game"))
    found = [
        Item(False, each.get_reason_display(), each.words, "", str(each.by), each.at,
             each.match_id, get_game_name(each.game) if each.game else "", get_weight(each.reason),
             "" if is_one else str(each.case.player))
        for each in reports.order_by("-pk")[:_LISTED]
    ] + [
        Item(True, each.get_kind_display(), each.sentence,
             render(MEANINGS[Sign.Kind(each.kind)]), "", each.at, each.match_id,
             get_game_name(each.game), get_weight(each.kind),
             "" if is_one else str(each.player))
        for each in signs.order_by("-pk")[:_LISTED]
    ]  # fmt: skip
    return sorted(found, key=lambda item: (-item.weight, -item.at.timestamp()))


def _match(group: list[int], match_id: str) -> Match | None:
    """Return the match if one of the players has a seat in it."""
    mine = Match.objects.filter(build_players_filter(group), pk=match_id)
    return mine.select_related("first", "second").first()


def _game(match: Match | None, ply: str) -> dict[str, Any]:
    found = stored(match.pk) if match is not None else None
    if match is None or found is None:
        return {"match": None, "state": None}
    return build_game_context(found, match, ply)


def _kinds(player_id: int, match: Match | None, reasons: set[str]) -> list[dict[str, Any]]:
    """Return the kinds of decision that the page offers for the player and the match, if any.

    Each has its preset reasons and the last reversal of such a decision.
    """
    offered = [Kind.WARN, Kind.SUSPEND, Kind.RENAME]
    if match is not None:
        is_live = match.status == Match.Status.LIVE
        offered += [Kind.VOID, Kind.END if is_live else Kind.CORRECT]
    found = []
    for kind in offered:
        is_of_match = kind in {Kind.VOID, Kind.END, Kind.CORRECT}
        where = (match.pk if match else None, None) if is_of_match else (None, player_id)
        found.append(
            {
                "kind": kind.value,
                "label": _SHORT[kind],
                "presets": list_presets(kind, reasons),
                "reversal": get_last_reversal(kind, *where),
            }
        )
    return found


Reason = Report.Reason

_PRESETS: Mapping[str, tuple[tuple[str, str], ...]] = {
    Kind.WARN: (
        (
            Reason.CHEATING,
            gettext_noop("Your moves look computer-assisted. Please play on your own."),
        ),
        (Reason.LOSING, gettext_noop("Please do not lose games on purpose.")),
        (
            Reason.STALLING,
            gettext_noop(
                "Please finish or resign your games instead of leaving your opponent waiting."
            ),
        ),
        (Reason.OTHER, gettext_noop("Please be kind to other players.")),
    ),
    Kind.SUSPEND: (
        (Reason.CHEATING, gettext_noop("You used outside help in your games.")),
        (Reason.LOSING, gettext_noop("You lost games on purpose.")),
        (Reason.STALLING, gettext_noop("You left many games without finishing them.")),
        (Reason.OTHER, gettext_noop("You used a second account during a suspension.")),
    ),
    Kind.RENAME: (
        (Reason.NAME, gettext_noop("Your name may offend other players.")),
        (Reason.OTHER, gettext_noop("Your name is too similar to another player's.")),
    ),
    Kind.VOID: (
        (Reason.CHEATING, gettext_noop("One of the players used outside help.")),
        (Reason.LOSING, gettext_noop("The result was agreed beforehand.")),
        (Reason.OTHER, gettext_noop("One person played both sides.")),
    ),
    Kind.CORRECT: (
        (Reason.OTHER, gettext_noop("One of the players resigned by mistake.")),
        (Reason.STALLING, gettext_noop("A site error decided the game.")),
    ),
    Kind.END: ((Reason.STALLING, gettext_noop("One of the players stopped playing.")),),
}


def list_presets(kind: str, reasons: Collection[str]) -> list[str]:
    """Return the preset reasons for a kind of decision, with those that match the reports first."""
    found = sorted(_PRESETS.get(kind, ()), key=lambda preset: preset[0] not in reasons)
    return [gettext(text) for _reason, text in found]

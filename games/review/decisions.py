"""Moderators' decisions on matches and players, their reversal, and refunds to opponents.

A decision and its effect share one transaction. `seen` is the number of decisions on the match (or
on the player) that the moderator's page showed. The next decision takes the next number, which is
unique for the match or the player. If two moderators decide simultaneously, one decision is stored
and the other is refused (`Refused`).
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games.journal.publisher import publisher
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.live.rooms import rooms
from games.live.sessions import suspend_everywhere
from games.match.commands import Adjudicate, Restore, StaffCommand, Void
from games.match.state import MatchState
from games.messages import Message, build_message
from games.messages.names import check_name
from games.messages.refusal import Refused
from games.models import Decision, Match
from games.models.review import WORDS
from games.review.locks import lock_player
from games.review.notices import notify_player, notify_players
from games.store.aliases import are_one_person, get_aliases, get_kin, match_players_filter
from games.store.records import FIELDS

Kind = Decision.Kind
Goals = tuple[int, int]
LONGEST_DAYS = 3650

# -- decisions on matches


def void_match(by: Any, match_id: str, reason: str, seen: int) -> Decision:
    """Void the match, so that it counts for neither player. A live match ends."""
    return _on_match(by, match_id, reason, seen, Kind.VOID, Void())


def correct_result(by: Any, match_id: str, reason: str, seen: int, goals: Goals) -> Decision:
    """Change the result of a finished match. `goals` are 0 to 100, in the order of the seats."""
    return _on_match(
        by, match_id, reason, seen, Kind.CORRECT, Adjudicate(_must_be_sound(goals)), goals
    )


def end_match(by: Any, match_id: str, reason: str, seen: int, goals: Goals) -> Decision:
    """End a live match with this result."""
    return _on_match(by, match_id, reason, seen, Kind.END, Adjudicate(_must_be_sound(goals)), goals)


# -- decisions on players


def warn_player(
    by: Any, player_id: int, reason: str, seen: int, match_id: str | None = None
) -> Decision:
    """Warn a player with a notice that contains the reason."""
    with transaction.atomic():
        player = _get_player(by, player_id)
        made = _store_decision(
            by, Kind.WARN, reason, seen, player=player, match=_get_seen_in(match_id, player)
        )
        notify_player(player.pk, build_message("notice.warning", reason=made.reason), made.match_id)
    return made


def suspend_player(
    by: Any, player_id: int, reason: str, seen: int, days: int | None, match_id: str | None = None
) -> Decision:
    """Suspend a player for `days` (None: permanently), and close the player's sockets."""
    if days is not None and not 1 <= days <= LONGEST_DAYS:
        raise Refused("suspension-days", most=LONGEST_DAYS)
    until = None if days is None else timezone.now() + timedelta(days=days)
    with transaction.atomic():
        player = _get_player(by, player_id)
        where = _get_seen_in(match_id, player)
        made = _store_decision(
            by, Kind.SUSPEND, reason, seen, player=player, match=where, until=until
        )
        transaction.on_commit(lambda: async_to_sync(suspend_everywhere)(player.pk))
    return made


def rename_player(
    by: Any, player_id: int, reason: str, seen: int, name: str, match_id: str | None = None
) -> Decision:
    """Give a player another name, and notify the player."""
    with transaction.atomic():
        player = _get_player(by, player_id)
        name = check_name(name, of_staff=player.is_staff)
        before = {"name": player.get_username()}
        where = _get_seen_in(match_id, player)
        made = _store_decision(
            by, Kind.RENAME, reason, seen, player=player, match=where, name=name, before=before
        )
        _assign_name(player, name)
        told = build_message("notice.renamed", before=before["name"], name=name, reason=made.reason)
        notify_player(player.pk, told, made.match_id)
    return made


def require_new_name(
    by: Any, player_id: int, reason: str, seen: int, match_id: str | None = None
) -> Decision:
    """Require a player to choose another name before anything else. Their matches continue.

    Raise `Refused` for guests, and for players who must already choose another name.
    """
    with transaction.atomic():
        player = _get_player(by, player_id)
        if player.is_guest:
            raise Refused("no-choice")
        if player.must_rename:
            raise Refused("must-rename-already")
        where = _get_seen_in(match_id, player)
        made = _store_decision(by, Kind.NEW_NAME, reason, seen, player=player, match=where)
        _require_name(player, must=True)
        notify_player(
            player.pk, build_message("notice.new-name", reason=made.reason), made.match_id
        )
    return made


# -- reversal and lists


def reverse_decision(by: Any, decision_id: int, reason: str) -> Decision:
    """Undo a decision and notify the players. Raise `Refused` if it cannot be reversed.

    A match gets its earlier result; a match that was live continues.
    """
    _must_have(by, "games.reverse")
    with transaction.atomic():
        # Lock the decision until the transaction ends, so that only one of two reversals finds the
        # decision in force.
        found = Decision.objects.select_for_update().filter(pk=decision_id).first()
        if found is None:
            raise Refused("no-such")
        _must_be_reversible(found)
        if found.player_id is None:
            assert found.match_id is not None
            _must_not_play(by, found.match_id)
            made = _reverse_on_match(by, found, reason)
        else:
            made = _reverse_on_player(by, found, reason)
    return made


def get_reversible(decision: Decision) -> bool:
    """Return whether the decision can be reversed now.

    It cannot be reversed if it is a reversal, if it has been reversed already, or if a later
    decision must be reversed first.
    """
    try:
        _must_be_reversible(decision)
    except Refused:
        return False
    return True


def list_decisions_for(state: MatchState, viewer: Collection[int]) -> list[Decision]:
    """Return the decisions on a match that the viewer may see, oldest first.

    `viewer` has all player ids of one person (`games.store.aliases`). People who did not play in
    the match see none. A decision about a player is visible only to that player.
    """
    if not state.seats_of(viewer):
        return []
    own = Q(player=None) | Q(player__in=viewer)
    return list(Decision.objects.filter(own, match=state.id).order_by("at", "pk"))


def get_number(match_id: str | None = None, player_id: int | None = None) -> int:
    """Return the number of decisions on the match or the player, which pages send as `seen`."""
    if player_id is not None:
        return Decision.objects.filter(player_id=player_id).count()
    return Decision.objects.filter(match_id=match_id, player=None).count()


# -- implementation


def _on_match(
    by: Any,
    match_id: str,
    reason: str,
    seen: int,
    kind: Decision.Kind,
    command: StaffCommand,
    goals: Goals | None = None,
) -> Decision:
    _must_have(by, "games.decide")
    with transaction.atomic():
        state = _lock_match(match_id)
        _must_not_play(by, match_id)
        _must_not_repeat(by, kind, reason, seen, match=match_id, player=None)
        if kind == Kind.END and not state.is_live:
            raise Refused("over-already")
        if kind == Kind.CORRECT and state.is_live:
            raise Refused("still-live")
        one, other = goals or (None, None)
        made = _store_decision(
            by,
            kind,
            reason,
            seen,
            match_id=match_id,
            first_goal=one,
            second_goal=other,
            before=_get_result(state),
        )
        states = _carry_out(match_id, command)
        _notify_both(state, build_message(f"notice.{kind.value}", reason=made.reason))
        transaction.on_commit(lambda: _announce(states))
    return made


def _reverse_on_match(by: Any, found: Decision, reason: str) -> Decision:
    assert found.match_id is not None
    state = _lock_match(found.match_id)
    made = _store_decision(
        by,
        Kind.REVERSE,
        reason,
        get_number(match_id=state.id),
        match_id=state.id,
        reverses=found,
        before=_get_result(state),
    )
    was = dict(found.before)
    ended_at = was["ended_at"] and datetime.fromisoformat(was["ended_at"])
    goals = None if was["goals"] is None else (was["goals"][0], was["goals"][1])
    restore = Restore(was["status"], was["ended"], goals, ended_at, was["ended_by"])
    states = _carry_out(state.id, restore)
    _notify_both(state, build_message("notice.reversed", reason=made.reason))
    transaction.on_commit(lambda: _announce(states))
    return made


def _reverse_on_player(by: Any, found: Decision, reason: str) -> Decision:
    player = _get_player(by, found.player_id or 0, "games.reverse")
    made = _store_decision(
        by,
        Kind.REVERSE,
        reason,
        get_number(player_id=player.pk),
        player=player,
        match=found.match,
        reverses=found,
    )
    if found.kind == Kind.RENAME:
        _assign_name(player, found.before["name"])
    if found.kind == Kind.NEW_NAME:
        _require_name(player, must=False)
    notify_player(
        player.pk, build_message(f"notice.undone.{found.kind}", reason=made.reason), found.match_id
    )
    return made


def _notify_both(state: MatchState, what: Message) -> None:
    notify_players([(state.first_id, state.id), (state.second_id, state.id)], what)


def _must_be_reversible(decision: Decision) -> None:
    if decision.kind == Kind.REVERSE:
        raise Refused("a-reversal")
    if Decision.objects.filter(reverses=decision).exists():
        raise Refused("reversed-already")
    later = Decision.objects.filter(reversed_by=None, number__gt=decision.number)
    if decision.player_id is None:
        later = later.filter(match=decision.match_id, player=None)
    else:
        later = later.filter(player=decision.player_id, kind=Kind.RENAME)
        if decision.kind != Kind.RENAME:
            return
    if later.exclude(kind=Kind.REVERSE).exists():
        raise Refused("later-decision")


def _store_decision(by: Any, kind: Decision.Kind, reason: str, seen: int, **what: Any) -> Decision:
    reason = " ".join(reason.split())
    if not reason:
        raise Refused("no-reason")
    if len(reason) > WORDS:
        raise Refused("reason-too-long", most=WORDS)
    match_id = what.get("match_id")
    player = what.get("player")
    if player is not None:
        _must_not_repeat(by, kind, reason, seen, player=player)
    known = get_number(match_id, player.pk if player is not None else None)
    if known != seen:
        raise Refused("overtaken")
    made = Decision(kind=kind, reason=reason, by=by, at=timezone.now(), number=seen + 1, **what)
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError:
        raise Refused("overtaken") from None
    return made


def _must_not_repeat(by: Any, kind: Kind, reason: str, seen: int, **about: Any) -> None:
    """Raise `Refused` for a duplicate of the last decision: a double click or a resent form."""
    last = Decision.objects.filter(number=seen + 1, by=by, kind=kind, **about)
    if last.filter(reason=" ".join(reason.split())).exists():
        raise Refused("decided-already")


def _carry_out(match_id: str, command: StaffCommand) -> Sequence[MatchState]:
    (answer,), states = commit_requests([Request(match_id, None, command)])
    if answer.refused == "not-allowed":
        raise Refused("same-result")
    if answer.refused is not None:
        raise Refused("not-changed")
    return states


def _announce(states: Sequence[MatchState]) -> None:
    """Send the new states to all viewers of these matches, on all servers."""

    async def tell() -> None:
        publisher().publish(states)

    async_to_sync(tell)()


def _lock_match(match_id: str) -> MatchState:
    found = Match.objects.select_for_update(of=("self",)).filter(pk=match_id)
    values = found.values_list(*FIELDS).first()
    if values is None:
        raise Refused("no-such")
    return MatchState(*values)


def _get_result(state: MatchState) -> dict[str, Any]:
    goals = None if state.first_goal is None else [state.first_goal, state.second_goal]
    return {
        "status": state.status,
        "ended": state.ended,
        "goals": goals,
        "ended_at": state.ended_at.isoformat() if state.ended_at else None,
        "ended_by": state.ended_by,
    }


def _must_be_sound(goals: Goals) -> Goals:
    if any(not 0 <= goal <= 100 for goal in goals) or not 0 < sum(goals) <= 100:
        raise Refused("points")
    return goals


def _get_player(by: Any, player_id: int, right: str = "games.decide") -> Any:
    _must_have(by, right)
    player = lock_player(player_id)
    if are_one_person(player.pk, by.pk):
        raise Refused("decide-on-yourself")
    if Match.is_computer(player.pk):
        raise Refused("the-computer")
    if player.is_staff and not by.is_superuser:
        raise Refused("on-staff")
    return player


def _get_seen_in(match_id: str | None, player: Any) -> Match | None:
    """Return the match from whose page the decision on a player was sent, or None.

    Raise `Refused` if the player had no seat in that match.
    """
    if not match_id:
        return None
    rows = get_kin([player.pk])[player.pk]
    found = Match.objects.filter(match_players_filter(rows), pk=match_id).first()
    if found is None:
        raise Refused("no-such")
    return found


def _must_have(by: Any, right: str) -> None:
    if not (by.is_active and by.is_staff and by.has_perm(right)):
        raise Refused("no-right")


def _must_not_play(by: Any, match_id: str) -> None:
    if Match.objects.filter(match_players_filter(get_aliases(by.pk)), pk=match_id).exists():
        raise Refused("own-match")


def _require_name(player: Any, must: bool) -> None:
    get_user_model()._default_manager.filter(pk=player.pk).update(must_rename=must)


def _assign_name(player: Any, name: str) -> None:
    people = get_user_model()
    field = people.USERNAME_FIELD
    others = people._default_manager.exclude(pk=player.pk)
    taken = Refused("name-taken", name=name)
    if others.filter(**{f"{field}__iexact": name}).exists():
        raise taken
    setattr(player, field, name)
    try:
        with transaction.atomic():
            # A full `save` would refuse a name that resembles another player's.
            player.save(update_fields=[field])
    except IntegrityError:
        raise taken from None
    transaction.on_commit(lambda: async_to_sync(_show_name)(player.pk))


async def _show_name(player_id: int) -> None:
    await rooms().renamed(player_id)


_ALIKE = {Kind.CORRECT: (Kind.CORRECT, Kind.END), Kind.END: (Kind.CORRECT, Kind.END)}
"""For some kinds of decision, all kinds that have the same effect."""


def get_last_reversal(kind: str, match_id: str | None, player_id: int | None) -> Decision | None:
    """Return the last reversal of this kind of decision on a player or on a match.

    If `player_id` is given, `match_id` is ignored. Kinds with the same effect count too. Return
    None if no such decision was reversed.
    """
    if kind not in Kind.values or kind == Kind.REVERSE:
        return None
    if player_id is not None:
        about = Q(player=player_id)
    elif match_id is not None:
        about = Q(match=match_id, player=None)
    else:
        return None
    kinds = _ALIKE.get(Kind(kind), (Kind(kind),))
    undone = Decision.objects.filter(about, reverses__kind__in=kinds)
    return undone.select_related("by", "reverses").order_by("-number").first()


REFUND_KINDS = (Decision.Kind.WARN, Decision.Kind.SUSPEND)
"""The kinds of decision that can include refunds."""

refund_handlers: list[Callable[[Decision], int]] = []
"""Functions that refund the opponents of the player whom a decision is about, in its transaction.
Each returns the number of opponents who received a refund. `config.wiring` sets them."""


def refund_opponents(decision: Decision) -> int:
    """Refund the opponents of the player whom the decision is about, and return their number."""
    return sum(handler(decision) for handler in refund_handlers)

"""An organiser's measures for members in their care: to pause, mute or rename them until a date.

A paused member cannot start games or join tournaments, but games and tournaments that have begun
continue. A muted member cannot send phrases. A renamed member keeps that name. All measures belong
to the membership: they end with it, on their date, or when the organiser ends them. They move with
a member who is transferred to another class.
"""

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from typing import Literal, get_args

from django.db import transaction
from django.utils import timezone

from games.messages.refusal import Refused
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_persons
from lobby.accounts.names import assign_name
from lobby.groups.membership import Ended, can_manage, list_in_care, lock_players
from lobby.models import Challenge, Group, Member, Player, Seek
from lobby.privacy.protection import lock_for_protection

Measure = Literal["paused_until", "muted_until", "name_kept_until"]
MEASURES: tuple[Measure, ...] = get_args(Measure)

LONGEST = timedelta(days=366)
"""The longest time for which a measure can be set."""


def parse_end(text: str) -> datetime:
    """Return the end of the day that a form gives as YYYY-MM-DD.

    Raise `Refused` if the text is not a date, or if the date is in the past or too far ahead.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refused("care-date") from None
    today = timezone.localdate()
    if not today <= day <= today + LONGEST:
        raise Refused("care-date")
    return timezone.make_aware(datetime.combine(day, time.max.replace(microsecond=0)))


def pause_member(organiser: Player, group_id: str, player_id: int, until: datetime | None) -> Ended:
    """Pause a member, or end the pause if `until` is None. Return the seeks that have ended.

    When a pause begins, the player's open seeks end, and the open challenges that the player sent
    are deleted. Because of the lock, matches that are being opened wait, and are then refused.
    Raise `Refused` if the organiser cannot manage the group, or if the member is not in their care.
    """
    with transaction.atomic():
        lock_for_protection([player_id])
        _set(organiser, group_id, player_id, "paused_until", until)
        if until is None:
            return {}
        searches = Seek.objects.filter(player=player_id, match=None)
        ended = dict.fromkeys(searches.values_list("pk", flat=True), player_id)
        searches.delete()
        challenges = Challenge.objects.filter(answer=Challenge.Answer.OPEN)
        challenges.filter(challenger=player_id).delete()
    return ended


def mute_member(organiser: Player, group_id: str, player_id: int, until: datetime | None) -> None:
    """Mute a member until a time, or unmute the member if `until` is None.

    Raise `Refused` if the organiser cannot manage the group, or if the member is not in their care.
    """
    with transaction.atomic():
        _set(organiser, group_id, player_id, "muted_until", until)


def rename_member(
    organiser: Player, group_id: str, player_id: int, name: str, until: datetime
) -> str:
    """Give a member another name, which the member keeps until the given time.

    Return the name as stored. Raise `Refused` if the organiser cannot manage the group, if the
    member is not in their care, or if the name is refused.
    """
    with transaction.atomic():
        member = _set(organiser, group_id, player_id, "name_kept_until", until)
        return assign_name(member.player, name)


def free_name(organiser: Player, group_id: str, player_id: int) -> None:
    """Allow a member to choose a name again.

    Raise `Refused` if the organiser cannot manage the group, or if the member is not in their care.
    """
    with transaction.atomic():
        _set(organiser, group_id, player_id, "name_kept_until", None)


def format_day(until: datetime) -> str:
    """Return the day on which a measure ends, for a parameter of a message."""
    return f"{timezone.localtime(until):%Y-%m-%d}"


def find_paused_players(player_ids: Collection[int]) -> set[int]:
    """Return the ids of the players, among these, who are paused in one of their groups."""
    now = timezone.now()
    return {player for player, until in _pauses(player_ids) if until > now}


def must_not_be_paused(player_ids: Collection[int]) -> None:
    """Raise `Refused` if one of these players is paused in one of their groups."""
    now = timezone.now()
    ends = [until for _, until in _pauses(player_ids) if until > now]
    if ends:
        raise Refused("games-paused", until=format_day(max(ends)))


def must_not_be_paused_to_open(people: Collection[int]) -> None:
    """Raise `Refused` if one of the people who would play a match is paused.

    `people` contains the ids of accounts or of their aliases.
    """
    must_not_be_paused(set(get_persons(people).values()))


def must_not_be_muted(player_id: int) -> None:
    """Raise `Refused` if the player is muted in one of their groups.

    The id can be that of an account or of one of its aliases.
    """
    found = Member.objects.filter(
        player=get_persons([player_id])[player_id], muted_until__gt=timezone.now()
    )
    until = found.order_by("-muted_until").values_list("muted_until", flat=True).first()
    if until is not None:
        raise Refused("muted", until=format_day(until))


def _set(
    organiser: Player, group_id: str, player_id: int, measure: Measure, until: datetime | None
) -> Member:
    """Store the end of a measure. Return the member, with the player's row locked.

    Raise `Refused` if the organiser cannot manage the group, or if the member is not in their care.
    """
    lock_players([player_id])
    group = Group.objects.select_for_update().filter(pk=group_id).first()
    if group is None or not can_manage(organiser, group):
        raise Refused("not-allowed")
    found = next((each for each in list_in_care(group) if each.player_id == player_id), None)
    if found is None:
        raise Refused("not-in-care")
    Member.objects.filter(pk=found.pk).update(**{measure: until})
    return found


_pauses = PreparedQuery(
    lambda players: Member.objects.filter(
        player__in=players, paused_until__isnull=False
    ).values_list("player", "paused_until")
)

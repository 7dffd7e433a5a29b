"""Protection of minors: its beginning and end, and the opponents that it allows.

Protection belongs to the account. It begins when a player who is not an adult becomes a member of a
group for minors, or when the player's group becomes one. It stays until staff or an organiser end
it, even if the group changes or is deleted. Protected players play against the computer, at the
same screen, and against members of their groups for minors.
"""

from collections.abc import Callable, Collection

from asgiref.sync import async_to_sync
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.journal.opening import lock_names
from games.journal.voiding import cancel_matches
from games.live.rooms import rooms
from games.messages.refusal import Refused
from games.models import Match
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import (
    get_kin,
    get_person,
    get_persons,
    get_two_persons,
    match_players_filter,
)
from lobby.models import Challenge, Entry, Member, Player, ProtectionChange, Seek
from lobby.privacy.visibility import is_public

LONGEST_REASON = 200  # characters

EndedSeeks = dict[int, list[str]]
"""A dictionary that maps the id of each player to the ids of the seeks that have ended."""

handlers: list[Callable[[Player], None]] = []
"""Functions that are called with each player who becomes protected, in the same transaction. They
end the access of programs to the account. `config.wiring` sets them."""


# -- opponents


def are_kept_apart(one_id: int, other_id: int) -> bool:
    """Return whether two people must not meet, because one is protected.

    They may meet if they share a group for minors, or if one of them is the friend at the other's
    screen. The ids can be those of accounts or of their aliases.
    """
    return are_strangers(*get_two_persons(one_id, other_id))


def are_strangers(one_id: int, other_id: int) -> bool:
    """Return whether two people, given by the ids of their accounts, must not meet.

    See `are_kept_apart` for the rules.
    """
    people = {one_id, other_id}
    if len(people) < 2 or not list(_protected(people)):
        return False
    groups: dict[int, set[str]] = {pk: set() for pk in people}
    for player_id, group_id in _memberships(people):
        groups[player_id].add(group_id)
    if set.intersection(*groups.values()):
        return False
    # The friend at the same screen is in the same room anyway.
    beside = Q(beside__in=people) | Q(beside__alias_of__in=people)
    return not Player.objects.filter(beside, pk__in=people).exists()


def find_strangers(
    people: Collection[int], protected: Collection[int]
) -> Callable[[int, int], bool]:
    """Return a function that returns whether two of these people must be kept apart.

    `people` are ids of accounts, and `protected` those of the protected ones among them. There is
    one query, or none if nobody is protected. Friends at one screen are not considered, because
    they never seek opponents.
    """
    groups: dict[int, set[str]] = {pk: set() for pk in people}
    for player_id, group_id in _memberships(people) if protected else ():
        groups[player_id].add(group_id)

    def are_apart(one_id: int, other_id: int) -> bool:
        is_public = one_id not in protected and other_id not in protected
        return not is_public and groups[one_id].isdisjoint(groups[other_id])

    return are_apart


_protected = PreparedQuery(
    lambda players: Player.objects.filter(Q(is_protected=True), pk__in=players).values_list("pk")
)
_memberships = PreparedQuery(
    lambda players: Member.objects.filter(player__in=players, group__for_minors=True).values_list(
        "player", "group"
    )
)


def must_be_public(player_id: int) -> None:
    """Raise `Refused` for protected players, because they do not play in public."""
    if not is_public(player_id):
        raise Refused("group-only")


def must_be_open_to_programs(player: Player) -> None:
    """Raise `Refused` for protected players.

    No program may act for them or read their data.
    """
    if player.is_protected:
        raise Refused("minors-no-programs")


# -- the beginning and end of protection


def lock_for_protection(player_ids: Collection[int]) -> None:
    """Make matches of these players that are being opened wait for this transaction.

    Call this function first in a transaction that may change whom the players may meet.
    """
    lock_names(set(get_persons(player_ids).values()))


def protect_players(
    player_ids: Collection[int], by: Player | None = None, reason: str = ""
) -> EndedSeeks:
    """Protect these players, and end their seeks, challenges and matches with strangers.

    Seeks in the public lobby, challenges to and from strangers and live matches with them end, and
    entries of tournaments that have not begun are deleted, except in groups for minors. The
    `handlers` end tokens and webhooks. Return the seeks that have ended. The caller's transaction
    must have begun with `lock_for_protection`, and changes to memberships must come before this
    call.
    """
    rows = _rows(player_ids)
    changed = Player.objects.filter(pk__in=set(player_ids), is_protected=False)
    now = timezone.now()
    ProtectionChange.objects.bulk_create(
        ProtectionChange(
            player_id=pk, by=by, is_protected=True, reason=reason[:LONGEST_REASON], at=now
        )
        for pk in changed.values_list("pk", flat=True)
    )
    for player in changed:
        for handler in handlers:
            handler(player)
    if Player.objects.filter(pk__in=rows, is_protected=False).update(is_protected=True):
        transaction.on_commit(lambda: async_to_sync(_close_to_strangers)(sorted(rows)))
    _cancel_matches_with_strangers(rows)
    return _end_public_plans(rows)


def separate_players(player_ids: Collection[int], watched: Collection[int] = ()) -> None:
    """End the live matches and open challenges of these players with people they may not meet.

    Viewers who may not see a protected player, among these or among `watched`, can no longer watch
    that player's matches. The caller's transaction must have begun with `lock_for_protection`, and
    changes to memberships must come before this call.
    """
    rows = _rows(player_ids)
    _cancel_matches_with_strangers(rows)
    _delete_challenges_with_strangers(rows)
    seen = Player.objects.filter(pk__in={*rows, *watched}, is_protected=True)
    if protected := sorted(seen.values_list("pk", flat=True)):
        transaction.on_commit(lambda: async_to_sync(_close_to_strangers)(protected))


def lift_protection(player: Player, by: Player, reason: str = "") -> None:
    """End the protection of a player. Raise `Refused` if `by` may not do that."""
    with transaction.atomic():
        lock_for_protection([player.pk])
        if not can_lift_protection(by, player.pk):
            raise Refused("not-allowed")
        rows = _rows([player.pk])
        if Player.objects.filter(pk__in=rows, is_protected=True).update(is_protected=False):
            ProtectionChange.objects.create(
                player_id=get_person(player.pk),
                by=by,
                is_protected=False,
                reason=reason[:LONGEST_REASON],
                at=timezone.now(),
            )


def can_lift_protection(by: Player, player_id: int) -> bool:
    """Return whether `by` may end the player's protection.

    Staff with the permission may. If all groups for minors that the player is in have the same
    organiser, this organiser may, too. Nobody may end their own protection.
    """
    if not by.is_active or get_person(player_id) == by.pk:
        return False
    if by.is_staff and by.has_perm("lobby.change_protection"):
        return True
    mine = Member.objects.filter(player=get_person(player_id), group__for_minors=True)
    organisers = set(mine.values_list("group__organiser", flat=True))
    return organisers == {by.pk} and by.has_perm("lobby.organise")


def _rows(player_ids: Collection[int]) -> set[int]:
    """Return the ids of these players, their aliases, and the friends who sit at their screens."""
    rows = {pk for own in get_kin(player_ids).values() for pk in own}
    return rows | set(Player.objects.filter(beside__in=rows).values_list("pk", flat=True))


async def _close_to_strangers(player_ids: list[int]) -> None:
    await rooms().protected(player_ids)


def _cancel_matches_with_strangers(rows: Collection[int]) -> None:
    live = Match.objects.filter(
        match_players_filter(rows), status=Match.Status.LIVE, first_level=None, second_level=None
    )
    found = live.values_list("pk", "first", "second")
    cancel_matches([pk for pk, first, second in found if are_kept_apart(first, second)])


def _end_public_plans(rows: Collection[int]) -> EndedSeeks:
    searches = Seek.objects.filter(
        player__in=rows, match=None, by_address=False, group__isnull=True
    )
    ended: EndedSeeks = {}
    for pk, player_id in searches.select_for_update().values_list("pk", "player_id"):
        ended.setdefault(player_id, []).append(pk)
    searches.delete()
    _delete_challenges_with_strangers(rows)
    places = Entry.objects.filter(player__in=rows, tournament__started_at=None)
    places.exclude(tournament__group__for_minors=True).delete()
    return ended


def _delete_challenges_with_strangers(rows: Collection[int]) -> None:
    challenges = Challenge.objects.filter(
        Q(challenger__in=rows) | Q(challenged__in=rows), answer=Challenge.Answer.OPEN
    )
    apart = [
        pk
        for pk, one, other in challenges.values_list("pk", "challenger", "challenged")
        if are_kept_apart(one, other)
    ]
    Challenge.objects.filter(pk__in=apart).delete()

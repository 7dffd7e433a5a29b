"""What holds for members of a group for minors, but for its organiser.

They play the computer and members of such a group of theirs, and nobody else: no other match with
them is opened, however it is asked for. They are not on public boards or lists. Whatever shows
people in public asks `is_listed`, `unlisted`, or `lobby.models.group.listed`.
"""

from collections.abc import Collection

from games.journal.opening import keeps_apart
from games.runtime.compiled import Compiled
from games.store.aliases import persons_of_two
from games.words.refusal import Refused
from lobby.models import Challenge, Entry, Member, Player, Seek
from lobby.models.group import minors

# -- who is listed


def is_listed(player_id: int) -> bool:
    """Whether the player may stand on public boards and lists."""
    return player_id not in unlisted([player_id])


def unlisted(player_ids: Collection[int]) -> set[int]:
    """Those of these players who are not listed, aliases among them."""
    return {pk for (pk,) in (*_minors_of(player_ids), *_aliases_of_minors(player_ids))}


_minors_of = Compiled(lambda players: minors().filter(player__in=players).values_list("player"))
_aliases_of_minors = Compiled(
    lambda players: Player.objects.filter(
        pk__in=players, alias_of__in=minors().values("player")
    ).values_list("pk")
)


# -- whom they meet


def are_kept_apart(one_id: int, other_id: int) -> bool:
    """Whether one of the two is a minor, and the other is in none of their groups for minors.
    Whichever of their rows these are."""
    return are_strangers(*persons_of_two(one_id, other_id))


@keeps_apart
def are_strangers(one_id: int, other_id: int) -> bool:
    """The same of two persons."""
    people = {one_id, other_id}
    groups: dict[int, set[str]] = {pk: set() for pk in people}
    is_minor = False
    for player_id, group_id, organiser_id in _memberships(people):
        groups[player_id].add(group_id)
        is_minor = is_minor or player_id != organiser_id
    if not is_minor or len(people) < 2 or set.intersection(*groups.values()):
        return False
    # Who sits beside somebody at the same screen is there anyway.
    return not Player.objects.filter(pk__in=people, beside__in=people).exists()


_memberships = Compiled(
    lambda players: Member.objects.filter(player__in=players, group__for_minors=True).values_list(
        "player", "group", "group__organiser"
    )
)


def must_not_be_a_minor(player_id: int) -> None:
    """Raises `Refused` for who does not play in public."""
    if not is_listed(player_id):
        raise Refused("group-only")


def end_public_wishes(group_id: str, player_ids: Collection[int]) -> dict[int, list[str]]:
    """End what these players, who are minors of the group from now on, have open outside of it:
    searches, challenges of others or to others, and places in tournaments that have not begun. Give
    the searches, by player."""
    searches = Seek.objects.filter(
        player__in=player_ids, match=None, by_address=False, group__isnull=True
    )
    ended: dict[int, list[str]] = {}
    for pk, player_id in searches.select_for_update().values_list("pk", "player_id"):
        ended.setdefault(player_id, []).append(pk)
    searches.delete()
    mates = Member.objects.filter(group=group_id).values("player")
    wishes = Challenge.objects.filter(answer=Challenge.Answer.OPEN)
    wishes.filter(challenger__in=player_ids).exclude(challenged__in=mates).delete()
    wishes.filter(challenged__in=player_ids).exclude(challenger__in=mates).delete()
    places = Entry.objects.filter(player__in=player_ids, tournament__started_at=None)
    places.exclude(tournament__group__for_minors=True).delete()
    return ended

"""The games of a group: matches between two members that began while both were members."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from django.db.models import Exists, OuterRef, Q
from msgspec import Struct

from games.match.outcome import Outcome, get_outcome
from games.match.state import MatchState
from games.models import Event, Match
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_persons
from games.store.records import MatchRecord, list_records, read_states
from games.store.visibility import get_names_for, get_pairs
from lobby.models import GroupGame, Member
from lobby.privacy.visibility import build_visible_matches_condition

PAGE = 25  # games on a page


class MemberGame(Struct, frozen=True):
    """A game of the group.

    `names` maps each role to the player's name. `ended` is None while the game is live.
    """

    state: MatchState
    names: dict[str, str]
    ended: Outcome | None


def note_games(events: Sequence[Event]) -> None:
    """Add matches that have begun between members of a group, and update which ones are live."""
    began = [event.match_id for event in events if event.kind == Event.Kind.BEGAN]
    others = [event.match_id for event in events if event.kind != Event.Kind.BEGAN]
    if began:
        _add_games(began)
    if others:
        _update_games(others)


def list_games(
    group_id: str, viewer_id: int, before: int | None = None
) -> tuple[list[MemberGame], int | None]:
    """Return a page of the group's games that the viewer may see, and the next page's cursor.

    The cursor is None on the last page.
    """
    seen = Exists(
        Match.objects.filter(build_visible_matches_condition(viewer_id), pk=OuterRef("match"))
    )
    rows = GroupGame.objects.filter(seen, group=group_id).order_by("-id")
    if before is not None:
        rows = rows.filter(id__lt=before)
    found = list(rows.values_list("id", "match")[: PAGE + 1])
    here = found[:PAGE]
    games = _read_games([match_id for _, match_id in here], viewer_id)
    return games, here[-1][0] if len(found) > PAGE else None


def list_live_games(group_ids: Collection[str], most: int) -> list[tuple[str, str]]:
    """Return up to `most` live games, newest first, as pairs of a group id and a match id."""
    rows = GroupGame.objects.filter(group__in=group_ids, is_live=True).order_by("-id")
    return list(rows.values_list("group", "match")[:most])


def list_records_of_games(
    group_id: str, viewer_id: int
) -> Iterator[list[tuple[MatchRecord, tuple[str, str]]]]:
    """Yield the records of the group's games that the viewer may see, a page at a time.

    The newest records come first. Each one comes with its players' names as shown to the viewer.
    """
    rows = GroupGame.objects.filter(group=group_id).order_by("-id")
    before: int | None = None
    while page := list(
        (rows if before is None else rows.filter(id__lt=before)).values_list("id", "match")[:PAGE]
    ):
        before = page[-1][0]
        names = get_names_for(viewer_id, get_pairs([match_id for _, match_id in page]))
        found = list_records([match_id for _, match_id in page if match_id in names])
        yield [(each, names[each.state.id]) for each in found if not each.state.game_is_unknown]


def _add_games(match_ids: Iterable[str]) -> None:
    matches = list(_between_people(list(match_ids)))
    people = get_persons({pk for _, _, *seats in matches for pk in seats})
    groups: dict[int, set[str]] = {}
    for player_id, group_id in _memberships(set(people.values())):
        groups.setdefault(player_id, set()).add(group_id)
    GroupGame.objects.bulk_create(
        [
            GroupGame(group_id=group_id, match_id=pk, is_live=status == Match.Status.LIVE)
            for pk, status, first, second in matches
            if people[first] != people[second]
            for group_id in groups.get(people[first], set()) & groups.get(people[second], set())
        ],
        ignore_conflicts=True,
    )


def _update_games(match_ids: Iterable[str]) -> None:
    """Store which of these matches are live, according to their current status.

    A repeated event therefore changes nothing.
    """
    noted = [pk for (pk,) in _noted(list(match_ids))]
    if not noted:
        return
    rows = GroupGame.objects.filter(pk__in=noted)
    live = Match.objects.filter(status=Match.Status.LIVE).values("pk")
    rows.filter(match__in=live, is_live=False).update(is_live=True)
    rows.filter(~Q(match__in=live), is_live=True).update(is_live=False)


_between_people = PreparedQuery(
    lambda match_ids: (
        Match.objects.filter(pk__in=match_ids, first_level__isnull=True, second_level__isnull=True)
        .order_by("created_at")
        .values_list("pk", "status", "first", "second")
    ),
    of=str,
)
_memberships = PreparedQuery(
    lambda players: (
        Member.objects.filter(player__in=players, group__closed_at=None)
        .order_by()
        .values_list("player", "group")
    )
)
_noted = PreparedQuery(
    lambda match_ids: GroupGame.objects.filter(match__in=match_ids).order_by().values_list("pk"),
    of=str,
)


def _read_games(match_ids: Sequence[str], viewer_id: int) -> list[MemberGame]:
    seen = get_names_for(viewer_id, get_pairs(match_ids))
    found = {}
    for state in read_states(seen).values():
        if not state.game_is_unknown:
            names = dict(zip(state.rules.roles, seen[state.id], strict=True))
            found[state.id] = MemberGame(
                state, names, None if state.is_live else get_outcome(state)
            )
    return [found[pk] for pk in match_ids if pk in found]

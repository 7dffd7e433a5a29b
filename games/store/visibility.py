"""The visibility of players and matches, according to the policy of the site.

Except for the review by moderators, all pages, sockets, streams, API operations, records, pictures,
embeds, exports, feeds, searches and archives must call these functions instead of deciding for
themselves. A match is visible to its players, and to viewers who may see both of them. A player who
may not see the opponent reads `HIDDEN_NAME` instead of the name. A function that `config.wiring`
sets decides which players are hidden from a viewer. For a match, it is called only if a player has
`is_protected`.

A viewer is the id of the player who is logged in, or None for a visitor.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.models import Match
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_aliases_of, name_at

HIDDEN_NAME = "Hidden player"
"""The name that players of a match read instead of a name that they may not see. Nobody can choose
this name (`games.messages.names`)."""

DELETED_NAME = "Deleted player"
"""The name that is shown for a deleted account. Nobody can choose this name either."""

Glance = tuple[int | None, int]
"""A pair of ids: a viewer, and a player to be seen."""

Policy = Callable[[Collection[Glance]], set[Glance]]
"""A function that returns the glances in which the viewer may not see the player."""

_policy: Policy | None = None


def set_policy(policy: Policy) -> None:
    """Set the function that decides which players are hidden from a viewer."""
    global _policy  # noqa: PLW0603  # set once, at start-up
    _policy = policy


# -- players


def find_hidden_glances(glances: Collection[Glance]) -> set[Glance]:
    """Return the given glances in which the viewer may not see the player."""
    if _policy is None:
        raise RuntimeError("config.wiring has not set the visibility policy")
    return _policy(glances)


def find_hidden_players(viewer_id: int | None, player_ids: Iterable[int]) -> set[int]:
    """Return the ids of the given players whom the viewer may not see."""
    return {pk for _, pk in find_hidden_glances({(viewer_id, pk) for pk in player_ids})}


def can_see_player(viewer_id: int | None, player_id: int) -> bool:
    """Return whether the viewer may see the player: the name, profile, presence and games."""
    return not find_hidden_players(viewer_id, [player_id])


# -- matches


class PlayerPair(Struct, frozen=True):
    """The players of a match by seat: their ids, their names, and whether they are protected."""

    ids: tuple[int, int]
    names: tuple[str, str]
    are_protected: tuple[bool, bool] = (False, False)

    @property
    def is_public(self) -> bool:
        """Return whether everybody may see the match."""
        return not any(self.are_protected)


PAIR = (
    *("first_id", "second_id", name_at("first"), name_at("second")),
    *("first__is_protected", "second__is_protected"),
)
"""The columns of a match for `build_pair`."""


def build_pair(values: Sequence[Any]) -> PlayerPair:
    """Return the pair with these values, which are in the order of `PAIR`."""
    first, second, one, other, *protected = values
    return PlayerPair((first, second), (one, other), (bool(protected[0]), bool(protected[1])))


def get_pairs(match_ids: Collection[str]) -> dict[str, PlayerPair]:
    """Return a dictionary that maps the ids of these matches to their players.

    This takes one query. Missing matches are left out.
    """
    return {pk: build_pair(values) for pk, *values in _pairs(match_ids)}


def get_names_for(
    viewer_id: int | None, matches: Mapping[str, PlayerPair]
) -> dict[str, tuple[str, str]]:
    """Return a dictionary that maps the ids of these matches to the names that the viewer may see.

    Matches that the viewer may not see are left out. There is no query if all matches are public.
    """
    found = get_names_for_each({(viewer_id, pk): pair for pk, pair in matches.items()})
    return {pk: found[viewer_id, pk] for pk in matches if (viewer_id, pk) in found}


def get_names_for_each(
    looks: Mapping[tuple[int | None, str], PlayerPair],
) -> dict[tuple[int | None, str], tuple[str, str]]:
    """Return a dictionary that maps pairs of a viewer and a match to the names to show.

    Pairs in which the viewer may not see the match are left out.
    """
    glances = {
        (viewer_id, player_id)
        for (viewer_id, _), pair in looks.items()
        for player_id, is_protected in zip(pair.ids, pair.are_protected, strict=True)
        if is_protected
    }
    hidden = find_hidden_glances(glances) if glances else set()
    if not hidden:
        return {look: pair.names for look, pair in looks.items()}
    own = get_aliases_of({viewer_id for viewer_id, _ in hidden if viewer_id is not None})
    found = {}
    for look, pair in looks.items():
        viewer_id = look[0]
        masks = ((viewer_id, pair.ids[0]) in hidden, (viewer_id, pair.ids[1]) in hidden)
        if not any(masks) or not own.get(viewer_id or 0, frozenset()).isdisjoint(pair.ids):
            found[look] = mask_names(pair.names, masks)
    return found


def mask_names(names: tuple[str, str], masks: tuple[bool, bool]) -> tuple[str, str]:
    """Return the names with `HIDDEN_NAME` in place of masked ones, except for `DELETED_NAME`."""
    return (
        HIDDEN_NAME if masks[0] and names[0] != DELETED_NAME else names[0],
        HIDDEN_NAME if masks[1] and names[1] != DELETED_NAME else names[1],
    )


class Privacy(Struct, frozen=True):
    """The visibility of a match to everybody, and of each player of the match to the other one."""

    is_public: bool = True
    hidden: tuple[bool, bool] = (False, False)


PUBLIC = Privacy()


def mask_names_for_seats(
    seats: Sequence[int], names: tuple[str, str], hidden: tuple[bool, bool]
) -> tuple[str, str]:
    """Return the names of a match that the person in these seats may see.

    A person without a seat is a watcher. Watchers can open the match only if both players are
    visible to them.
    """
    if len(seats) != 1:
        return names
    other = 1 - seats[0]
    return mask_names(names, (other == 0 and hidden[0], other == 1 and hidden[1]))


def get_privacy(matches: Mapping[str, PlayerPair]) -> dict[str, Privacy]:
    """Return a dictionary that maps the ids of these matches to their privacy.

    There is no query if all matches are public.
    """
    glances = {
        (pair.ids[1 - seat], pair.ids[seat])
        for pair in matches.values()
        for seat in (0, 1)
        if pair.are_protected[seat]
    }
    hidden = find_hidden_glances(glances) if glances else set()
    return {
        pk: PUBLIC
        if pair.is_public
        else Privacy(False, (pair.ids[::-1] in hidden, pair.ids in hidden))
        for pk, pair in matches.items()
    }


def can_see_match(viewer_id: int | None, match_id: str) -> bool:
    """Return whether the match exists and the viewer may see it."""
    return bool(find_visible_matches(viewer_id, [match_id]))


def find_visible_matches(viewer_id: int | None, match_ids: Collection[str]) -> set[str]:
    """Return the ids of the given matches that the viewer may see."""
    return set(get_names_for(viewer_id, get_pairs(match_ids)))


_pairs = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids).values_list("pk", *PAIR), of=str
)

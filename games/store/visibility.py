"""Who may see which player and which match: the one policy that the whole site asks.

Pages, sockets, streams, the API, records, pictures, embeds, exports, feeds, search and the archive
call these functions; nothing decides for itself. A match is visible to its players, and to viewers
who may see both of them. Which players are hidden from a viewer is decided by the function that
`config.wiring` sets.

A viewer is the id of the player who is logged in, or None for a visitor.
"""

from collections.abc import Callable, Collection, Mapping

from games.store.aliases import acting_as

HiddenPlayers = Callable[[int | None, Collection[int]], set[int]]
"""Return those of these players whom a viewer may not see."""

_policy: HiddenPlayers | None = None


def set_policy(policy: HiddenPlayers) -> None:
    """Set the function that decides which players are hidden from a viewer."""
    global _policy  # noqa: PLW0603  # set once, at start-up
    _policy = policy


def hidden_players(viewer_id: int | None, player_ids: Collection[int]) -> set[int]:
    """Return those of these players whom the viewer may not see."""
    if _policy is None:
        raise RuntimeError("config.wiring has not set the visibility policy")
    return _policy(viewer_id, player_ids)


def can_see_player(viewer_id: int | None, player_id: int) -> bool:
    """Whether the viewer may see the player: name, profile, presence and games."""
    return not hidden_players(viewer_id, [player_id])


def can_see_match(viewer_id: int | None, seats: Collection[int]) -> bool:
    """Whether the viewer may see a match between these two players."""
    return bool(visible_matches(viewer_id, {"": seats}))


def visible_matches(viewer_id: int | None, seats: Mapping[str, Collection[int]]) -> set[str]:
    """Return the ids of the matches that the viewer may see, given the players of each match."""
    hidden = hidden_players(viewer_id, {pk for players in seats.values() for pk in players})
    if not hidden:
        return set(seats)
    own = acting_as(viewer_id)
    return {
        match_id
        for match_id, players in seats.items()
        if hidden.isdisjoint(players) or not own.isdisjoint(players)
    }

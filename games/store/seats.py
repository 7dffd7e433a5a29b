"""The seats for which a player may act: the player's own seats, and those held for others.

Some players have no session of their own, such as a guest who plays at the same screen, or a guest
who became part of an account. Another player acts for such a player, and is called the holder.
`sources` has a function for each of these kinds of players. Sockets and pages query this module
once, when they are opened.
"""

from collections.abc import Callable, Collection, Iterable

from games.match.state import MatchState

Source = Callable[[Collection[int]], dict[int, int]]

# The most links to follow from a player to a holder. For example, a guest at the screen of a guest
# who belongs to an account is two links from the account.
_LINKS = 3
sources: list[Source] = []
"""Functions that return a dictionary that maps the id of each given player with a holder to the id
of the holder. Each makes one query by primary key. `config.wiring` sets them."""


def get_holders(player_ids: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return a dictionary that maps each of these ids to the ids of others who may act for it.

    The relation is transitive: holders of a holder are included. Players without a holder are left
    out.
    """
    held = {pk: frozenset[int]() for pk in player_ids}
    asked = set(held)
    for _ in range(_LINKS):
        if not asked:
            break
        found = [(pk, who) for source in sources for pk, who in source(asked).items()]
        for pk, who in found:
            for each, chain in held.items():
                if each == pk or pk in chain:
                    held[each] = chain | {who}
        asked = {who for _, who in found}
    return {pk: chain for pk, chain in held.items() if chain}


def get_held_seats(
    state: MatchState, player_id: int | None, known: dict[int, frozenset[int]] | None = None
) -> tuple[int, ...]:
    """Return the seats of a match for which the player may act: none, one, or both at one screen.

    `known` is the result of `get_holders` for the match's players, if the caller has it.
    """
    if player_id is None:
        return ()
    people = state.first_id, state.second_id
    chains = get_holders(people) if known is None else known
    return tuple(
        seat for seat, pk in enumerate(people) if player_id == pk or player_id in chains.get(pk, ())
    )


def find_pairs_of_one_person(player_ids: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the pairs in which both players are the same person, or share one screen."""
    pairs = set(player_ids)
    chains = get_holders({pk for pair in pairs for pk in pair})

    def behind(pk: int) -> frozenset[int]:
        return chains.get(pk, frozenset()) | {pk}

    return {(one, other) for one, other in pairs if behind(one) & behind(other)}

"""Which seats a player may act for: their own, and those of players whom they hold.

Some players have no session of their own: whoever sits at one screen with somebody, a guest that
became part of an account. Each kind has a function in `sources`. Nothing else
on the site decides who may act for whom: sockets and pages ask here once, when they are opened.
"""

from collections.abc import Callable, Collection, Iterable

from games.match.state import MatchState

Source = Callable[[Collection[int]], dict[int, int]]

_LINKS = 3  # who sits beside a guest that is part of an account: that is the account's in two links
sources: list[Source] = []
"""Functions that return the holder of each of these players that has one, with one query by
primary keys. `config.wiring` sets them."""


def get_holders(player_ids: Iterable[int]) -> dict[int, frozenset[int]]:
    """Who beside themselves may act for each of these players; players whom nobody holds are left
    out. Who holds a holder holds whom that one holds."""
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
    """The seats of a match for which the player may act: none, one, or both at one screen.

    `known` is what `holders` gave for the players of the match, where it was asked for several.
    """
    if player_id is None:
        return ()
    people = state.first_id, state.second_id
    chains = get_holders(people) if known is None else known
    return tuple(
        seat for seat, pk in enumerate(people) if player_id == pk or player_id in chains.get(pk, ())
    )


def find_pairs_of_one_person(player_ids: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those of these pairs in which both players are the same person, or sit at one screen."""
    pairs = set(player_ids)
    chains = get_holders({pk for pair in pairs for pk in pair})

    def behind(pk: int) -> frozenset[int]:
        return chains.get(pk, frozenset()) | {pk}

    return {(one, other) for one, other in pairs if behind(one) & behind(other)}

"""Tells the tabs that show a tournament, here and at the other servers, to read it anew.

A hint may be lost: who shows a tournament looks at its version every few seconds, too.
"""

from collections.abc import Callable, Collection

from django.db import transaction

Listener = Callable[[str, Collection[int]], None]

_listeners: list[Listener] = []


def hears_of_changes(listener: Listener) -> Listener:
    """Decorator: call the function, after the commit and on whichever thread that was, with a
    tournament that has changed and the players whose next game has been opened. It must be quick
    and raise nothing; it passes the news on to its event loop and to the other servers."""
    _listeners.append(listener)
    return listener


def tell_after_commit(tournament_id: str, player_ids: Collection[int] = ()) -> None:
    """Tell all listeners once the transaction is committed."""
    if _listeners:
        transaction.on_commit(lambda: _tell(tournament_id, player_ids))


def _tell(tournament_id: str, player_ids: Collection[int]) -> None:
    for listener in _listeners:
        listener(tournament_id, player_ids)

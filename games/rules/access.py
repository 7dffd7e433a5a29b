"""Who may start matches of which game. Games from rule sheets can be switched off."""

from collections.abc import Collection, Container, Iterator, Mapping
from enum import StrEnum


class Access(StrEnum):
    """Who may start matches of a game."""

    EVERYBODY = "on"
    INVITED = "invitation"
    """The lobby does not list the game. Players can challenge and invite each other to it, and
    groups and tournaments can choose it."""
    NOBODY = "off"
    """No new match starts. The matches that exist stay readable, and live ones go on."""


class AccessTable:
    """Who may start matches of the games in a catalogue, as this process knows it.

    Everybody may, until `set` is called for a game.
    """

    def __init__(self, games: Mapping[str, object]) -> None:
        self._games = games
        self._access: dict[str, Access] = {}

    def get(self, slug: str) -> Access:
        """Return who may start matches of the game. Nobody may, if the game is unknown."""
        return self._access.get(slug, Access.EVERYBODY) if slug in self._games else Access.NOBODY

    def set(self, slug: str, access: Access) -> None:
        """Set who may start matches of the game."""
        self._access[slug] = access

    def select(self, *wanted: Access) -> Collection[str]:
        """Return the slugs of the games with one of these: a view that follows every change."""
        return _Selection(self, self._games, wanted)


class _Selection(Collection[str]):
    def __init__(
        self, table: AccessTable, games: Mapping[str, object], wanted: Container[Access]
    ) -> None:
        self._access, self._games, self._wanted = table, games, wanted

    def __contains__(self, slug: object) -> bool:
        return self._access.get(str(slug)) in self._wanted

    def __iter__(self) -> Iterator[str]:
        return (slug for slug in self._games if slug in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

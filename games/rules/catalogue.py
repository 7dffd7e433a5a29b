"""A mapping that grows while the site runs."""

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import TypeVar

T = TypeVar("T")


class Catalogue(Mapping[str, T]):
    """Values by the slugs of games, such as the games themselves or their boards.

    Entries are only added. Readers need no lock, because `add` replaces the whole dictionary.
    """

    def __init__(self, entries: Mapping[str, T]) -> None:
        self._entries = dict(entries)
        self._lock = Lock()

    def add(self, slug: str, entry: T) -> None:
        """Add an entry, after all others. Raise `ValueError` if there is one with this slug."""
        with self._lock:
            if slug in self._entries:
                raise ValueError(f"there is already a game {slug!r}")
            self._entries = {**self._entries, slug: entry}

    def __getitem__(self, slug: str) -> T:
        return self._entries[slug]

    def __contains__(self, slug: object) -> bool:
        return slug in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

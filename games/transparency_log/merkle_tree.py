"""A Merkle tree (RFC 6962) over hashes, stored in tiles of 256 (c2sp.org/tlog-tiles).

This module has only pure functions and values, and uses no database.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256

from games.formats.verify import node_hash

WIDTH = 256  # hashes in a tile

Tiles = Callable[[int, int], list[bytes]]
"""A function that returns the hashes that a tile has so far, given its level and index."""


class Tree:
    """The tree over the first `size` entries. Each tile is read at most once."""

    def __init__(self, tiles: Tiles, size: int) -> None:
        self.size = size
        self._tiles = tiles
        self._read: dict[tuple[int, int], list[bytes]] = {}

    def root(self) -> bytes:
        """Return the root hash."""
        return self._hash(0, self.size)

    def inclusion(self, index: int) -> list[bytes]:
        """Return the inclusion proof of an entry. Raise `ValueError` if there is no such entry."""
        if not 0 <= index < self.size:
            raise ValueError("no such entry")
        return self._path(index, 0, self.size)

    def consistency(self, size: int) -> list[bytes]:
        """Return the consistency proof between the tree of the first `size` entries and this one.

        Raise `ValueError` if `size` is 0 or greater than the size of this tree.
        """
        if not 0 < size <= self.size:
            raise ValueError("no such tree")
        return self._subproof(size, 0, self.size, is_known=True)

    def _path(self, index: int, start: int, end: int) -> list[bytes]:
        if end - start == 1:
            return []
        middle = start + _get_split(end - start)
        if index < middle:
            return [*self._path(index, start, middle), self._hash(middle, end)]
        return [*self._path(index, middle, end), self._hash(start, middle)]

    def _subproof(self, size: int, start: int, end: int, is_known: bool) -> list[bytes]:
        if start + size == end:
            return [] if is_known else [self._hash(start, end)]
        half = _get_split(end - start)
        middle = start + half
        if size <= half:
            return [*self._subproof(size, start, middle, is_known), self._hash(middle, end)]
        inner = self._subproof(size - half, middle, end, is_known=False)
        return [*inner, self._hash(start, middle)]

    def _hash(self, start: int, end: int) -> bytes:
        """Return the hash over the entries from `start` up to, but not including, `end`."""
        count = end - start
        if count == 0:
            return sha256(b"").digest()
        if count & (count - 1) == 0:
            return self._perfect(start, count)
        middle = start + _get_split(count)
        return node_hash(self._hash(start, middle), self._hash(middle, end))

    def _perfect(self, start: int, count: int) -> bytes:
        levels = WIDTH.bit_length() - 1  # levels of the tree within a tile
        level, more = divmod(count.bit_length() - 1, levels)
        tile, place = divmod(start >> level * levels, WIDTH)
        if (level, tile) not in self._read:
            self._read[level, tile] = self._tiles(level, tile)
        return fold_hashes(self._read[level, tile][place : place + (1 << more)])


class Frontier:
    """The right edge of a growing tree: the roots of its perfect subtrees, largest first.

    New entries can be appended, and the root computed, without reading earlier entries.
    """

    def __init__(self, size: int = 0, peaks: bytes = b"") -> None:
        """Raise `ValueError` if a tree of that size cannot have these peaks."""
        if len(peaks) != 32 * size.bit_count():
            raise ValueError("the peaks do not fit the size of the log")
        self.size = size
        self._peaks = [peaks[at : at + 32] for at in range(0, len(peaks), 32)]

    @property
    def peaks(self) -> bytes:
        return b"".join(self._peaks)

    def append(self, leaves: Iterable[bytes]) -> list[tuple[int, int, bytes]]:
        """Append entry hashes, and return the level, index and hash of each new tile node."""
        nodes, levels = [], WIDTH.bit_length() - 1
        for leaf in leaves:
            self._peaks.append(leaf)
            self.size += 1
            count, height = self.size, 0
            while count & 1 == 0:
                right, left = self._peaks.pop(), self._peaks.pop()
                self._peaks.append(node_hash(left, right))
                count, height = count >> 1, height + 1
                if height % levels == 0:
                    nodes.append((height // levels, count - 1, self._peaks[-1]))
        return nodes

    def root(self) -> bytes:
        """Return the root hash of the tree."""
        if not self._peaks:
            return sha256(b"").digest()
        *greater, found = self._peaks
        for peak in reversed(greater):
            found = node_hash(peak, found)
        return found


def fold_hashes(hashes: list[bytes]) -> bytes:
    """Return the root over hashes, whose number must be a power of two."""
    while len(hashes) > 1:
        hashes = [node_hash(*hashes[i : i + 2]) for i in range(0, len(hashes), 2)]
    return hashes[0]


def _get_split(count: int) -> int:
    """Return the largest power of two below `count`. `count` must be at least 2."""
    return 1 << (count - 1).bit_length() - 1

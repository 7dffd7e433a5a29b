"""A real server: a match that ends is soon in the log, and anybody can verify it from outside."""

import json

from games.formats import verify
from games.rules import GAMES
from games.transparency_log.merkle_tree import WIDTH, Tree
from tests.builders.sites import Person, Site
from tests.builders.sockets import play_new_match
from tests.builders.transparency_log import fetch, wait_for_record

IS_ALONE = True  # the log has all matches, and its first tile must not be full
MOVES = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


def test_a_match_that_ends_is_logged_and_verified_from_outside(site: Site) -> None:
    told = json.loads(fetch(site, "/.well-known/parlour-keys.json"))
    keys = [each["key"] for each in told["keys"]]
    name, public = verify.parse_key(keys[0])
    sizes = []
    for _ in range(2):
        match_id, _ = play_new_match(
            Person(site).be_guest(), Person(site).be_guest(), "tic-tac-toe", *MOVES
        )
        record = wait_for_record(site, match_id, keys)
        verify.replayed(record, GAMES)
        size, root = verify.parse_checkpoint(
            fetch(site, "/log/2/checkpoint").decode(), name, public
        )
        # The root follows from the entries alone, as the tiles give them.
        bundle = fetch(site, f"/log/2/tile/entries/000.p/{size}")
        entries = []
        while bundle:
            length = int.from_bytes(bundle[:2], "big")
            entries.append(bundle[2 : 2 + length])
            bundle = bundle[2 + length :]
        leaves = [verify.leaf_hash(entry) for entry in entries]
        assert b"".join(leaves) == fetch(site, f"/log/2/tile/0/000.p/{size}")
        assert Tree(lambda level, index, here=leaves: here, size).root() == root
        assert verify.entry(record["nonce"], record["match"], verify.digest_of(record)) in entries
        sizes.append(size)
    assert 0 < sizes[0] < sizes[1] < WIDTH

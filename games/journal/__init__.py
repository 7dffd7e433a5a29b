"""The one writer of matches.

Commands that come at the same time (one, or hundreds for different matches) are read, carried out
by `games.match.conduct` and committed in one transaction; then they are answered and published. So
a busy server shares the cost of a commit, and an idle one adds nothing to it.

The database decides every race. The rows are locked while they are read (on SQLite by the
transaction, which is the only writer; on PostgreSQL row by row), a row is written only if its
version is still the one that was read, and (match, ply) is unique among the moves.
"""

"""The single writer of matches.

Commands that arrive while a commit runs form the next batch, for one match or for hundreds. They
are read, carried out by `games.match.conduct` and committed in one transaction; then they are
answered and published. So under load many commands share the cost of a commit, and an idle server
adds no delay.

The database decides every race. Matches are locked when they are read (on SQLite by the
transaction, which is the only writer; on PostgreSQL row by row), a match is written only if its
version is still the one that was read, and (match, ply) is unique among the moves.
"""

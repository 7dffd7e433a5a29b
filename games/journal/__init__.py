"""The writer of matches. It opens them and carries out the commands for them.

After an outage, `games.store.heartbeat` also writes to matches, to postpone their clocks, and
`games.engine.turns` writes its leases on turns.

Commands that arrive during a commit form the next batch, whether they concern one match or
hundreds. `games.match.conduct` carries them out, one transaction commits them, and then they are
answered and published. Under load, many commands share the cost of a commit; on an idle server, a
command does not wait.

The database decides every race. A match is locked when it is read: on PostgreSQL by a row lock, on
SQLite by the transaction, which is the only writer. If the requester knows the last state of a
match, the match does not need to be read. A match is written only if its version and chain are
still those of the known state, and (match, ply) is unique among the moves.
"""

"""NDJSON streams that follow games, players, seeks and channels, as sockets do."""

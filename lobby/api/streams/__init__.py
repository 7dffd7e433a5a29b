"""NDJSON streams. Each follows a match, a player or a channel, as a socket does."""

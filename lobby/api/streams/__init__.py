"""NDJSON streams, each of which follows a match, a player or a channel, like a socket."""

"""The sockets of the lobby."""

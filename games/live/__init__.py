"""Live matches: their sockets, rooms and referee, and the sessions behind all sockets."""

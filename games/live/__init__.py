"""The live parts of the site: sockets, sessions, rooms and the referee."""

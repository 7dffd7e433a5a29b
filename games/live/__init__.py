"""Live parts of the site: sockets, sessions, rooms, and the referee."""

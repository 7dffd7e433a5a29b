"""What is open now: sockets, sessions, rooms, and the referee."""

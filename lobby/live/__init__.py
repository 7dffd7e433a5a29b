"""The lobby's sockets."""

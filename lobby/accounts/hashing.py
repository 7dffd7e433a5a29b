"""How passwords are hashed: as Django does it, and with no connection to the database held
meanwhile. A hash takes a third of a second, and who guesses asks for many."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection


class Hasher(PBKDF2PasswordHasher):
    """Django's own, by the same name: stored passwords stay valid."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        if not connection.in_atomic_block:
            connection.close()  # to the pool; the next query takes one again
        return super().encode(password, salt, iterations)

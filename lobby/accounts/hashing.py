"""Hashing passwords: Django's own way, but without holding a database connection meanwhile.

A hash takes a third of a second, and somebody who guesses passwords asks for many of them.
"""

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection


class Hasher(PBKDF2PasswordHasher):
    """Django's own, by the same name: stored passwords stay valid."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        if not connection.in_atomic_block:
            connection.close()  # back to the pool; the next query takes another one
        return super().encode(password, salt, iterations)

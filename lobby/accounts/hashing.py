"""Hashing passwords: Argon2, without holding a database connection meanwhile, a few at a time.

A hash takes a tenth of a second and 46 MiB, and somebody who guesses passwords asks for many.
"""

from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher
from django.db import connection

_room = BoundedSemaphore(settings.CONCURRENT_PASSWORD_HASHES)  # in this process; the others wait


def _let_go() -> None:
    """Give the connection back to the pool; the next query takes another one."""
    if not connection.in_atomic_block:
        connection.close()


class Argon2Hasher(Argon2PasswordHasher):
    """OWASP's second choice of parameters: the same strength as its first, in fewer passes."""

    time_cost = 1
    memory_cost = 46 * 1024  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        _let_go()
        with _room:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        _let_go()
        with _room:
            return bool(super().verify(password, encoded))


class PBKDF2Hasher(PBKDF2PasswordHasher):
    """What was used before: such passwords stay valid, and are hashed anew at the next login."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        _let_go()
        return super().encode(password, salt, iterations)

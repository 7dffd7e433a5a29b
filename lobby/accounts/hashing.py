"""Password hashers that use no database connection while they work, and few threads.

A hash takes 0.1 s and 46 MiB, and an attacker who guesses passwords requests many.
"""

from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher
from django.db import connection

_slots = BoundedSemaphore(settings.CONCURRENT_PASSWORD_HASHES)  # per process; more hashes must wait


def _release_connection() -> None:
    """Return the database connection to the pool, unless a transaction is open.

    The next query takes another connection.
    """
    if not connection.in_atomic_block:
        connection.close()


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2 with one of OWASP's equally strong sets of parameters: 46 MiB and one pass."""

    time_cost = 1
    memory_cost = 46 * 1024  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        _release_connection()
        with _slots:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        _release_connection()
        with _slots:
            return bool(super().verify(password, encoded))


class PBKDF2Hasher(PBKDF2PasswordHasher):
    """The former hasher. Its hashes are still valid, and are replaced at the next login."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        _release_connection()
        return super().encode(password, salt, iterations)

"""Password hashers that release the database connection while they work.

An Argon2 hash takes 0.1 s and 46 MiB, and an attacker who guesses passwords makes the site compute
many. Each process therefore limits how many it computes at the same time.
"""

from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher
from django.db import connection

_slots = BoundedSemaphore(settings.CONCURRENT_PASSWORD_HASHES)  # for Argon2, in this process


def _release_connection() -> None:
    """Close the database connection, unless a transaction is open.

    With a connection pool, this returns the connection to the pool. The next query opens another
    one.
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

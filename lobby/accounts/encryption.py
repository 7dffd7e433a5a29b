"""Encrypting stored secrets with a key that is derived from `SECRET_KEY`.

Secrets that were encrypted with one of `SECRET_KEY_FALLBACKS` can still be decrypted.
"""

import base64
from hashlib import blake2b

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


def encrypt(text: str) -> str:
    """Encrypt a secret, so that the database alone does not reveal it."""
    return _keys().encrypt(text.encode()).decode()


def decrypt(text: str) -> str:
    return _keys().decrypt(text.encode()).decode()


def _keys() -> MultiFernet:
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet(
        [
            Fernet(
                base64.urlsafe_b64encode(
                    blake2b(secret.encode(), digest_size=32, person=b"factors").digest()
                )
            )
            for secret in secrets
        ]
    )

"""Codes of an authenticator app, each good once (RFC 6238, 5.2); their secrets are encrypted."""

import base64
import time
from hashlib import blake2b
from secrets import compare_digest

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.db import transaction

_PERIOD = 30  # seconds


def accept_code(authenticator: Authenticator, code: str) -> bool:
    """Whether the app shows this code now, or did a moment ago. Each is accepted once, and none
    that is older than the last one: whichever server asks, the row decides."""
    given = "".join(code.split())
    now = int(time.time()) // _PERIOD
    spread = settings.MFA_TOTP_TOLERANCE
    with transaction.atomic():
        row = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
        secret = decrypt(row.data["secret"])
        for step in range(now - spread, now + spread + 1):
            shown = auth.format_hotp_value(auth.hotp_value(secret, step))
            if given.isascii() and compare_digest(given, shown) and step > row.data.get("step", 0):
                row.data["step"] = step
                row.save(update_fields=["data"])
                return True
    return False


def encrypt(text: str) -> str:
    """What is stored of a secret: who has the database alone has no second factor."""
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

"""Second factors: the secret of an authenticator app, and the codes that it shows."""

import base64
import hmac
import struct
import time
from typing import Any

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

GIVE_TO_STAFF = (
    "from lobby.models import Player; from tests.builders.second_factors import give_factor;"
    "[give_factor(each) for each in Player.objects.filter(is_staff=True)]"
)
"""A script for a site's `manage.py shell`: let all staff use an app with `SECRET`."""


def give_factor(account: Any) -> None:
    """Let the account use an authenticator app with `SECRET`."""
    # Imported here because tests of servers also need codes, and run without Django.
    from allauth.mfa.models import Authenticator
    from allauth.mfa.utils import encrypt

    Authenticator.objects.create(user=account, type="totp", data={"secret": encrypt(SECRET)})


def get_code(steps: int = 0, secret: str = SECRET) -> str:
    """Return the code that the app shows now, or `steps` periods of 30 s later (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    mac = hmac.digest(base64.b32decode(secret), counter, "sha1")
    start = mac[-1] & 15
    return f"{(int.from_bytes(mac[start : start + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"

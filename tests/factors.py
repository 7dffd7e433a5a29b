"""Second factors for tests: an authenticator app's secret, and the codes that it shows."""

import base64
import hmac
import struct
import time
from typing import Any

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

GIVE = (
    "from lobby.models import Player; from tests.factors import give_factor;"
    "[give_factor(each) for each in Player.objects.filter(is_staff=True)]"
)
"""For a site's `manage.py shell`: all staff use an app with SECRET."""


def give_factor(account: Any) -> None:
    """Have the account use an authenticator app with SECRET."""
    # Not at the top: codes are shown beside servers too, without Django.
    from allauth.mfa.models import Authenticator
    from allauth.mfa.utils import encrypt

    Authenticator.objects.create(user=account, type="totp", data={"secret": encrypt(SECRET)})


def code(steps: int = 0, secret: str = SECRET) -> str:
    """What the app shows now, or so many periods of 30 s from now (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    mac = hmac.digest(base64.b32decode(secret), counter, "sha1")
    start = mac[-1] & 15
    return f"{(int.from_bytes(mac[start : start + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"

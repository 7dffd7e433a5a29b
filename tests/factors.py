"""Second factors for tests: an authenticator app's secret, and the codes that it shows."""

import time
from typing import Any

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def give_factor(account: Any) -> None:
    """Have the account use an authenticator app with SECRET."""
    # Not at the top: this module is used beside servers too, without Django.
    from allauth.mfa.models import Authenticator
    from allauth.mfa.utils import encrypt

    Authenticator.objects.create(user=account, type="totp", data={"secret": encrypt(SECRET)})


def code(steps: int = 0) -> str:
    """What the app shows now, or so many periods of 30 s from now."""
    from allauth.mfa.totp.internal import auth

    return auth.format_hotp_value(auth.hotp_value(SECRET, int(time.time()) // 30 + steps))

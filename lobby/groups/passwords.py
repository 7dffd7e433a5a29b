"""The passwords of a class: two words and a number, that children can read and type.

They follow from the form that asks for them: it holds a random token, and is all that tells them,
together with the site's secret. So a form that is sent twice shows the same sheet both times,
while nobody stores a password.
"""

import hmac
import secrets
from hashlib import blake2b
from itertools import count

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from games.messages.guest_names import FRIENDS, SHADES
from lobby.models import Player

_LONGEST = 6  # letters of a word
_FIRST, _SECOND = ([word.lower() for word in some if len(word) <= _LONGEST]
                   for some in (SHADES, FRIENDS))  # fmt: skip


def new_token() -> str:
    """What a form holds: 192 bits."""
    return secrets.token_urlsafe(24)


def is_token(text: str) -> bool:
    """Whether the text may be one of these."""
    return len(text) == 32 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def key_of(token: str, content: str) -> str:
    """What is stored of a form that was sent: with other content it is another one."""
    return blake2b(f"{token}\n{content}".encode(), digest_size=32).hexdigest()


def password_of(token: str, name: str) -> str:
    """The password that the form gives to the account of that name: 24 bits, as `amber-otter-472`.
    It is one that the site takes for that name."""
    for attempt in count():
        number = _number(f"{token} {attempt} {name}")
        number, first = divmod(number, len(_FIRST))
        number, second = divmod(number, len(_SECOND))
        password = f"{_FIRST[first]}-{_SECOND[second]}-{100 + number % 900}"
        try:
            validate_password(password, Player(username=name))
        except ValidationError:
            continue
        return password
    raise AssertionError("counting ends never")


def _number(text: str) -> int:
    key = blake2b(settings.SECRET_KEY.encode(), person=b"class passwords").digest()
    return int.from_bytes(hmac.digest(key, text.encode(), "sha256"), "big")

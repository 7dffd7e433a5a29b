"""The passwords of a class: two words and a number, which children can read and type.

A password is derived from the random token of the form that requests it and from the site's secret
key. A form that is sent twice therefore gives the same passwords, although none of them is stored.
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


def create_token() -> str:
    """Return a random token for a form, with 192 bits."""
    return secrets.token_urlsafe(24)


def is_token(text: str) -> bool:
    """Return whether the text has the format of a token."""
    return len(text) == 32 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def compute_key(token: str, content: str) -> str:
    """Return the key under which a sent form is stored. It depends on the form's content."""
    return blake2b(f"{token}\n{content}".encode(), digest_size=32).hexdigest()


def compute_password(token: str, name: str) -> str:
    """Return the form's password for the account with that name, such as `amber-otter-472`.

    The password has 24 bits, and passes the site's validation for the name.
    """
    for attempt in count():
        number = _compute_number(f"{token} {attempt} {name}")
        number, first = divmod(number, len(_FIRST))
        number, second = divmod(number, len(_SECOND))
        password = f"{_FIRST[first]}-{_SECOND[second]}-{100 + number % 900}"
        try:
            validate_password(password, Player(username=name))
        except ValidationError:
            continue
        return password
    raise AssertionError("counting ends never")


def _compute_number(text: str) -> int:
    key = blake2b(settings.SECRET_KEY.encode(), person=b"class passwords").digest()
    return int.from_bytes(hmac.digest(key, text.encode(), "sha256"), "big")

"""The key that signs records and checkpoints.

Its seed is a setting. Its public half is kept with those of before, so that what they signed can be
verified when the seed has changed.
"""

from base64 import b64encode
from functools import lru_cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils import timezone

from games.formats.verify import key_id, key_text
from games.models import SigningKey


def origin() -> str:
    """The log's name: its address without the scheme."""
    return f"{urlsplit(settings.ALLOWED_ORIGINS[0]).netloc}/log"


def key() -> str:
    """The text of the public half of today's key. The first call stores it."""
    text = key_text(origin(), _public(settings.SIGNING_SEED))
    SigningKey.objects.get_or_create(text=text, defaults={"since": timezone.now()})
    return text


def every_key() -> list[dict[str, str | int]]:
    """Today's key and those of before, the newest first."""
    key()
    rows = SigningKey.objects.order_by("-since", "-pk").values_list("text", "since")
    return [{"key": text, "since": int(since.timestamp())} for text, since in rows[:1000]]


def sign(text: bytes) -> bytes:
    """The 64 bytes of an Ed25519 signature: always the same for the same text."""
    return _private(settings.SIGNING_SEED).sign(text)


def note(text: str) -> str:
    """A signed note of lines that end with a newline (c2sp.org/signed-note)."""
    packed = key_id(origin(), _public(settings.SIGNING_SEED)) + sign(text.encode())
    return f"{text}\n\u2014 {origin()} {b64encode(packed).decode()}\n"


@lru_cache(maxsize=4)
def _private(seed: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(seed)


@lru_cache(maxsize=4)
def _public(seed: bytes) -> bytes:
    return _private(seed).public_key().public_bytes_raw()

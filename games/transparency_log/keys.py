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

_FORMER = "/log"  # the path of the log whose entries named the matches
_PATH = "/log/2"


def origin() -> str:
    """The log's name: its address without the scheme."""
    return f"{urlsplit(settings.ALLOWED_ORIGINS[0]).netloc}{_PATH}"


def former_origin() -> str:
    """The former log's name."""
    return f"{urlsplit(settings.ALLOWED_ORIGINS[0]).netloc}{_FORMER}"


def is_of_former_log(name: str) -> bool:
    """Whether an origin is the former log's, at any host that the site had."""
    return not name.endswith(_PATH)


def key(name: str | None = None) -> str:
    """The text of the public half of today's key, by default for the log. The first call stores
    it."""
    text = key_text(name or origin(), _public(settings.SIGNING_SEED))
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


def checkpoint(name: str, size: int, root: bytes) -> str:
    """The signed size and root of the log of that origin (c2sp.org/tlog-checkpoint)."""
    text = f"{name}\n{size}\n{b64encode(root).decode()}\n"
    packed = key_id(name, _public(settings.SIGNING_SEED)) + sign(text.encode())
    return f"{text}\n\u2014 {name} {b64encode(packed).decode()}\n"


@lru_cache(maxsize=4)
def _private(seed: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(seed)


@lru_cache(maxsize=4)
def _public(seed: bytes) -> bytes:
    return _private(seed).public_key().public_bytes_raw()

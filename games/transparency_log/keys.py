"""The key that signs records and checkpoints.

Its seed is a setting. The public half of each key is stored when it is first published, so that
earlier signatures can be verified after the seed has changed.
"""

from base64 import b64encode
from functools import lru_cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils import timezone

from games.formats.verify import key_id, key_text
from games.models import SigningKey

_FORMER = "/log"  # the path of the former log, whose entries contain match ids
_PATH = "/log/2"


def get_origin() -> str:
    """Return the log's name: its address without the scheme."""
    return f"{urlsplit(settings.ALLOWED_ORIGINS[0]).netloc}{_PATH}"


def get_former_origin() -> str:
    """Return the former log's name."""
    return f"{urlsplit(settings.ALLOWED_ORIGINS[0]).netloc}{_FORMER}"


def is_of_former_log(name: str) -> bool:
    """Return whether a name has the form of the former log's, on any host that the site had.

    Every name that does not end in the path of the current log has this form.
    """
    return not name.endswith(_PATH)


def get_key(name: str | None = None) -> str:
    """Return the public half of the current key for the log with this name, as text.

    The default is the current log. The key is stored if it was not stored yet.
    """
    text = key_text(name or get_origin(), _get_public_key(settings.SIGNING_SEED))
    SigningKey.objects.get_or_create(text=text, defaults={"since": timezone.now()})
    return text


def list_keys() -> list[dict[str, str | int]]:
    """Return the current and the former keys for both logs, newest first, at most 1,000."""
    get_key()
    rows = SigningKey.objects.order_by("-since", "-pk").values_list("text", "since")
    return [{"key": text, "since": int(since.timestamp())} for text, since in rows[:1000]]


def sign_text(text: bytes) -> bytes:
    """Return an Ed25519 signature (64 bytes). The same text always gives the same signature."""
    return _get_private_key(settings.SIGNING_SEED).sign(text)


def sign_checkpoint(name: str, size: int, root: bytes) -> str:
    """Return a signed checkpoint of the log with that origin (c2sp.org/tlog-checkpoint)."""
    text = f"{name}\n{size}\n{b64encode(root).decode()}\n"
    packed = key_id(name, _get_public_key(settings.SIGNING_SEED)) + sign_text(text.encode())
    return f"{text}\n\u2014 {name} {b64encode(packed).decode()}\n"


@lru_cache(maxsize=4)
def _get_private_key(seed: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(seed)


@lru_cache(maxsize=4)
def _get_public_key(seed: bytes) -> bytes:
    return _get_private_key(seed).public_key().public_bytes_raw()

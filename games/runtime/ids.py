"""Short random ids for use in URLs."""

import hashlib
import secrets

# The alphabet has no 0, O, o, 1, l or I, because an id may be read out over the phone.
ALPHABET = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
LENGTH = 10  # 56**10: a thousand guesses per second find one of a million ids after ten years
PATTERN = r"^[0-9A-Za-z]{1,16}$"  # the ids that requests may contain


def new_id() -> str:
    """Return a new random id of `LENGTH` characters."""
    return _spell(secrets.randbelow(len(ALPHABET) ** LENGTH))


def derive_id(*parts: str) -> str:
    """Return an id that depends only on the parts, so that a form sent twice gets the same id."""
    text = "\0".join(parts).encode()
    return _spell(int.from_bytes(hashlib.blake2b(text, person=b"id").digest()))


def _spell(number: int) -> str:
    """Return the last `LENGTH` digits of a number, in reverse order, with the alphabet's digits."""
    found = []
    for _ in range(LENGTH):
        number, at = divmod(number, len(ALPHABET))
        found.append(ALPHABET[at])
    return "".join(found)

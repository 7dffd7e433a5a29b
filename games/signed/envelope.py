"""A record with its signature and its place in the log, as `games/formats/verify.py` reads it."""

from base64 import b64encode
from typing import Any

from msgspec import to_builtins

from games.formats.verify import DOMAIN, canonical, digest_of
from games.signed import keys, log
from games.signed.statement import statement
from games.store.records import Record
from games.words.refusal import Refused


def signed(found: Record) -> bytes:
    """The statement with its signature and its place in the log, as canonical JSON.

    The place is null for some seconds after the end. Raises `Refused`: the match is not over, or is
    not what the log has.
    """
    told = statement(found)
    if told is None:
        raise Refused("not-signed")
    logged = log.newest(found.state.id)
    if (
        logged is not None
        and logged.sha256 != digest_of(told)
        and not log.is_wished(found.state.id)
    ):
        raise Refused("not-as-logged")
    is_there = logged is not None and logged.sha256 == digest_of(told)
    place: Any = to_builtins(log.proof_of(logged)) if logged is not None and is_there else None
    signature = b64encode(keys.sign(DOMAIN + canonical(told))).decode()
    return canonical({"record": told, "key": keys.key(), "signature": signature, "log": place})

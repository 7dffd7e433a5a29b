"""A signed record with its place in the log, which `games/formats/verify.py` can check."""

from base64 import b64encode
from typing import Any

from msgspec import to_builtins

from games.formats.verify import canonical, digest_of, signed_text
from games.messages.refusal import Refused
from games.store.records import MatchRecord
from games.transparency_log import former_log, keys, log
from games.transparency_log.statement import build_former_statement, build_statement


def sign_record(found: MatchRecord) -> bytes:
    """Return the signed statement with its place in the log, as canonical JSON.

    The place is null for some seconds after the end of the match. Raise `Refused` if the match is
    not over, or if it differs from its entry in the log.
    """
    match_id = found.state.id
    logged = log.get_newest_entry(match_id)
    told = build_statement(found, None if logged is None else logged.nonce)
    if told is None:
        raise Refused("not-signed")
    if logged is None:  # matches of the former log are appended to the new one gradually
        former = former_log.get_newest_digest(match_id)
        is_there, is_same = False, former in {None, digest_of(build_former_statement(found) or {})}
    else:
        is_there = is_same = logged.sha256 == digest_of(told)
    if not is_same and not log.is_requested(match_id):
        raise Refused("not-as-logged")
    place: Any = to_builtins(log.get_proof(logged)) if logged is not None and is_there else None
    signature = b64encode(keys.sign_text(signed_text(told))).decode()
    return canonical({"record": told, "key": keys.get_key(), "signature": signature, "log": place})

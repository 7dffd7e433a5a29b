"""Verify a signed record of a match offline.

    python verify.py record.json --key 'play.example.org/log+a1b2c3d4+AZ…'

The record is the response of `/match/<id>/signed.json`. The key is one of the keys in
`/.well-known/parlour-keys.json`; `--keys` accepts that file itself. Save the key long before you
need it, so that the site cannot replace it. The script checks that

- the file is exactly canonical JSON (RFC 8785), and has the fields and types of a record;
- the record is signed with the key (Ed25519);
- the record is in the tree of a checkpoint of the site's log that is signed with the same key
  (RFC 6962; c2sp.org/tlog-checkpoint), unless the record is not in the log yet and `--unlogged` is
  given;
- the rules allow each action and lead to the result. This check needs `games.rules`, from the
  checkout of the site that has this script or from `--rules`, and `--sheet` for a game from a rule
  sheet (`/api/games/<slug>/sheet.kif`); otherwise the script reports that the rules were not
  checked.

Records of the former log (`parlour-record/1`) are verified with its checkpoints, which stay valid.

The script needs Python 3.11 and the package `cryptography`, but no other file of the site except
for the rules. If it refuses a record, it prints the reason.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, TypeAlias

FORMAT = "parlour-record/2"
# The format of records without a nonce, from the former log, whose entries contain match ids.
FORMER_FORMAT = "parlour-record/1"
ED25519 = b"\x01"  # the type byte of Ed25519 keys (c2sp.org/signed-note)
_GREATEST = 2**53 - 1  # larger integers lose precision in some JSON readers
_SIZE = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)  # the size of a log, without leading zeros
_NONCE = re.compile(r"[0-9a-f]{32}", re.ASCII)

Value: TypeAlias = "str | int | bool | list[Value] | tuple[Value, ...] | Mapping[str, Value] | None"


class Unsound(Exception):  # noqa: N818  # an expected outcome, not an error
    """A record, key, checkpoint or proof is invalid. The message says why."""


# -- canonical JSON


def canonical(value: Value) -> bytes:
    """Return the canonical JSON of a value (RFC 8785), with keys in the order of UTF-16 code units.

    Raise `ValueError` for values that the records cannot have: fractions, integers beyond 2^53 - 1,
    and text that is not valid Unicode.
    """
    # For plain values, the library's encoder in C gives the same text in a third of the time.
    text = _encode_plain(value) if _is_plain((value,)) else _text(value)
    return text.encode()


_encode_plain = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
_SIMPLE = frozenset({str, bool, type(None)})


def _is_plain(values: Iterable[Any]) -> bool:
    """Return whether these values, and all values in them, need no special care.

    They have exactly the types that JSON is read into, no fractions or large integers, and all keys
    are ASCII, so that the order of their code points is that of their UTF-16 code units.
    """
    for value in values:
        kind = type(value)
        if kind in _SIMPLE:
            continue
        if kind is int:
            if not -_GREATEST <= value <= _GREATEST:
                return False
        elif kind is dict:
            for key in value:
                if type(key) is not str or not key.isascii():
                    return False
            if not _is_plain(value.values()):
                return False
        elif kind is not list or not _is_plain(value):
            return False
    return True


def _text(value: Value) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        if abs(value) > _GREATEST:
            raise ValueError(f"too great an integer: {value}")
        return str(value)
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("a key that is no text")
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{_text(key)}:{_text(value[key])}" for key in keys) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_text, value)) + "]"
    raise ValueError(f"not in canonical JSON: {type(value).__name__}")


# -- the log's tree


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a log entry (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node above two others."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def blinded_id(nonce: str, match: str) -> str:
    """Return the id of a match in the public log.

    Only the site and the readers of the record know the nonce, so nobody else can compute the id.
    """
    return hashlib.sha256(b"parlour-match/2\n" + bytes.fromhex(nonce) + match.encode()).hexdigest()


def entry(nonce: str, match: str, digest: str) -> bytes:
    """Return the log's entry for a match. `digest` is the hash of its record, in hexadecimal.

    The record contains a random nonce, so nobody can use the hash to confirm a guessed record.
    """
    return canonical({"id": blinded_id(nonce, match), "sha256": digest})


def former_log_entry(size: int, root: str) -> bytes:
    """Return the entry that commits the log to the former log. `root` is hexadecimal."""
    return canonical({"former_log": {"root": root, "size": size}})


def former_entry(match: str, digest: str) -> bytes:
    """Return the former log's entry for a match."""
    return canonical({"match": match, "sha256": digest})


def signed_text(record: Mapping[str, Value]) -> bytes:
    """Return the bytes of a record that the site signs.

    The format comes first, so no other signed text can be mistaken for it.
    """
    return f"{record['format']}\n".encode() + canonical(record)


def digest_of(record: Mapping[str, Value]) -> str:
    """Return the hash of a record, in hexadecimal."""
    return hashlib.sha256(canonical(record)).hexdigest()


def root_of(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root that an inclusion proof leads to (RFC 9162, 2.1.3.2).

    Raise `Unsound` if a tree of this size has no such index, or if the proof is too long or too
    short.
    """
    if not 0 <= index < size:
        raise Unsound("The place in the log is beyond its end.")
    at, last, found = index, size - 1, leaf
    for node in proof:
        if last == 0:
            raise Unsound("The proof of the log is too long.")
        if at & 1 or at == last:
            found = node_hash(node, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, node)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise Unsound("The proof of the log is too short.")
    return found


def must_be_consistent(
    former: tuple[int, bytes], now: tuple[int, bytes], proof: Sequence[bytes]
) -> None:
    """Check that one tree continues a former one (RFC 9162, 2.1.4.2).

    Each tree is given as its size and its root. Raise `Unsound` if the proof is invalid.
    """
    (size, root), (greater, later) = former, now
    if size > greater:
        raise Unsound("The log is shorter than the checkpoint.")
    if size in {0, greater}:
        if proof or root != (later if size else hashlib.sha256(b"").digest()):
            raise Unsound("The log does not continue the checkpoint.")
        return
    nodes = list(proof) if size & (size - 1) else [root, *proof]
    at, last = size - 1, greater - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = nodes[0] if nodes else b""
    for node in nodes[1:]:
        if last == 0:
            raise Unsound("The proof of consistency is too long.")
        if at & 1 or at == last:
            old, new = node_hash(node, old), node_hash(node, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, node)
        at, last = at >> 1, last >> 1
    if last or old != root or new != later:
        raise Unsound("The log does not continue the checkpoint.")


# -- keys and notes


def key_id(name: str, public: bytes) -> bytes:
    """Return the four bytes that identify a key in signed notes (c2sp.org/signed-note)."""
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def key_text(name: str, public: bytes) -> str:
    """Return a key as text: its name, its id and the public key itself."""
    packed = base64.b64encode(ED25519 + public).decode()
    return f"{name}+{key_id(name, public).hex()}+{packed}"


def parse_key(text: str) -> tuple[str, bytes]:
    """Return the name and the public key from the output of `key_text`.

    Raise `Unsound` for any other text.
    """
    parts = text.split("+", 2)
    if len(parts) == 3:
        packed = _bytes(parts[2], 33)
        is_name = parts[0].split() == [parts[0]]
        if is_name and packed[:1] == ED25519 and key_text(parts[0], packed[1:]) == text:
            return parts[0], packed[1:]
    raise Unsound("That is no key.")


def parse_checkpoint(note: str, name: str, public: bytes) -> tuple[int, bytes]:
    """Return the size and the root in a checkpoint.

    Raise `Unsound` if it is not a checkpoint of this log, or if the key did not sign it.
    """
    text, blank, signature = note.partition("\n\n")
    lines = text.split("\n")
    start = f"\u2014 {name} "
    if not blank or len(lines) != 3 or not signature.startswith(start):
        raise Unsound("The checkpoint is none of this log.")
    packed = _bytes(signature.removeprefix(start).removesuffix("\n"), 68)
    if not signature.endswith("\n") or packed[:4] != key_id(name, public):
        raise Unsound("The checkpoint is signed with another key.")
    _must_be_signed(public, packed[4:], f"{text}\n".encode(), "checkpoint")
    origin, size, root = lines
    if origin != name or not _SIZE.fullmatch(size):
        raise Unsound("The checkpoint is of another log.")
    return int(size), _bytes(root, 32)


def _must_be_signed(public: bytes, signature: bytes, text: bytes, what: str) -> None:
    # Imported here, because callers that only compute hashes do not need this package.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except InvalidSignature:
        raise Unsound(f"The {what}'s signature is wrong.") from None


def _bytes(text: Any, length: int) -> bytes:
    try:
        if not isinstance(text, str):
            raise ValueError
        found = base64.b64decode(text, validate=True)
    except ValueError:
        raise Unsound("That is no base64.") from None
    if len(found) != length or base64.b64encode(found).decode() != text:
        raise Unsound("That is no base64 of the right length.")
    return found


# -- the record


def verified(file: bytes, keys: Sequence[str], logged: bool = True) -> dict[str, Any]:
    """Return the record in a file.

    Raise `Unsound` if the file is not a signed record, if none of these keys signed it, or if its
    proof does not lead to the log. If `logged` is false, a record without a proof is accepted. The
    rules are not checked: see `replayed`.
    """
    try:
        found = json.loads(file)
        if canonical(found) != file or not isinstance(found, dict):
            raise ValueError
    except (ValueError, RecursionError):
        raise Unsound("The file is not canonical JSON.") from None
    try:
        record, key, log = found["record"], found["key"], found["log"]
        if found.keys() != {"record", "key", "signature", "log"} or not _is_record(record):
            raise Unsound("The file is no signed record.")
        if key not in keys:
            raise Unsound("The record is signed with a key that you do not trust.")
        name, public = parse_key(key)
        signature = _bytes(found["signature"], 64)
        _must_be_signed(public, signature, signed_text(record), "record")
        if log is None and not logged:
            return dict(record)
        if log is None:
            raise Unsound("The record is not in the log yet.")
        if not _fits(log, _PLACE) or record.get("nonce", "") is None:
            raise Unsound("The file is no signed record.")
        size, root = parse_checkpoint(log["checkpoint"], name, public)
        proof = [_bytes(node, 32) for node in log["proof"]]
        leaf = leaf_hash(_entry_of(record))
        if root_of(leaf, log["index"], size, proof) != root:
            raise Unsound("The log does not have this record.")
    except (KeyError, TypeError, AttributeError, IndexError):
        raise Unsound("The file is no signed record.") from None
    return dict(record)


def _entry_of(record: Mapping[str, Any]) -> bytes:
    if record["format"] == FORMER_FORMAT:
        return former_entry(record["match"], digest_of(record))
    return entry(record["nonce"], record["match"], digest_of(record))


# The exact type of each field; `True` is not accepted as 1. A set has alternatives, and a list
# describes each of its items.
_INTEGER = frozenset({int})
_TEXT = frozenset({str})
_MAYBE_INTEGER = frozenset({int, type(None)})
_MOVE = {"role": _TEXT, "action": _TEXT, "at": _INTEGER, "spent_ms": _MAYBE_INTEGER}
_FORMER_RECORD: dict[str, Any] = {
    "format": _TEXT, "match": _TEXT, "game": _TEXT, "options": _TEXT, "clock": _TEXT,
    "rated": frozenset({bool}), "seats": frozenset({dict}), "moves": [_MOVE], "status": _TEXT,
    "ended": _TEXT, "goals": frozenset({dict, type(None)}), "notation": _TEXT,
    "created_at": _INTEGER, "ended_at": _MAYBE_INTEGER,
}  # fmt: skip
_RECORD = {**_FORMER_RECORD, "nonce": frozenset({str, type(None)})}
_SHEET_RECORD = {**_RECORD, "sheet": _TEXT}  # of a game from a rule sheet
_SEAT = {"player": _INTEGER, "computer": _MAYBE_INTEGER}
_PLACE = {"index": _INTEGER, "checkpoint": _TEXT, "proof": [_TEXT]}


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value read from JSON has exactly these fields and types."""
    if isinstance(kind, frozenset):
        return type(value) in kind
    if isinstance(kind, list):
        return type(value) is list and all(_fits(each, kind[0]) for each in value)
    if type(value) is not dict or value.keys() != kind.keys():
        return False
    return all(_fits(value[name], each) for name, each in kind.items())


def _is_record(record: Any) -> bool:
    if type(record) is not dict:
        return False
    current = _SHEET_RECORD if "sheet" in record else _RECORD
    kinds = {FORMAT: current, FORMER_FORMAT: _FORMER_RECORD}
    if not _fits(record, kinds.get(record["format"], {})):
        return False
    nonce, goals = record.get("nonce"), record["goals"]
    return (
        (nonce is None or _NONCE.fullmatch(nonce) is not None)
        and all(_fits(seat, _SEAT) for seat in record["seats"].values())
        and (goals is None or all(type(points) is int for points in goals.values()))
    )


_POINTS = {"aborted": [{0}], "voided": [{0}], "agreement": [{50}], "resignation": [{0, 100}],
           "time": [{0, 100}], "abandoned": [{0, 100}, {50}]}  # fmt: skip


def replayed(record: Mapping[str, Any], games: Mapping[str, Any]) -> None:
    """Replay the record. Raise `Unsound` if the rules do not allow its actions or its result."""
    game = games.get(record["game"])
    if game is None:
        raise Unsound("The rules do not know this game.")
    position = game.get_start(record["options"])
    for number, move in enumerate(record["moves"], 1):
        if move["role"] != position.turn:
            raise Unsound(f"Move {number} is not of who is to move.")
        try:
            position = position.play(move["action"])
        except ValueError:
            raise Unsound(f"Move {number} is against the rules.") from None
    if position.notation != record["notation"]:
        raise Unsound("The moves lead to another position.")
    goals, ended = record["goals"], record["ended"]
    if ended == "rules" and goals != position.goals:
        raise Unsound("By the rules the result is another one.")
    if position.is_over and ended not in {"rules", "voided", "adjudicated"}:
        raise Unsound("The game was over by the rules.")
    if goals is None or set(goals) != set(game.roles):
        raise Unsound("There is no result.")
    if ended in _POINTS and set(goals.values()) not in _POINTS[ended]:
        raise Unsound("A game that ended so cannot have this result.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify the file named on the command line. Return 0 if the record is sound, otherwise 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("--key", action="append", default=[], help="a key that you trust")
    parser.add_argument("--keys", type=Path, help="the site's parlour-keys.json, if you trust it")
    parser.add_argument("--rules", type=Path, help="a checkout of the site, for its rules")
    parser.add_argument("--sheet", type=Path, help="the rule sheet of the game, if it has one")
    parser.add_argument("--unlogged", action="store_true", help="do without the log")
    asked = parser.parse_args(arguments)
    say = sys.stdout.write
    try:
        keys = list(asked.key)
        if asked.keys:
            keys += [each["key"] for each in json.loads(asked.keys.read_bytes())["keys"]]
        record = verified(asked.record.read_bytes(), keys, not asked.unlogged)
        say("The signature is right.\n")
        if record and not asked.unlogged:
            say("The log has the record.\n")
        games = _games(asked.rules)
        if games is None:
            say("The rules were not looked at: there is no games.rules here.\n")
        elif "sheet" in record and not asked.sheet:
            say("The rules were not looked at: name the game's rule sheet with --sheet.\n")
        else:
            if "sheet" in record:
                games = {record["game"]: _read_game(record, asked.sheet)}
            replayed(record, games)
            say("The rules allow each move, and the result.\n")
    except (Unsound, OSError, ValueError, KeyError, TypeError, AttributeError) as why:
        say(f"Refused: {why}\n")
        return 1
    say(f"{record['game']}, {len(record['moves'])} moves, {record['ended']}: {record['goals']}\n")
    return 0


def _games(checkout: Path | None) -> Mapping[str, Any] | None:
    sys.path.insert(0, str(checkout or Path(__file__).resolve().parents[2]))
    try:
        from games.rules import GAMES
    except ImportError:
        return None
    return GAMES


def _read_game(record: Mapping[str, Any], path: Path) -> Any:
    """Return the game of a rule sheet. Raise `Unsound` unless it is the one in the record."""
    text = path.read_bytes()
    if hashlib.sha256(text).hexdigest() != record["sheet"]:
        raise Unsound("That is another rule sheet.")
    from games.gdl.checks import read_sheet
    from games.gdl.compiler import compile_sheet
    from games.gdl.layout import infer_layout
    from games.gdl.sheet_position import LoadedSheet

    network = compile_sheet(text)
    layout = infer_layout(read_sheet(text), network)
    return LoadedSheet(record["game"], record["game"], record["sheet"], network, layout).game


if __name__ == "__main__":
    sys.exit(main())

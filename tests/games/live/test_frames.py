"""Frames: how strictly they are read, and the exact text of those that every socket sends."""

import msgspec
import pytest
from django.test import override_settings

from games.live.frames import (
    Echo,
    ErrorFrame,
    Frame,
    Ping,
    Pong,
    decode_message,
    encode_error,
    encode_text,
)
from games.live.protocol import StateRequest, decoder
from games.match.commands import Phrase, Play, Resign
from games.messages import build_message
from games.messages.refusal import Refused

own = msgspec.json.Decoder(Ping)


def read(text: str) -> object:
    return decode_message(decoder, {"type": "websocket.receive", "text": text})


def refusal(text: str | None) -> str:
    with pytest.raises(Refused) as found:
        decode_message(decoder, {"type": "websocket.receive", "text": text, "bytes": b"{}"})
    return found.value.code


# -- reading


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type":"play","ply":0,"action":"mark 1 1"}', Play(0, "mark 1 1")),
        ('{"action":"mark 1 1","type":"play","ply":7,"more":1}', Play(7, "mark 1 1")),
        ('{"type":"resign"}', Resign()),
        ('{"type":"phrase","phrase":"good-luck"}', Phrase("good-luck")),
        ('{"type":"ping"}', Ping()),
        ('{"type":"ping","t":1.5}', Ping(1.5)),
        ('{"type":"ping","t":"now"}', Ping("now")),
        ('{"type":"echo","mark":"m"}', Echo("m")),
        ('{"type":"look"}', StateRequest()),
    ],
)
def test_a_message_is_read_as_its_type(text: str, message: object) -> None:
    assert read(text) == message


@pytest.mark.parametrize(
    "text",
    [
        None,  # a binary frame
        "",
        "[]",
        "null",
        "{}",
        '"play"',
        '{"type":1}',
        '{"type":"play"',
        '{"type":"play","ply":"0","action":"mark 1 1"}',
        '{"type":"play","ply":0}',
        '{"type":"ping","t":[]}',
        '{"type":"echo"}',
        "[" * 4000,
    ],
)
def test_what_is_no_message_is_malformed(text: str | None) -> None:
    assert refusal(text) == "malformed"


@pytest.mark.parametrize("kind", ["seek", "Play", "", "state"])
def test_a_type_that_the_socket_does_not_know_is_unknown(kind: str) -> None:
    assert refusal(f'{{"type":"{kind}","ply":0}}') == "unknown-type"


def test_a_socket_of_a_single_type_knows_that_type() -> None:
    event = {"text": '{"type":"ping","t":[]}'}
    with pytest.raises(Refused) as found:
        decode_message(own, event)
    assert found.value.code == "malformed"
    with pytest.raises(Refused) as found:
        decode_message(own, {"text": '{"type":"echo","mark":"m"}'})
    assert found.value.code == "unknown-type"


def test_a_frame_has_a_greatest_length() -> None:
    text = '{"type":"ping"}'
    with override_settings(MAX_FRAME_BYTES=len(text)):
        assert read(text) == Ping()
        assert refusal(text + " ") == "malformed"


# -- what every socket may be sent


def test_a_pong_has_its_parts_in_this_order() -> None:
    assert encode_text(Pong("t", 1.5)) == '{"type":"pong","t":"t","now":1.5,"ply":null,"mark":null}'
    assert encode_text(Pong(None, 2.0, 3, "m", 4, "e")) == (
        '{"type":"pong","t":null,"now":2.0,"ply":3,"mark":"m","version":4,"epoch":"e"}'
    )


def test_an_error_has_its_code_its_words_and_these_in_english() -> None:
    assert encode_text(ErrorFrame("c", "d", build_message("w", n=1))) == (
        '{"type":"error","code":"c","detail":"d","words":{"code":"w","n":1}}'
    )
    text = encode_error(Refused("stale"), 4)
    found = msgspec.json.decode(text)
    assert list(found) == ["type", "code", "detail", "words", "ply"]
    assert (found["code"], found["words"], found["ply"]) == ("stale", {"code": "refused.stale"}, 4)
    assert found["detail"] and "refused" not in found["detail"]


def test_the_ply_of_an_error_may_be_none_and_may_be_left_out() -> None:
    assert '"ply":null' in encode_error(Refused("stale"), None)
    assert '"ply"' not in encode_error(Refused("stale"))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("many-matches", "too-fast"),
        ("many-open", "too-many"),
        ("closed", "suspended"),
        ("not-live", "not-live"),
    ],
)
def test_clients_are_told_fewer_codes_than_people(code: str, told: str) -> None:
    found = msgspec.json.decode(encode_error(Refused(code)))
    assert found["code"] == told
    assert found["words"] == {"code": f"refused.{code}"}


def test_a_refusals_parameters_are_told() -> None:
    found = msgspec.json.decode(encode_error(Refused("suspended-until", until="Monday")))
    assert found["code"] == "suspended"
    assert found["words"] == {"code": "refused.suspended-until", "until": "Monday"}
    assert "Monday" in found["detail"]


# -- a text for several


@pytest.mark.parametrize(
    ("size", "head"),
    [
        (0, b"\x81\x00"),
        (125, b"\x81\x7d"),
        (126, b"\x81\x7e\x00\x7e"),
        (65535, b"\x81\x7e\xff\xff"),
        (65536, b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
    ],
)
def test_a_frames_bytes_are_its_length_and_its_text(size: int, head: bytes) -> None:
    frame = Frame(b"a" * size)
    assert frame.bytes == head + b"a" * size
    assert frame.text == "a" * size


def test_a_frames_length_is_counted_in_bytes() -> None:
    frame = Frame("ä".encode() * 63)
    assert frame.bytes[:4] == b"\x81\x7e\x00\x7e"
    assert frame.text == "ä" * 63

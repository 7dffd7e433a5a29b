"""One delivery attempt, to a real receiver."""

import asyncio
import socket
import ssl
import threading
import time
from typing import Any

import pytest
import trustme

from lobby.webhooks import delivery_request
from lobby.webhooks.delivery_request import (
    DeliveryError,
    build_signature,
    parse_address,
    send_request,
)
from tests.builders.webhooks import Receiver, run_receiver

HEADERS = {"webhook-id": "msg_1"}


@pytest.fixture(autouse=True)
def _anywhere(settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True


def post(address: str, body: str = "{}", *found: str) -> int:
    """Send to an address whose name resolves to `found`, by default to this machine."""
    addresses = found or ("127.0.0.1",)
    return asyncio.run(
        send_request(parse_address(address), HEADERS, body, lambda host, port: addresses)
    )


def test_the_signature_is_the_standards() -> None:
    """The test uses the example of the Standard Webhooks specification's libraries."""
    made = build_signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        '{"test": 2432232314}',
    )
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_request_that_arrives(there: Receiver) -> None:
    assert post(f"http://parlour.test:{there.port}/in?a=b", '{"kind":"ü"}') == 204
    (got,) = there.got
    assert (got.path, got.body) == ("/in?a=b", '{"kind":"ü"}')
    assert got.headers["host"] == f"parlour.test:{there.port}"
    assert got.headers["webhook-id"] == "msg_1"
    assert got.headers["content-type"] == "application/json"


def test_no_redirect_is_followed(there: Receiver) -> None:
    there.answers = [302, 307]
    assert [post(there.address), post(there.address)] == [302, 307]
    assert [got.path for got in there.got] == ["/", "/"]


@pytest.mark.parametrize("answer", [
    b"", b"no http at all\r\n\r\n", b"HTTP/1.1 2xx So\r\n\r\n", b"HTTP/1.1 200 So",
    b"HTTP/1.1 200 So\r\nX: " + b"x" * 100_000,
])  # fmt: skip
def test_an_invalid_response_is_a_fault(answer: bytes) -> None:
    with pytest.raises(DeliveryError, match="no-answer"):
        _closing(answer)


def _closing(answer: bytes) -> int:
    """Send to a server that returns this response and closes the connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            one, _ = server.accept()
            with one:
                one.recv(65536)
                one.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            return post(f"http://127.0.0.1:{server.getsockname()[1]}/")
        finally:
            thread.join()


def test_informational_responses_are_skipped() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    assert _closing(early + b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000) == 200


def test_heads_that_never_end_are_no_answer(monkeypatch: Any) -> None:
    monkeypatch.setattr(delivery_request, "SECONDS", 20.0)
    began = time.monotonic()
    with pytest.raises(DeliveryError, match="no-answer"):
        _closing(b"HTTP/1.1 102 Processing\r\n\r\n" * 200)
    with pytest.raises(DeliveryError, match="no-answer"):
        _closing(b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + b"\r\n" * 9)
    assert time.monotonic() - began < 20


def test_a_refused_connection_is_a_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(DeliveryError, match="unreachable"):
        post(f"http://127.0.0.1:{port}/")


def test_another_address_of_the_name_is_tried(there: Receiver) -> None:
    assert post(f"http://parlour.test:{there.port}/", "{}", "127.0.0.9", "127.0.0.1") == 204


def test_a_try_is_short_however_slowly_it_is_answered(monkeypatch: Any) -> None:
    monkeypatch.setattr(delivery_request, "SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            one, _ = server.accept()
            with one:
                try:
                    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 2000:
                        one.sendall(bytes([byte]))
                        time.sleep(0.02)
                except OSError:
                    pass

        thread = threading.Thread(target=drip)
        thread.start()
        began = time.monotonic()
        with pytest.raises(DeliveryError, match="timeout"):
            post(f"http://127.0.0.1:{server.getsockname()[1]}/")
        assert time.monotonic() - began < 20
        thread.join()


def test_the_certificate_must_be_of_the_name(monkeypatch: Any, tmp_path: Any) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("parlour.test").configure_cert(server)
    with run_receiver(server) as there:
        with pytest.raises(DeliveryError, match="tls"):  # no authority has signed the certificate
            post(f"https://parlour.test:{there.port}/")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        delivery_request._get_tls_context.cache_clear()
        try:
            assert post(f"https://parlour.test:{there.port}/") == 204
            with pytest.raises(DeliveryError, match="tls"):
                post(f"https://another.test:{there.port}/")
        finally:
            delivery_request._get_tls_context.cache_clear()
    assert len(there.got) == 1

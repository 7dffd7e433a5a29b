"""A receiver of webhooks on the loopback interface that records its requests."""

import contextlib
import ssl
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec


class Got(msgspec.Struct):
    path: str
    headers: dict[str, str]
    body: str


class Receiver:
    """Answer each POST with the next status of `answers`, then with 204."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.got: list[Got] = []
        self.answers: list[int] = []
        self.hold: Callable[[], Any] = lambda: None  # called before each answer
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.got.append(Got(self.path, headers, body))
                receiver.hold()
                with contextlib.suppress(OSError):
                    status = receiver.answers.pop(0) if receiver.answers else 204
                    self.send_response(status)
                    if 300 <= status < 400:
                        self.send_header("Location", f"{receiver.address}/elsewhere")
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextlib.contextmanager
def run_receiver(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    found = Receiver(context)
    try:
        yield found
    finally:
        found.stop()


def is_signed(got: Got, secret: str) -> bool:
    """Check the signature as defined at https://www.standardwebhooks.com/."""
    said = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.{got.body}"
    key = b64decode(secret.removeprefix("whsec_"))
    wanted = "v1," + b64encode(hmac(key, said.encode(), sha256).digest()).decode()
    return compare_digest(got.headers["webhook-signature"], wanted)

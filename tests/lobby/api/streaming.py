"""A stream of the API, read line by line with time limits."""

import http.client
import json
import time
from collections.abc import Callable
from typing import Any

from tests.live import Site


class Lines:
    """The lines of one answer; blank ones are counted."""

    def __init__(
        self, site: Site, path: str, text: str | None = None, method: str = "GET", body: str = ""
    ) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)
        headers = {"Content-Type": "application/json"}
        if text is not None:
            headers["Authorization"] = f"Bearer {text}"
        self._http.request(method, path, body, headers)
        self._answer = self._http.getresponse()
        self.status, self.headers = self._answer.status, dict(self._answer.headers)
        self.blanks: list[float] = []

    def line(self) -> dict[str, Any] | None:
        """The next line that is not blank; None at the end."""
        while True:
            found = self._answer.readline()
            if not found:
                return None
            if found.strip():
                value: dict[str, Any] = json.loads(found)
                return value
            self.blanks.append(time.monotonic())

    def next(
        self, kind: str, where: Callable[[dict[str, Any]], Any] = lambda line: True
    ) -> dict[str, Any]:
        """The next line of that type."""
        while True:
            found = self.line()
            assert found is not None, f"ended without {kind}"
            if found.get("type", found.get("t")) == kind and where(found):
                return found

    def rest(self) -> list[dict[str, Any]]:
        """All lines until the end."""
        return list(iter(self.line, None))  # type: ignore[arg-type]  # None ends it

    def blank(self) -> float:
        """Wait for a blank line; when it came."""
        while True:
            found = self._answer.readline()
            assert found, "ended"
            if not found.strip():
                return time.monotonic()

    def close(self) -> None:
        self._answer.close()
        self._http.close()

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

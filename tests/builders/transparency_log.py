"""The transparency log of finished matches, in the database and as served by a site."""

import urllib.request
from collections.abc import Callable
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command
from django.db import transaction

from games.formats import verify
from games.transparency_log import log
from tests.builders.matches import deliver_events
from tests.builders.sites import PATIENCE, Site, until


def append_finished_matches() -> None:
    """Deliver events, and append the requested records to the log."""
    deliver_events()
    while log.append_requested():
        pass


def run_verify_log(*arguments: str) -> tuple[int, str]:
    """Run `verify_log`. Return the exit code and the output."""
    out = StringIO()
    try:
        call_command("verify_log", *arguments, stdout=out)
    except CommandError as error:
        return error.returncode, f"{out.getvalue()}{error}"
    return 0, out.getvalue()


class _Rollback(Exception):  # noqa: N818
    pass


def verify_after(change: Callable[[], Any], *arguments: str) -> tuple[int, str]:
    """Change something, run `verify_log`, and undo the change."""
    found = 0, ""
    try:
        with transaction.atomic():
            change()
            found = run_verify_log(*arguments)
            raise _Rollback
    except _Rollback:
        return found


def fetch(site: Site, path: str) -> bytes:
    with urllib.request.urlopen(f"{site.url}{path}", timeout=PATIENCE) as answer:
        return bytes(answer.read())


def wait_for_record(site: Site, match_id: str, keys: list[str]) -> dict[str, Any]:
    """Wait until a match is in the log. Return its verified record."""

    def record() -> dict[str, Any] | None:
        try:
            return verify.verified(fetch(site, f"/match/{match_id}/signed.json"), keys)
        except verify.Unsound as why:
            assert "not in the log yet" in str(why)
            return None

    found: dict[str, Any] = until(record, "the record in the log")
    return found

"""Write the archive of a month's rated games."""

import gzip
import os
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BufferedWriter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from lobby.archive import list_lines

_MONTH = re.compile(r"(20[0-9]{2})-(0[1-9]|1[0-2])", re.ASCII)
_PIECE = 1 << 20


class Command(BaseCommand):
    help = (
        "Write all rated games of a month that is over into rated-<month>.ndjson.gz, one JSON "
        "object a line, and its SHA-256 beside it. Nobody sees half a file, and the "
        "same games with the same names give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--month", required=True, help="such as 2026-10 (UTC)")
        parser.add_argument("--into", type=Path, help="the folder (default: archive in DATA_DIR)")

    def handle(self, *args: Any, **options: Any) -> None:
        year, month = _month(options["month"])
        folder = options["into"] or Path(settings.DATA_DIR) / "archive"
        path = folder / f"rated-{year}-{month:02}.ndjson.gz"
        count = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with (
                whole(path) as raw,
                # The gzip header contains neither a name nor a time, so that every run creates the
                # same file.
                gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed,
            ):
                for line in list_lines(year, month):
                    packed.write(line)
                    count += 1
            digest = _digest(path)
            with whole(path.with_name(f"{path.name}.sha256")) as raw:
                raw.write(f"{digest}  {path.name}\n".encode())
        except OSError as error:
            raise CommandError(f"The archive cannot be written: {error}.") from error
        self.stdout.write(f"{path}: {count} games, {path.stat().st_size} bytes, SHA-256 {digest}")


def _month(text: str) -> tuple[int, int]:
    found = _MONTH.fullmatch(text)
    if found is None:
        raise CommandError(f"--month is a year and a month, such as 2026-10, not {text[:20]!r}.")
    year, month = int(found[1]), int(found[2])
    now = timezone.now()
    if (year, month) >= (now.year, now.month):
        raise CommandError(f"{text} is not over yet: games are still added to it.")
    return year, month


@contextmanager
def whole(path: Path) -> Iterator[BufferedWriter]:
    """Open a file that replaces `path` only after it was completely written to the disk."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()

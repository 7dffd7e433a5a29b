"""Check the log of signed records against the matches and against kept checkpoints."""

import os
from argparse import ArgumentParser
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.transparency_log import log
from games.transparency_log.verification import CheckpointFault, Code, find_faults, must_continue

_LONGEST = 10_000  # the maximum number of bytes that are read from a checkpoint file


class Command(BaseCommand):
    help = (
        "Check that the log of records fits together, that each match is as it says, and that it "
        "continues kept checkpoints. Exits with 1 if the log is not sound, 3 if a checkpoint's "
        "file cannot be read, 4 if it is another log's, 5 if it is not signed by this site, 6 if "
        "the log is shorter than it, 7 if the log was rewritten, 8 if --save could not write."
    )
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--checkpoint",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="a checkpoint of this log, or of the former one, that was kept; may be repeated",
        )
        parser.add_argument(
            "--save",
            type=Path,
            metavar="FILE",
            help="write the newest checkpoint there if all is sound",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        failed: list[CheckpointFault] = []
        for file in options["checkpoint"]:
            try:
                self.stdout.write(must_continue(_read(file)))
            except CheckpointFault as fault:
                self.stdout.write(f"{file}: {fault}")
                failed.append(fault)
        size, count = log.get_size(), 0
        for wrong in find_faults():
            self.stdout.write(wrong)
            count += 1
        if count:
            raise CommandError(f"The log is not sound: {count} faults.", returncode=Code.UNSOUND)
        if failed:
            raise CommandError(str(failed[0]), returncode=failed[0].code)
        self.stdout.write(f"All {size} entries are sound.")
        if options["save"]:
            _save(options["save"], log.get_checkpoint(size))


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_LONGEST).decode()
    except (OSError, ValueError) as why:
        raise CheckpointFault(Code.UNREADABLE, f"It cannot be read: {why}") from None


def _save(file: Path, text: str) -> None:
    """Write the file atomically: after a failure, it has either the old or the new content."""
    try:
        with NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as made:
            try:
                made.write(text)
                made.flush()
                os.fsync(made.fileno())
                Path(made.name).replace(file)
            except OSError:
                Path(made.name).unlink(missing_ok=True)
                raise
    except OSError as why:
        raise CommandError(
            f"The checkpoint could not be saved: {why}", returncode=Code.NOT_SAVED
        ) from None

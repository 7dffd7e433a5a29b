"""Write the archive of a month's rated games, for research, with one game per line.

Games that are not public are left out. The computer and players who have agreed are named. Other
players appear as a number, which is the same in all archives. A game with such a number has no
address and no time of day, because these would reveal the name.
"""

import gzip
import os
import re
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import blake2b, sha256
from io import BufferedWriter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db.models import Q
from django.utils import timezone

from games.formats.verify import Value, canonical
from games.models import Match
from games.store.aliases import get_persons
from games.store.records import MatchRecord, list_records
from lobby.models import Player, Preferences
from lobby.privacy.visibility import build_visible_matches_condition

_MONTH = re.compile(r"(20[0-9]{2})-(0[1-9]|1[0-2])", re.ASCII)
_PIECE = 1 << 20


class Command(BaseCommand):
    help = (
        "Write all rated games of a month that is over into rated-<month>.ndjson.gz, one JSON "
        "object a line, and its SHA-256 beside it. Nobody sees half a file, and the "
        "same games with the same names give the same bytes."
    )
    requires_system_checks: list[str] = []  # they import all pages; servers run them

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
    """Open a file that replaces `path` only once it has been completely written to the disk."""
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


_EACH = 500  # the maximum number of matches that one query reads


def list_lines(year: int, month: int) -> Iterator[bytes]:
    """Yield a line of canonical JSON for each rated game that ended in the month (UTC).

    The lines are in the order in which the games ended. Games that were voided or cancelled, that
    are not public, or whose rules the site no longer has, are left out. At most `_EACH` games are
    in memory at a time.
    """
    begin = datetime(year, month, 1, tzinfo=UTC)
    end = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    # Filter on no other indexed column, so that the query uses the index on `ended_at`.
    without = (Match.Ended.VOIDED, Match.Ended.ABORTED)
    counted = Match.objects.filter(build_visible_matches_condition(None), rated=True).exclude(
        ended__in=without
    )
    counted = counted.order_by("ended_at", "id")
    after: tuple[datetime, str] | None = None
    while True:
        page = counted.filter(ended_at__gte=after[0] if after else begin, ended_at__lt=end)
        if after:
            page = page.filter(Q(ended_at__gt=after[0]) | Q(id__gt=after[1]))
        found = list(page.values_list("ended_at", "id")[:_EACH])
        if not found:
            return
        yield from _list_lines([match_id for _, match_id in found])
        last_at, last_id = found[-1]
        assert last_at is not None
        after = last_at, last_id


def get_person_number(person_id: int) -> str:
    """Return the number that stands for a person. It cannot be traced back without the key."""
    key = blake2b(settings.SECRET_KEY.encode(), person=b"archive number").digest()
    return blake2b(str(person_id).encode(), digest_size=8, key=key).hexdigest()


def _list_lines(match_ids: Sequence[str]) -> Iterator[bytes]:
    found = list(list_records(match_ids))
    seats = {pk for each in found for pk in (each.state.first_id, each.state.second_id)}
    people = get_persons(seats)
    named = _get_named(set(people.values()))
    for each in found:
        if each.state.game_is_unknown:
            continue
        yield canonical(_serialize_match(each, people, named)) + b"\n"


def _get_named(person_ids: set[int]) -> dict[int, str]:
    """Return a dictionary that maps ids to names.

    It has only the computer players, and the players who have agreed to be named.
    """
    chosen = Preferences.objects.filter(
        player__in=person_ids, archived=Preferences.Archived.NAME
    ).values("player")
    may = Player.objects.filter(Q(pk__in=chosen) | Q(bot_level__isnull=False), pk__in=person_ids)
    return {player.pk: player.name for player in may}


def _serialize_match(
    found: MatchRecord, people: dict[int, int], named: dict[int, str]
) -> dict[str, Value]:
    state = found.state
    assert state.ended_at is not None
    both = [people[pk] for pk in (state.first_id, state.second_id)]
    is_public = all(pk in named for pk in both)
    seats: list[Value] = [
        {"name": named[pk]} if pk in named else {"number": get_person_number(pk)} for pk in both
    ]
    goals = state.goals or {}
    told: dict[str, Value] = {
        "game": state.game,
        "options": state.options,
        "clock": state.clock,
        "seats": dict(zip(state.rules.roles, seats, strict=True)),
        "actions": [move.action for move in found.moves],
        "spent_ms": [move.spent_ms for move in found.moves],
        "ended": state.ended,
        "goals": dict(goals),
        "date": f"{state.ended_at:%Y-%m-%d}",
    }
    if is_public:
        told["match"] = state.id
        told["ended_at"] = int(state.ended_at.timestamp() * 1000)
    return told

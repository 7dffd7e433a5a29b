"""Measure the memory and time that the archive of many games takes, in a database to fill.

Run as a separate command with a DATA_DIR:

python -m tests.bench.large.archive 100000
"""

import os
import resource
import sys
import tempfile
import time

import django
from django.db import connection

_MATCH = (
    "id, game, first_id, second_id, status, ended, first_goal, second_goal, ply, version, notation,"
    " last, acted, clock, rated, created_at, acted_at, started_at, ended_at, chain, digest"
)


def fill(matches: int, one: int, other: int, start: int = 0, plies: int = 9) -> None:
    """Store this many rated games between two players, ending throughout January 2026."""
    at = "'2026-01-05 00:00:00'"
    # A distinct end time for each game, in a different order than the rows.
    seconds = f"1767225600 + (n * 7919 % {matches}) * 2678000.7 / {matches}"
    ended = f"strftime('%Y-%m-%d %H:%M:%f', {seconds}, 'unixepoch')"
    count = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {})"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO games_match ({_MATCH}) {count.format(matches)} SELECT"
            f" 'm{start}-' || n, 'dots-and-boxes', {one}, {other}, 'over', 'resignation', 100, 0,"
            f" {plies}, 1, '0/0/0/x', '', 3, '3+2', true, {at}, {at}, {at},"
            f" {ended}, '', '' FROM c"
        )
        cursor.execute(
            "INSERT INTO games_move (match_id, ply, role, action, at, spent_ms)"
            f" {count.format(plies)} SELECT m.id, n - 1, 'xplayer', 'draw 1 1 1 2', {at}, 1000"
            f" FROM games_match m, c WHERE m.id LIKE 'm{start}-%'"
        )


def main(matches: int) -> None:
    from django.core.management import call_command

    from lobby.models import Player

    call_command("migrate", interactive=False, verbosity=0)
    people = [Player.objects.create_user(name) for name in ("Sly Fox", "Kind Otter")]
    for start in (0, 1):  # a tenth, then all
        many = matches // 10 if start == 0 else matches - matches // 10
        fill(many, people[0].pk, people[1].pk, start, plies=30)
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            call_command("archive", "--month", "2026-01", "--into", folder)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{time.monotonic() - began:.1f} s, at most {peak} MB so far")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    main(int(sys.argv[1]))

"""Measure a player's history among many matches, in a database to fill.

Opens the profile of a player with many matches with each filter, and prints times and query plans.
Run as a separate command, with a DATABASE_URL or a DATA_DIR that can be filled:

python -m tests.bench.large.histories 10000000 100000
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import django
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_test_environment

from tests.builders.query_plans import get_query_plan

PATHS = {
    "all": "",
    "by game": "?game=six-in-a-row",
    "by result": "?result=drawn",
    "by an opponent": "?opponent=Player 257",
    "by nobody": "?opponent=nobody-has-this-name",
    "by length": "?length=80-",
    "rated": "?rated=yes",
    "not rated": "?rated=no",
    "by game and result": "?game=dots-and-boxes&result=drawn",
    "by all": "?game=six-in-a-row&result=lost&length=80-&rated=no&opponent=Player 257",
    "by what never was": "?game=tic-tac-toe&length=80-",
}
TABLES = ("lobby_played", "lobby_tally", "games_match", "games_move")
_GAMES = ("parallel-tic-tac-toe", "dots-and-boxes", "six-in-a-row")

_MATCH = (
    "id, game, first_id, second_id, status, ended, first_goal, second_goal, ply, version, notation,"
    " last, acted, clock, rated, created_at, acted_at, started_at, ended_at, chain, digest"
)
_PLAYED = "player_id, opponent_id, match_id, seat, game, result, length, rated, ended_at"


def fill(matches: int, heavy: int, players: int = 500) -> None:
    """Store this many matches over two years. Player 0 plays in `heavy` of them."""
    from django.contrib.auth import get_user_model

    from games.rules import GAMES

    people = get_user_model()
    people.objects.bulk_create(people(username=f"Player {n}") for n in range(players))
    one = people.objects.order_by("pk").values_list("pk", flat=True)[0]
    postgres = connection.vendor == "postgresql"
    padded = "lpad(n::text, 9, '0')" if postgres else "printf('%09d', n)"
    made = (
        f"timestamptz '2024-02-01' + n * interval '1 second' * (63072000.0 / {matches})"
        if postgres
        else f"datetime('2024-02-01', '+' || (n * 63072000 / {matches}) || ' seconds') || '.000000'"
    )
    rows = (
        f"generate_series(1, {matches}) AS n"
        if postgres
        else f"(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {matches})"
        " SELECT n FROM c)"
    )
    no = "false" if postgres else "0"
    step = matches // heavy
    first = f"CASE WHEN n % {step} = 0 THEN {one} ELSE {one} + 1 + n % {players // 2 - 1} END"
    game = f"CASE n / {step} % 3 " + " ".join(
        f"WHEN {i} THEN '{slug}'" for i, slug in enumerate(_GAMES)
    )
    notation = "CASE n / {} % 3 {} END".format(
        step, " ".join(f"WHEN {i} THEN '{GAMES[s].start.notation}'" for i, s in enumerate(_GAMES))
    )
    goals = "CASE n / 3 % 50 WHEN 0 THEN 50 ELSE 100 * (n / 7 % 2) END"
    moves = "CASE n / 11 % 1000 WHEN 0 THEN 90 ELSE n % 79 END"
    with _quickly_written(), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO games_match ({_MATCH}) SELECT 'm' || {padded}, {game} END, {first},"
            f" {one} + {players // 2} + n / {step} % {players // 2}, 'over', 'resignation',"
            f" {goals}, 100 - {goals}, {moves}, 1, {notation}, '', 3, '', (n / 13 % 5000 = 0),"
            f" {made}, {made}, {made}, {made}, '', '' FROM {rows}"
        )
        for seat, (own, other) in enumerate((("first", "second"), ("second", "first"))):
            cursor.execute(
                f"INSERT INTO lobby_played ({_PLAYED}) SELECT {own}_id, {other}_id, id, {seat},"
                f" game, CASE WHEN {own}_goal = 50 THEN 'drawn' WHEN {own}_goal = 100 THEN 'won'"
                " ELSE 'lost' END, CASE WHEN ply < 10 THEN 0 WHEN ply < 20 THEN 1 WHEN ply < 40"
                " THEN 2 WHEN ply < 80 THEN 3 ELSE 4 END, rated, ended_at FROM games_match"
            )
        cursor.execute(
            "INSERT INTO lobby_tally (player_id, game, computer, won, lost, drawn, none)"
            f" SELECT player_id, game, {no}, sum(CASE result WHEN 'won' THEN 1 ELSE 0 END),"
            " sum(CASE result WHEN 'lost' THEN 1 ELSE 0 END),"
            " sum(CASE result WHEN 'drawn' THEN 1 ELSE 0 END), 0"
            " FROM lobby_played GROUP BY player_id, game"
        )
    with connection.cursor() as cursor:  # Some are live.
        cursor.execute(
            "UPDATE games_match SET status = 'live', ended = '', ended_at = NULL,"
            " first_goal = NULL, second_goal = NULL WHERE id IN"
            f" (SELECT id FROM games_match WHERE first_id = {one}"
            " ORDER BY created_at DESC LIMIT 5)"
        )
        cursor.execute(
            "DELETE FROM lobby_played WHERE match_id IN"
            " (SELECT id FROM games_match WHERE status = 'live')"
        )
    if postgres:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE lobby_played")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@contextmanager
def _quickly_written() -> Iterator[None]:
    """On SQLite, write rows without their indexes and create those afterwards.

    Far fewer pages are read and written again.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        for pragma in ("foreign_keys = OFF", "journal_mode = OFF", "synchronous = OFF"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.execute("PRAGMA cache_size = -2000000")
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            " AND tbl_name IN ('games_match', 'lobby_played')"
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
        yield
        for _, sql in indexes:
            cursor.execute(sql)


def look() -> dict[str, dict[str, object]]:
    """Return, for each page, the number of queries, the time (ms, best of three) and the plans."""
    from lobby.models import Player

    client = Client()
    client.force_login(Player.objects.get(username="Player 300"))
    pages = {name: f"/player/Player%200/{query}" for name, query in PATHS.items()}
    pages |= {"json": "/player/Player%200/games.json", "a guest of theirs": "/player/Player%20260/"}
    further = client.get(pages["json"], headers={"host": "localhost"}).json()["next"]
    for _ in range(20):
        further = client.get(further, headers={"host": "localhost"}).json()["next"]
    pages["a page far back"] = further.replace("games.json", "")
    found: dict[str, dict[str, object]] = {}
    for name, page in pages.items():
        best, queries = 10.0**9, []
        for _ in range(3):
            with CaptureQueriesContext(connection) as captured:
                began = time.perf_counter()
                answer = client.get(page, headers={"host": "localhost"})
                best = min(best, 1000 * (time.perf_counter() - began))
            queries = [query["sql"] for query in captured.captured_queries]
        assert answer.status_code == 200, (name, answer.status_code)
        asked = [sql for sql in queries if any(f'"{table}"' in sql for table in TABLES)]
        shown = answer.json()["games"] if "json" in name else answer.context["history"]
        found[name] = {
            "queries": len(queries),
            "ms": round(best, 1),
            "rows": len(shown),
            "sql": asked,
            "plans": [get_query_plan(sql) for sql in asked],
        }
    return found


if __name__ == "__main__":
    django.setup()
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    setup_test_environment()
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    fill(number, int(sys.argv[2]) if len(sys.argv) > 2 else number // 100)
    json.dump(look(), sys.stdout, indent=1)

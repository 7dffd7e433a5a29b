"""Measure leaderboards and replays with a million ratings and rated games, in a database to fill.

Run as a separate command, with a DATABASE_URL or a DATA_DIR that can be filled:

python -m tests.bench.large.ratings [ratings] [games]
"""

import json
import random
import statistics
import sys
import time
from datetime import timedelta
from typing import Any

import django
from django.conf import settings
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext, setup_test_environment
from django.utils import timezone

GAME, OTHER = "six-in-a-row", "dots-and-boxes"
_SOME = 5000
_TIMES = 9


def fill_ratings(count: int) -> None:
    """Create this many players with a rating in one game, a third of them on its leaderboard."""
    from lobby.models import Player

    is_postgres = connection.vendor == "postgresql"
    series = (
        f"(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {count})"
        " SELECT n FROM c) AS series"
    )
    if is_postgres:
        series = f"generate_series(1, {count}) AS series(n)"
    no, now, later = (
        ("false", "now()", "now() + (id % 33 - 3) * interval '1 day'")
        if is_postgres
        else ("0", "datetime('now')", "datetime('now', (id % 33 - 3) || ' days')")
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO lobby_player (username, name_key, password, is_superuser, is_staff,"
            " is_active, date_joined, email, is_guest) SELECT 'player ' || n, 'player ' || n, '',"
            f" {no}, {no}, NOT {no}, {now}, '', {no} FROM {series}"
        )
        cursor.execute(
            "INSERT INTO lobby_rating (player_id, game, rating, deviation, volatility, games,"
            " best, streak, longest, key, rated_at, previous_at, listed_until)"
            f" SELECT id, '{GAME}', 900 + (id * 7919 % 120011) / 100.0, 45 + id % 135, 0.06,"
            f" 2 + id % 500, 0, 0, 3, 'k' || id, {now}, {now},"
            f" CASE WHEN id % 3 = 0 THEN {later} END FROM lobby_player"
        )
    assert Player.objects.count() == count


def fill_games(count: int, people: int = 2000) -> None:
    """Create this many rated games of another game, in order, and their matches."""
    from games.rules import GAMES
    from lobby.models import Player
    from lobby.ratings import ledger
    from lobby.ratings.glicko import VERSION
    from lobby.ratings.player_rating import PlayerRating
    from lobby.ratings.rating import NOTHING

    chance = random.Random(2)
    ids = list(Player.objects.order_by("pk").values_list("pk", flat=True)[:people])
    careers: dict[int, PlayerRating] = {}
    last: dict[int, ledger.LedgerEntry] = {}
    at = timezone.now() - timedelta(seconds=40 * count)
    start = GAMES[OTHER].start.notation
    for some in range(0, count, _SOME):
        new = []
        for n in range(some, min(count, some + _SOME)):
            at += timedelta(seconds=chance.uniform(1, 60))
            (one, other), score = chance.sample(ids, 2), chance.choice((0.0, 0.5, 1.0))
            key = f"m{n:09d}"
            entry = ledger.compute_entry(
                ledger.LedgerEntry(
                    key, 0, "rated", OTHER, one, other, score, 0.0, VERSION, at,
                    ledger.draw_lots(key), None, NOTHING, None,
                ),
                careers,
            )  # fmt: skip
            for player in entry.players:
                careers[player], last[player] = entry.after(player), entry
            new.append(entry)
        with transaction.atomic():
            ledger.add_entries(new)
    ledger.store_ratings(OTHER, last)
    columns = "version, last, chain, digest, options"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO games_match (id, game, first_id, second_id, status, ended, first_goal,"
            f" second_goal, ply, notation, acted, clock, rated, created_at, acted_at, ended_at,"
            f" {columns}) SELECT key, game, first_id, second_id, 'over', 'resignation',"
            f" CAST(100 * score AS integer), CAST(100 - 100 * score AS integer), 30, '{start}', 3,"
            f" '3+2', NOT {'false' if connection.vendor == 'postgresql' else 0}, at, at, at,"
            " 31, '', '', '', '' FROM lobby_ratedgame"
        )


def look(viewer_id: int) -> dict[str, Any]:
    """Return the time and the query plan of the leaderboard's page for a viewer."""
    from django.test import Client

    from lobby.models import Player, Rating
    from lobby.ratings import leaderboards

    began = time.perf_counter()
    leaderboards.update_distributions()
    spread = time.perf_counter() - began
    client = Client()
    client.force_login(Player.objects.get(pk=viewer_id))
    times, busy, path = [], [], f"/ratings/{GAME}/"
    for _ in range(_TIMES):
        with CaptureQueriesContext(connection) as queries:
            began, processor = time.perf_counter(), time.process_time()
            answer = client.get(path)
            times.append(time.perf_counter() - began)
            busy.append(time.process_time() - processor)
        assert answer.status_code == 200
    rows = Rating.objects.filter(game=GAME, listed_until__gt=timezone.now())
    own = rows.filter(rating__gt=1200.0).order_by("-rating", "player").values_list("player")
    return {
        "page_ms": round(1000 * statistics.median(times), 1),
        "page_processor_ms": round(1000 * statistics.median(busy), 1),
        "queries": len(queries),
        "slowest": sorted(((float(q["time"]), q["sql"][:300]) for q in queries), reverse=True)[:3],
        "spread_s": round(spread, 2),
        "plan": rows.order_by("-rating", "player")[:200].explain(),
        "own_plan": own[:1000].explain(),
    }


def main(ratings: int = 1_000_000, games: int = 1_000_000) -> None:
    django.setup()
    setup_test_environment()
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from lobby.models import Player, Rating
    from lobby.ratings.verification import verify_ratings

    found: dict[str, Any] = {"ratings": ratings, "games": games}
    began = time.perf_counter()
    fill_ratings(ratings)
    found["fill_ratings_s"] = round(time.perf_counter() - began)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    middle = Player.objects.order_by("pk").values_list("pk", flat=True)[ratings // 2]
    found |= look(middle)
    Rating.objects.filter(game=GAME).delete()  # they do not follow from games
    began = time.perf_counter()
    fill_games(games, min(2000, ratings))
    found["fill_games_s"] = round(time.perf_counter() - began)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    began, processor = time.perf_counter(), time.process_time()
    verified = verify_ratings()
    found["verify_s"] = round(time.perf_counter() - began, 1)
    found["verify_processor_s"] = round(time.process_time() - processor, 1)
    found["verified"], found["faults"] = verified.games, verified.faults[:3]
    print(json.dumps(found))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""Measure the admin's list among many matches, in a database to fill.

Opens the list with each filter, and prints the queries and their plans. Run as a separate command:

python -m tests.bench.large.reviews 1000000
"""

import json
import sys
import time

import django
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_test_environment

from tests.builders.query_plans import get_query_plan
from tests.builders.second_factors import give_factor

FILTERS = {
    "all": "",
    "the last page": "?p=40",
    "by game": "?game=dots-and-boxes",
    "by status": "?status__exact=live",
    "by end": "?ended__exact=adjudicated",
    "by end and game": "?ended__exact=agreement&game=six-in-a-row",
    "by player": "?player=P7",
    "by no such player": "?player=nobody-has-this-name",
    "by part of a name": "?player=layer 12",
    "from a day": "?from=2026-01-05",
    "before a day": "?before=2025-01-05",
    "between days": "?from=2025-06-01&before=2025-06-02",
    "long": "?longer=224",
    "short": "?shorter=1",
    "of a length": "?longer=100&shorter=101",
    "reported": "?worth=reported",
    "open": "?worth=open",
    "disputed": "?worth=disputed",
    "flagged": "?worth=flagged",
    "decided": "?worth=decided",
    "search by id": "?q=m000000500",
    "search by name": "?q=P11",
    "oldest first": "?o=7",
}
OTHERS = {
    "reports": "case/?seen=all",
    "reports by name": "case/?seen=all&q=player 48",
    "reports by match": "case/?seen=all&q=m000000500",
    "signs by name": "sign/?seen=all&q=player 48",
    "decisions": "decision/",
    "decisions by name": "decision/?q=player 48",
    "decisions by match": "decision/?q=m000000500",
}
# Each page of the queue, with 10,000 open reports and signs, half of them about one player.
QUEUE = {
    "front": "/admin/",
    "queue": "/admin/games/case/queue/",
    "the most reported": "/admin/games/case/queue/{most}/",
    "somebody": "/admin/games/case/queue/{other}/",
}
OPEN = 10_000
_TABLES = ("games_match", "games_decision", "games_case", "games_sign")

DECISIONS = 21_000

_COLUMNS = (
    "id, game, first_id, second_id, status, ended, first_goal, second_goal, ply, version, notation,"
    " last, acted, clock, created_at, acted_at, started_at, ended_at, chain, digest"
)
_VALUES = """
    'm' || {padded}, CASE n % 4 WHEN 0 THEN 'tic-tac-toe' WHEN 1 THEN 'parallel-tic-tac-toe'
    WHEN 2 THEN 'dots-and-boxes' ELSE 'six-in-a-row' END,
    {first} + n % {players}, {first} + (n + 1 + n / {players} % ({players} - 1)) % {players},
    CASE WHEN n % 5000 = 0 THEN 'live' ELSE 'over' END,
    CASE WHEN n % 5000 = 0 THEN '' WHEN n % 9973 = 1 THEN 'adjudicated' WHEN n % 97 = 1 THEN
    'agreement' WHEN n % 3 = 1 THEN 'resignation' ELSE 'rules' END,
    CASE WHEN n % 5000 = 0 THEN NULL ELSE 100 END, CASE WHEN n % 5000 = 0 THEN NULL ELSE 0 END,
    CASE WHEN n % 20011 = 3 THEN 224 ELSE n % 80 + 2 END, 1, '.........', '', 3, '3+2',
    {made}, {made}, {made}, CASE WHEN n % 5000 = 0 THEN NULL ELSE {made} END, '', ''
"""


def fill(matches: int, players: int = 500) -> None:
    """Store this many matches over two years between `players` players, with a few reports."""
    from django.contrib.auth import get_user_model

    from games.models import Case, Decision, Match, Report, Sign
    from games.review import reports

    people = get_user_model()
    people.objects.bulk_create(
        people(username=f"P{n}" if n < 20 else f"Player {n}") for n in range(players)
    )
    first = people.objects.order_by("pk").values_list("pk", flat=True)[0]
    postgres = connection.vendor == "postgresql"
    if postgres:
        padded = "lpad(n::text, 9, '0')"
        made = "timestamptz '2024-02-01' + n * interval '1 second' * (63072000.0 / %d)"
        rows = "generate_series(1, %d) AS n"
    else:
        padded = "printf('%09d', n)"
        made = "datetime('2024-02-01', '+' || (n * 63072000 / %d) || ' seconds') || '.000000'"
        rows = (
            "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d)"
            " SELECT n FROM c)"
        )
    values = _VALUES.format(padded=padded, first=first, players=players, made=made % matches)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO games_match ({_COLUMNS}) SELECT {values} FROM {rows % matches}"
        )
        # The newer half of the matches has a move; the queue shows the older half.
        cursor.execute(
            "INSERT INTO games_move (match_id, ply, role, action, at, spent_ms)"
            " SELECT id, 1, 'xplayer', 'mark 1 1', created_at, 100 FROM games_match"
            f" ORDER BY id DESC LIMIT {matches // 2}"
        )
        cursor.execute("ANALYZE")
    reviewer = people.objects.create_superuser("root", password="x")
    give_factor(reviewer)
    for match in Match.objects.order_by("-created_at")[:30]:
        case = Case.objects.create(match=match, player=match.first, opened_at=match.created_at)
        Report.objects.create(
            case=case, by=match.second, reason="other", words="so", at=match.created_at
        )
        Sign.objects.create(
            key=match.pk,
            kind="pair",
            match=match,
            player=match.first,
            words="so",
            at=match.created_at,
        )
        Decision.objects.create(
            kind="void", match=match, number=1, reason="so", by=reviewer, at=match.created_at
        )
    # Enough decisions that a list of the oldest ones would never reach the newest.
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO games_decision (kind, match_id, number, reason, by_id, at, name, before)"
            f" SELECT 'void', id, 2, 'so', {reviewer.pk}, created_at, '', '{{}}'"
            f" FROM games_match ORDER BY id LIMIT {DECISIONS}"
        )
    newest, oldest = Match.objects.order_by("-created_at")[0], Match.objects.order_by("pk")[0]
    for match in (newest, oldest):
        reports.store_report(reviewer.pk, match.pk, match.first_id, "other", "It was no program.")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def crowd() -> None:
    """Create `OPEN` reports and signs, half of each; half of them about one player."""
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from games.models import Case, Match, Report, Sign

    # The first two were reported by the viewer.
    people = list(get_user_model().objects.exclude(username="root").order_by("pk")[2:])
    matches = list(Match.objects.order_by("pk").values_list("pk", flat=True)[: OPEN // 2])
    now = timezone.now()
    half = len(matches) // 2
    about = [people[0]] * half + [people[1 + n % (len(people) - 1)] for n in range(half)]
    opened = Case.objects.bulk_create(
        Case(match_id=match, player=whom, opened_at=now)
        for match, whom in zip(matches, about, strict=True)
    )
    reasons = ("cheating", "losing", "stalling", "name", "other")
    Report.objects.bulk_create(
        Report(case=case, by=people[-1 - n % 100], reason=reasons[n % 5], words="so", at=now)
        for n, case in enumerate(opened)
    )
    kinds = ("aborts", "rhythm", "pair", "address", "thrown")
    Sign.objects.bulk_create(
        Sign(key=f"crowd {n}", kind=kinds[n % 5], match_id=match, player=whom, words="so", at=now)
        for n, (match, whom) in enumerate(zip(matches, about, strict=True))
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def look_at_queue() -> dict[str, dict[str, object]]:
    """Return the figures of each page of the queue, and of dismissing 5,000 items together."""
    from django.contrib.auth import get_user_model

    from games.review import handling

    people = get_user_model().objects
    most, other = people.order_by("pk")[2:4]
    client = Client()
    client.force_login(people.get(username="root"))
    found: dict[str, dict[str, object]] = {}

    def timed(name: str, method: str, page: str, form: dict[str, object]) -> None:
        with CaptureQueriesContext(connection) as captured:
            began = time.perf_counter()
            answer = getattr(client, method)(page, form, headers={"host": "localhost"})
            took = time.perf_counter() - began
        assert answer.status_code in {200, 302}, (name, answer.status_code)
        sql = [q["sql"] for q in captured.captured_queries]
        found[name] = {
            "queries": len(sql),
            "seconds": round(took, 3),
            "bytes": len(answer.content),
            "plans": [get_query_plan(each) for each in sql if each.startswith("SELECT")],
        }

    for name, page in QUEUE.items():
        timed(name, "get", page.format(most=most.pk, other=other.pk), {})
    where = f"/admin/games/case/queue/{most.pk}/"
    timed("take", "post", f"{where}take/", {})
    form: dict[str, object] = {"do": "dismiss", "open": str(handling.get_open_items(most.pk))}
    timed("dismiss and go on", "post", f"{where}handle/", form)
    assert handling.get_open_items(most.pk).number == 0
    return found


def look() -> dict[str, dict[str, object]]:
    """Return, for each filter, the number of queries, the time (s), and the plans on matches."""
    from django.contrib.auth import get_user_model

    client = Client()
    client.force_login(get_user_model().objects.get(username="root"))
    found: dict[str, dict[str, object]] = {}
    pages = {name: f"match/{query}" for name, query in FILTERS.items()} | OTHERS
    for name, page in pages.items():
        with CaptureQueriesContext(connection) as captured:
            began = time.perf_counter()
            answer = client.get(f"/admin/games/{page}", headers={"host": "localhost"})
            took = time.perf_counter() - began
        assert answer.status_code == 200, (name, answer.status_code)
        read = [q["sql"] for q in captured.captured_queries]
        asked = [sql for sql in read if any(table in sql for table in _TABLES)]
        found[name] = {
            "queries": len(captured.captured_queries),
            "seconds": round(took, 3),
            "rows": len(answer.context["cl"].result_list),
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
    fill(number)
    seen = look()
    crowd()
    json.dump(seen | {"the queue": look_at_queue()}, sys.stdout, indent=1)

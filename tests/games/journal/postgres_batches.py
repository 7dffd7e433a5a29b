"""A process that commits batches on PostgreSQL, and prints what it found as JSON.

python -m tests.games.journal.postgres_batches CASE, which is one of the functions in `CASES`
"""

import json
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import Any

import django
from django.db import IntegrityError, connection, connections


def stale(matches: Sequence[Any]) -> dict[str, Any]:
    """The state of the second of three matches is not the stored one."""
    from games.journal import transaction
    from games.models import Match

    requests = _plays(matches)
    Match.objects.filter(pk=matches[1].pk).update(chain="f" * 32)
    try:
        transaction._transact(requests, trusting=True)
    except transaction._ConflictError:
        return {"error": "conflict", **_stored(matches)}
    return _stored(matches)


def repeated_ply(matches: Sequence[Any]) -> dict[str, Any]:
    """A move of the second match is stored, but the match does not know of it."""
    from django.utils import timezone

    from games.journal import transaction
    from games.models import Move

    requests = _plays(matches)
    Move.objects.create(
        match=matches[1], ply=0, role="xplayer", action="mark 3 3", at=timezone.now(), spent_ms=1
    )
    try:
        transaction._transact(requests, trusting=True)
    except IntegrityError:
        return {"error": "integrity", **_stored(matches)}
    return _stored(matches)


def trips(matches: Sequence[Any]) -> dict[str, Any]:
    """Count PostgreSQL's answers while it stores a batch in which matches change differently."""
    from games.journal.requests import Request
    from games.journal.transaction import commit_requests
    from games.match.commands import Resign
    from tests.builders.matches import get_state

    for _ in range(3):  # all prepared statements exist after a few batches
        _must_accept(commit_requests(_plays(matches)))
    states = [get_state(match) for match in matches]
    requests = _plays(matches[:-1])
    requests.append(Request(matches[-1].pk, matches[-1].first_id, Resign(), known=states[-1]))
    found = {"plays": 0, "with an end": 0}
    for name, batch in (("plays", requests[:-1]), ("with an end", requests[-1:])):
        with tempfile.TemporaryFile("w+") as file:
            connection.connection.pgconn.trace(file.fileno())
            _must_accept(commit_requests(batch))
            connection.connection.pgconn.untrace()
            file.seek(0)
            found[name] = file.read().count("ReadyForQuery")
    return found


def lock_order(matches: Sequence[Any]) -> dict[str, Any]:
    """Return which match a batch has locked while it waits for the match with the lowest id."""
    from games.journal.requests import Request
    from games.journal.transaction import commit_requests
    from games.match.commands import Resign
    from tests.builders.matches import get_state
    from tests.builders.sites import until

    low, high = sorted(matches, key=lambda match: match.pk)[:2]
    batch = [Request(high.pk, high.first_id, Resign(), known=get_state(high)), *_plays([low])]
    answers: list[Any] = []

    def commit() -> None:
        answers.extend(commit_requests(batch)[0])
        connection.close()

    thread = threading.Thread(target=commit)
    holder, looker = connections["default"], connections.create_connection("default")
    holder.set_autocommit(False)
    with holder.cursor() as cursor:
        cursor.execute("SELECT 1 FROM games_match WHERE id = %s FOR UPDATE", [low.pk])
        thread.start()
    with looker.cursor() as cursor:
        until(lambda: _is_waiting(cursor), "the batch waits for the lock")
        sql = "SELECT id FROM games_match WHERE id = ANY(%s) FOR UPDATE SKIP LOCKED"
        cursor.execute(sql, [[low.pk, high.pk]])
        free = {row[0] for row in cursor.fetchall()}
    looker.close()
    holder.rollback()
    holder.set_autocommit(True)
    thread.join()
    return {"high_is_free": free == {high.pk}, "refused": [each.refused for each in answers]}


def overtaken(matches: Sequence[Any]) -> dict[str, Any]:
    """Another connection changes the second match, and commits while the batch waits for it."""
    from games.journal import transaction
    from tests.builders.sites import until

    requests = _plays(matches)
    errors: list[str] = []

    def commit() -> None:
        try:
            transaction._transact(requests, trusting=True)
        except transaction._ConflictError:
            errors.append("conflict")
        connection.close()

    thread = threading.Thread(target=commit)
    holder, looker = connections["default"], connections.create_connection("default")
    holder.set_autocommit(False)
    with holder.cursor() as cursor:
        cursor.execute("UPDATE games_match SET version = 1 WHERE id = %s", [matches[1].pk])
        thread.start()
    with looker.cursor() as cursor:
        until(lambda: _is_waiting(cursor), "the batch waits for the lock")
    looker.close()
    holder.commit()
    holder.set_autocommit(True)
    thread.join()
    return {"errors": errors, **_stored(matches)}


def lost_connection(matches: Sequence[Any]) -> dict[str, Any]:
    """PostgreSQL ends the connection before the batch is written, once or always."""
    from games.journal import transaction
    from games.runtime.db import Unavailable, run_with_retry

    real, left = transaction._write, [1]

    def write(*args: Any) -> None:
        if left[0] > 0:
            left[0] -= 1
            other = connections.create_connection("default")
            with other.cursor() as cursor:
                pid = connection.connection.info.backend_pid
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
            other.close()
        real(*args)

    transaction._write = write
    answers, _ = run_with_retry(transaction.commit_requests, _plays(matches))
    found = {"once": [each.refused for each in answers], "plies": _stored(matches)["plies"]}
    left[0] = 2
    try:
        run_with_retry(transaction.commit_requests, _plays(matches))
    except Unavailable:
        found["always"] = "unavailable"
    return found | {"then": _stored(matches)["plies"]}


def columns(matches: Sequence[Any]) -> dict[str, Any]:
    """Store changes of many columns at once: offers, clocks, leases, ends, and odd characters."""
    from datetime import UTC, datetime

    from msgspec.structs import replace

    from games.journal import transaction
    from games.store.records import FIELDS, read_states
    from tests.builders.matches import get_state

    known = {match.pk: get_state(match) for match in matches}
    at = datetime(2026, 2, 3, 4, 5, 6, 789012, UTC)
    fixed = {FIELDS[i] for i in transaction._FIXED} | {"status", "ended", "ended_at"}
    values: dict[type, Any] = {int: 7, str: "\"'\\ {é}", datetime: at}
    kinds = {
        **dict.fromkeys(("notation", "last", "chain", "digest"), str),
        **dict.fromkeys(("deadline", "acted_at", "started_at", "resumed_at", "bot_at"), datetime),
    }
    new = {name: values[kinds.get(name, int)] for name in FIELDS if name not in fixed}
    new |= {"outage": 2**40, "rematch_id": matches[1].pk}
    first, second, third = known.values()
    changed = [
        replace(first, **new),
        replace(second, version=1, bot_at=at),
        replace(third, version=1, status="over", ended="time", ended_at=at, ended_by=None),
    ]
    with django.db.transaction.atomic(), connection.cursor() as cursor:
        transaction._write(known, changed, [], cursor, transaction._Times())
    stored = read_states([state.id for state in changed])
    return {
        "differ": [
            name
            for state in changed
            for name in FIELDS
            if getattr(state, name) != getattr(stored[state.id], name)
        ],
        "written": sum(getattr(changed[0], name) != getattr(first, name) for name in FIELDS),
    }


def _is_waiting(cursor: Any) -> bool:
    """Return whether a connection to this database waits for a lock."""
    cursor.execute(
        "SELECT 1 FROM pg_stat_activity"
        " WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    return cursor.fetchone() is not None


def _plays(matches: Sequence[Any]) -> list[Any]:
    from tests.builders.matches import get_state, request_play

    states = [get_state(match) for match in matches]
    return [
        request_play(match, state.ply, state.position.legal()[0], known=state)
        for match, state in zip(matches, states, strict=True)
    ]


def _stored(matches: Sequence[Any]) -> dict[str, Any]:
    from games.models import Move
    from tests.builders.matches import get_state

    return {
        "plies": [get_state(match).ply for match in matches],
        "moves": Move.objects.filter(match__in=matches).count(),
    }


def _must_accept(result: tuple[Sequence[Any], Any]) -> None:
    assert [each.refused for each in result[0]] == [None] * len(result[0])


CASES: dict[str, Callable[[Sequence[Any]], dict[str, Any]]] = {
    each.__name__: each
    for each in (stale, repeated_ply, trips, lock_order, overtaken, lost_connection, columns)
}


def main(case: str) -> None:
    django.setup()
    from tests.builders.matches import create_guest_match

    number = 20 if case == "trips" else 3
    matches = [create_guest_match() for _ in range(number)]
    print(json.dumps(CASES[case](matches)))


if __name__ == "__main__":
    main(*sys.argv[1:])

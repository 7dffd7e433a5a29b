"""Background work shortens the switch interval of threads, and only while it runs."""

import asyncio
import sys
import threading

import pytest

from config.server.page_handler import PageHandler
from games.runtime.db import (
    background_priority,
    close_db_threads,
    in_db,
    in_db_for_chores,
    in_db_for_people,
    in_db_for_reading,
    in_db_round_robin,
)
from games.runtime.fair_queue import SITE

USUAL = sys.getswitchinterval()


def test_the_interval_is_short_until_the_last_one_is_done() -> None:
    entered, leave = threading.Event(), threading.Event()

    def work() -> None:
        with background_priority():
            entered.set()
            leave.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    assert entered.wait(10)
    with background_priority():
        short = sys.getswitchinterval()
    assert sys.getswitchinterval() == short < USUAL
    leave.set()
    thread.join(10)
    assert sys.getswitchinterval() == USUAL


def test_the_interval_is_restored_after_a_failure() -> None:
    with pytest.raises(ZeroDivisionError), background_priority():
        raise ZeroDivisionError
    assert sys.getswitchinterval() == USUAL


def test_pages_are_rendered_at_background_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PageHandler, "_made", lambda *_: sys.getswitchinterval())
    assert PageHandler()._make({}, None) < USUAL


def thread_name() -> str:
    return threading.current_thread().name


def test_round_robin_work_does_not_use_the_match_thread() -> None:
    async def asked() -> list[str]:
        return [await in_db_round_robin(SITE, thread_name), await in_db(thread_name)]

    try:
        pairing, matches = asyncio.run(asked())
    finally:
        close_db_threads()
    assert pairing.startswith("db-people")
    assert matches.startswith("db_")


def test_matches_keep_the_usual_time_and_all_others_do_not() -> None:
    async def asked() -> list[float]:
        ways = in_db, in_db_for_reading, in_db_for_chores, in_db_for_people
        return [await way(sys.getswitchinterval) for way in ways]

    try:
        matches, *others = asyncio.run(asked())
    finally:
        close_db_threads()
    assert matches == USUAL
    assert max(others) < USUAL

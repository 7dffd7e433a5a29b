"""Fixtures that many tests share."""

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from _pytest import python
from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.test import Client, TransactionTestCase, override_settings

import config.server  # noqa: F401  # installs its reactor before a test imports Daphne's server
from games.messages.script import forget_catalogs
from lobby.accounts.hashing import Argon2Hasher
from lobby.models import Player
from tests.builders.databases import database_of_its_own, postgres, redis
from tests.builders.players import create_player
from tests.builders.prepared import PREPARED, Snapshot, migrated, prepared
from tests.builders.second_factors import give_factor
from tests.builders.sites import ROOT, Person, SharedSites, Site
from tests.scheduling import (  # noqa: F401  # hooks
    pytest_handlecrashitem,
    pytest_xdist_make_scheduler,
)
from tests.tiers import guard_programs, is_fast, set_guard

# Other processes may delay examples for longer than Hypothesis allows by default.
hypothesis.settings.register_profile(
    "patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")

DRILLS = ROOT / "tests" / "bench" / "drills"
LONGEST = {
    *("test_every_page.py", "test_production.py", "test_racing.py", "test_updates.py"),
    *("test_fifth_game.py", "test_review.py", "test_small_screen.py", "test_tournaments.py"),
    *("test_tournament_kinds.py", "test_visibility.py", "test_waiting.py"),
}
# Its tests start dozens of programs. At the end they would take five times as long as alone: Linux
# gives each browser as much of the processor as everything else together (sched_autogroup).
IN_THE_MIDDLE = {"test_update.py": "test_m"}


@receiver(setting_changed)
def forget_other_catalogs(setting: str, **_: object) -> None:
    """Let scripts have the sentences of the catalogs that a test sets, and of no earlier test."""
    if setting == "LOCALE_PATHS":
        forget_catalogs()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="run only tests that start no program")
    parser.addoption("--drills", action="store_true", help="run the short drills too")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        guard_programs()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if collection_path == DRILLS and not config.getoption("--drills") else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--fast`, leave out the tests that start programs (`tests.tiers`).

    The longest files come first, because one process runs each file and the others would have to
    wait for it. The others follow by name: files of one folder often wait for the same things, and
    the processor would have nothing to do if they ran side by side. Tests with a browser come last:
    once they start, Playwright's event loop runs in the process. Code that starts another loop, or
    asks Django whether one runs, fails in such a process. The drills, which run in threads of their
    own, come after them.
    """
    if config.getoption("--fast"):
        slow = [item for item in items if not is_fast(item)]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if is_fast(item)]
    items.sort(
        key=lambda item: (
            item.path.parent == DRILLS,
            "browser" in item.path.parts,
            item.path.name not in LONGEST,
            IN_THE_MIDDLE.get(item.path.name, item.path.name),
            item.path,
        )
    )


def pytest_collection_finish() -> None:
    """Exclude the modules and the tests from garbage collections. They stay until the end.

    Collect less often than Python does by default. It would take a tenth of the time of some tests.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 50)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Prevent tests of a fast run from starting a program."""
    set_guard(bool(item.config.getoption("--fast")))
    try:
        return (yield)
    finally:
        set_guard(False)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object:
    """Call the test as pytest does, from a large frame."""
    return python.pytest_pyfunc_call(pyfuncitem)


# Python keeps frames in chunks of 16 kB and returns a chunk to the system when its last frame ends.
# Above pytest's own frames, a query often crosses the border of a chunk many times, which takes a
# fifth of the time of the fast tests (python/cpython#142183). A frame that asks for 264 kB gets a
# chunk of 512 kB, and the frames of the test share it.
pytest_pyfunc_call.__code__ = pytest_pyfunc_call.__code__.replace(co_stacksize=33_000)


_sites: list[SharedSites] = []


def pytest_runtest_teardown() -> None:
    """Stop sites that no module used for some time."""
    for each in _sites:
        each.stop_unused()


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Report a failure immediately, even in a run of many processes.

    An interrupted run has no summary that would report it.
    """
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(
            f"\n{report.nodeid} failed ({report.when}): {report.longreprtext[-2000:]}", flush=True
        )


@pytest.fixture(autouse=True, scope="session")
def prepared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The folder for everything that the processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    (run / "prepared").mkdir(exist_ok=True)
    os.environ[PREPARED] = str(run / "prepared")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    prepared_folder: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Let each process start with a copy of one migrated database."""
    made = prepared("site", migrated(ROOT))
    assert made
    own = tmp_path_factory.mktemp("database") / "test.sqlite3"
    shutil.copyfile(made / "site.sqlite3", own)
    settings.DATABASES["default"]["TEST"]["NAME"] = own


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep the contents of the copy. `migrate` then finds nothing to add."""
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """After a test with transactions, restore the database instead of emptying each table.

    Django would also create all permissions again.
    """
    with django_db_blocker.unblock():
        start = Snapshot()
    TransactionTestCase._fixture_teardown = lambda self: start.restore()  # type: ignore[method-assign, attr-defined]


@pytest.fixture(autouse=True, scope="session")
def quick_hashes() -> None:
    """Hash passwords in the test's own process with the least memory, since there are thousands.

    The site's servers use their normal settings.
    """
    Argon2Hasher.memory_cost = 8  # KiB


@pytest.fixture(scope="session")
def no_static_files(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("static"))


@pytest.fixture(autouse=True)
def plain_static_files(no_static_files: str) -> Iterator[None]:
    """Let the test's own process render pages without collected static files."""
    storages = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    with override_settings(STORAGES=storages, STATIC_ROOT=no_static_files, RATE_LIMITS=False):
        yield


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Reset the rate limits, because their counts in this process outlast a test's players."""
    from games.runtime.limiter import limiter

    limiter.cache_clear()


@pytest.fixture
def admin_client(admin_user: Any) -> Client:
    """A superuser with a second factor, which all staff need."""
    give_factor(admin_user)
    client = Client()
    client.force_login(admin_user)
    return client


@pytest.fixture(scope="session")
def shared_sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedSites]:
    found = SharedSites(tmp_path_factory.mktemp)
    _sites.append(found)
    yield found
    _sites.remove(found)
    found.stop()


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, shared_sites: SharedSites) -> Iterator[Site]:
    """A site with the default setup: one server, SQLite, and the in-memory layer.

    A module's `SITE` adds to its environment. Modules with equal settings share the site, except
    those that check all players and matches: these set `IS_ALONE = True`.
    """
    env = getattr(request.module, "SITE", {})
    if getattr(request.module, "IS_ALONE", False):
        found = shared_sites.start(env)
        yield found.wait()
        found.stop()
    else:
        with shared_sites.lend(lambda: [shared_sites.start(env)], env) as (found,):
            yield found


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres(tmp_path_factory.mktemp("pg")) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture(scope="module")
def sites(postgres_url: str, redis_url: str, shared_sites: SharedSites) -> Iterator[list[Site]]:
    """Two servers of one site on PostgreSQL and Redis, shared by modules."""
    env = {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 50}

    def start() -> list[Site]:
        own = dict(env)
        database_of_its_own(own)
        return [shared_sites.start(own).wait(), shared_sites.start(own)]

    with shared_sites.lend(start, env) as found:
        yield found
        for server in found:
            server.must_be_calm()


@pytest.fixture
def alice(db: None) -> Player:
    return create_player("alice")


@pytest.fixture
def bob(db: None) -> Player:
    return create_player("bob")


@pytest.fixture
def charlie(db: None) -> Player:
    """A person who is not a player of the match."""
    return create_player("charlie")


@pytest.fixture
def rita(db: None) -> Player:
    return create_player("rita", "reviewer")


@pytest.fixture
def sara(db: None) -> Player:
    return create_player("sara", "senior reviewer")


@pytest.fixture
def alice_online(site: Site) -> Person:
    return Person(site).be_guest()


@pytest.fixture
def bob_online(site: Site) -> Person:
    return Person(site).be_guest()


@pytest.fixture
def charlie_online(site: Site) -> Person:
    """A person without a session who is not a player of the match."""
    return Person(site)

"""Fixtures that many tests share."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings

from tests.databases import postgres, redis
from tests.factors import give_factor
from tests.live import Person, Site
from tests.prepared import PREPARED


@pytest.fixture(autouse=True, scope="session")
def prepared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where all processes of this run keep what they share."""
    base = tmp_path_factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    (run / "prepared").mkdir(exist_ok=True)
    os.environ[PREPARED] = str(run / "prepared")


@pytest.fixture(autouse=True)
def plain_static_files() -> Iterator[None]:
    """Let the test's own process make pages without collected static files."""
    storages = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    with override_settings(STORAGES=storages, RATE_LIMITS=False):
        yield


@pytest.fixture
def admin_client(admin_user: Any) -> Client:
    """A superuser, who has a second factor as all staff must."""
    give_factor(admin_user)
    client = Client()
    client.force_login(admin_user)
    return client


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The embedded default: one server, SQLite, the in-memory layer."""
    server = Site(tmp_path_factory.mktemp("site"))
    try:
        yield server.wait()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres(tmp_path_factory.mktemp("pg")) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture
def alice(site: Site) -> Person:
    return Person(site).be_guest()


@pytest.fixture
def bob(site: Site) -> Person:
    return Person(site).be_guest()


@pytest.fixture
def charlie(site: Site) -> Person:
    """An outsider, with no session at all."""
    return Person(site)

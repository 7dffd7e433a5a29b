"""Only the transactions that say so give up waiting for the disk."""

import subprocess
import sys

from tests.builders.databases import database_of_its_own
from tests.builders.sites import PATIENCE, ROOT

PROGRAM = """
import django
django.setup()
from django.db import connection, transaction
from games.runtime.db import atomic_without_fsync

def waits():
    with connection.cursor() as cursor:
        return cursor.execute("SHOW synchronous_commit").fetchone()[0]

with atomic_without_fsync():
    print(waits())
print(waits())
with transaction.atomic():
    with atomic_without_fsync():
        pass
    print(waits())
"""


def test_an_outer_transaction_of_postgresql_still_waits_for_the_disk(postgres_url: str) -> None:
    env = {"DATABASE_URL": postgres_url, "SECRET_KEY": "k" * 50}
    database_of_its_own(env)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**env, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout.split() == ["off", "on", "on"], done.stderr

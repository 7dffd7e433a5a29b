"""The squashed migrations make what the original ones made, wherever a database stands before."""

import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from games.models import Match, Sign
from games.review.notices import list_notices
from lobby.models import Player
from tests.builders import nursery
from tests.builders.databases import database_of_its_own
from tests.builders.migrations import use_database
from tests.builders.sites import copy_prepared

EARLIER = {
    "first release": ("games.0002_initial", "lobby.0001_initial"),
    "between": ("games.0017_sign_searches", "lobby.0009_aliases"),
}
# Sites here go on with the original files, which the tests migrate in any case.
WITHIN_THE_LAST = {
    "within the last": ("games.0028_client_networks", "lobby.0023_uncounted_matches"),
    "squashed before": ("games.0029_blinded_log", "lobby.0024_coarse_name_keys"),
}

ORIGINAL: dict[str, tuple[str, ...]] = {"original": ()}


def migrate_in_steps(steps: dict[str, tuple[str, ...]], **env: str) -> dict[str, str | None]:
    """Return the databases that `steps.py` makes, or None where the original files go on."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    env = {**kept, **env, "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "k" * 50}
    done = nursery.run(["-m", "tests.games.migrations.steps", json.dumps(steps)], env)
    assert done.returncode == 0, done.stderr
    found: dict[str, str | None] = json.loads(done.stdout)
    return found


def columns(table: str) -> list[str]:
    """The columns and constraints in a CREATE TABLE, sorted: added columns stand elsewhere."""
    inner = table[table.index("(") + 1 : table.rindex(")")]
    found, depth = [""], 0
    for part in re.findall(r"'[^']*'|\"[^\"]*\"|.", inner, re.DOTALL):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "," and not depth:
            found.append("")
        else:
            found[-1] += part
    return sorted(each.strip() for each in found)


def sqlite_schema(file: str) -> set[str]:
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return {
        f"{kind} {name} {table} {columns(sql) if kind == 'table' else sql}"
        for kind, name, table, sql in rows
    }


def postgres_schema(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            """
            SELECT 'column', table_name, column_name, concat_ws(' ', data_type,
                character_maximum_length, is_nullable, column_default, is_identity,
                identity_generation, collation_name)
            FROM information_schema.columns WHERE table_schema = 'public'
            UNION ALL SELECT 'index', tablename, indexname, indexdef
            FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT 'constraint', conrelid::regclass::text, conname,
                concat_ws(' ', pg_get_constraintdef(oid), condeferrable, condeferred)
            FROM pg_constraint WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT 'sequence', sequencename, data_type::text, ''
            FROM pg_sequences WHERE schemaname = 'public'
            """
        ).fetchall()
    return {" ".join(row) for row in rows}


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str | None]:
    folder = tmp_path_factory.mktemp("steps")
    return migrate_in_steps(EARLIER, DATA_DIR=str(folder))


@pytest.fixture(scope="module")
def made(
    earlier: dict[str, str | None], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str | None]:
    """The databases made of the earlier ones, of those within the last, and of an empty one."""
    between = earlier["between"]
    assert between
    folder = Path(between).parent
    later = migrate_in_steps({**WITHIN_THE_LAST, **ORIGINAL}, DATA_DIR=str(folder))
    copy_prepared(empty := tmp_path_factory.mktemp("empty"), with_database=True)
    return {**earlier, **later, "empty": str(empty / "site.sqlite3")}


@pytest.mark.parametrize("step", EARLIER)
def test_the_squashed_migrations_apply_to_an_earlier_database(
    step: str, earlier: dict[str, str | None]
) -> None:
    file = earlier[step]
    assert file
    with closing(sqlite3.connect(file)) as database:
        done = database.execute("SELECT name FROM django_migrations WHERE name LIKE '%squashed%'")
        assert len(done.fetchall()) >= 2


@pytest.mark.parametrize("step", ("empty", *EARLIER))
def test_squashed_migrations_make_the_same_schema(step: str, made: dict[str, str | None]) -> None:
    file, original = made[step], made["original"]
    assert file
    assert original
    assert sqlite_schema(file) == sqlite_schema(original)
    assert len(sqlite_schema(original)) > 200


@pytest.mark.parametrize("step", WITHIN_THE_LAST)
def test_a_site_within_the_last_squashed_migration_goes_on_with_the_original_files(
    step: str, made: dict[str, str | None]
) -> None:
    assert made[step] is None


def test_the_original_migrations_keep_notices_signs_and_cases(
    made: dict[str, str | None], django_db_setup: None, django_db_blocker: Any
) -> None:
    # The squashed migrations have no step between what is put in and what is made of it.
    original = made["original"]
    assert original
    with django_db_blocker.unblock(), use_database(Path(original)):
        player = Player.objects.get(username="a")
        assert [each["words"] for each in list_notices(player.pk)] == ["An old notice."]
        assert Sign.objects.get().sentence == "An old sign."
        assert [case.pk for case in Match.objects.get().cases.all()]
        with connection.cursor() as cursor:  # no release still needs it
            columns = connection.introspection.get_table_description(cursor, "games_case")
        assert not {"taken_at", "taken_by_id"} & {column.name for column in columns}


def test_squashed_migrations_make_the_same_schema_on_postgres(
    postgres_url: str, tmp_path: Path
) -> None:
    env = {"DATA_DIR": str(tmp_path), "DATABASE_URL": postgres_url}
    database_of_its_own(env)
    empty = postgres_schema(env["DATABASE_URL"])
    database_of_its_own(env, empty=True)
    # A database of the first release goes on with the original files to "between".
    made = migrate_in_steps({"between": EARLIER["between"], **ORIGINAL}, **env)
    place = env["DATABASE_URL"].rpartition("/")[0]
    original = postgres_schema(f"{place}/{made['original']}")
    assert len(original) > 200
    assert postgres_schema(f"{place}/{made['between']}") == original
    assert empty == original

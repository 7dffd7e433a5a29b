"""The squashed migrations make what the original ones made, wherever a database stands before."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.builders.databases import database_of_its_own
from tests.builders.sites import ROOT

# Migrates with the original files alone to the targets, or to the end without targets ...
_ORIGINALLY = """
import sys, django
django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
load_disk = MigrationLoader.load_disk
def load_originals(self):
    load_disk(self)
    found = self.disk_migrations.items()
    self.disk_migrations = {
        key: each for key, each in found if key[0] not in ("games", "lobby") or not each.replaces
    }
MigrationLoader.load_disk = load_originals
executor = MigrationExecutor(connection)
targets = [tuple(each.split(".")) for each in sys.argv[1:]]
executor.migrate(targets or executor.loader.graph.leaf_nodes())
"""
# ... and this with the squashed files where they fit.
_NOW = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", interactive=False, verbosity=0)
call_command("migrate", check_unapplied=True, verbosity=0)
"""
EARLIER = {
    "empty": (),
    "first release": ("games.0002_initial", "lobby.0001_initial"),
    "within": ("games.0013_callers", "lobby.0003_confirm"),
    "between": ("games.0017_sign_searches", "lobby.0009_aliases"),
    "within the last": ("games.0028_client_networks", "lobby.0023_uncounted_matches"),
    "squashed before": ("games.0029_blinded_log", "lobby.0024_coarse_name_keys"),
}


def run(script: str, env: dict[str, str], *targets: str) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    subprocess.run(
        [sys.executable, "-c", script, *targets],
        cwd=ROOT,
        env={**kept, **env, "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "k" * 50},
        check=True,
    )


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


def sqlite_schema(folder: Path) -> set[str]:
    with closing(sqlite3.connect(folder / "site.sqlite3")) as database:
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
def original(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("original")
    run(_ORIGINALLY, {"DATA_DIR": str(folder)})
    return sqlite_schema(folder)


@pytest.mark.parametrize("earlier", EARLIER)
def test_squashed_migrations_make_the_same_schema(
    earlier: str, original: set[str], tmp_path: Path
) -> None:
    env = {"DATA_DIR": str(tmp_path)}
    if EARLIER[earlier]:
        run(_ORIGINALLY, env, *EARLIER[earlier])
    run(_NOW, env)
    assert sqlite_schema(tmp_path) == original
    assert len(original) > 200


def test_squashed_migrations_make_the_same_schema_on_postgres(postgres_url: str, tmp_path: Path) -> None:
    schemas = {}
    for name in ("original", "empty", "first release", "between"):
        env = {"DATA_DIR": str(tmp_path), "DATABASE_URL": postgres_url}
        database_of_its_own(env, empty=True)
        if name == "original":
            run(_ORIGINALLY, env)
        else:
            if EARLIER[name]:
                run(_ORIGINALLY, env, *EARLIER[name])
            run(_NOW, env)
        schemas[name] = postgres_schema(env["DATABASE_URL"])
    original = schemas.pop("original")
    assert len(original) > 200
    for name, schema in schemas.items():
        assert schema == original, name

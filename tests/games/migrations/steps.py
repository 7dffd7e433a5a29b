"""Migrates a database in steps with the original files, and a copy of it at each step with all.

    python -m tests.games.migrations.steps '{"first": ["games.0002_initial"], "original": []}'

Goes on with the database where an earlier call has left it. Prints the names of the databases as
JSON: of the copy made at each step, and of the database itself at the step "original", which has no
targets and is the last. At the step "between", the database gets rows for later migrations to
convert. A step has no copy, and null in place of its name, if the squashed files do not apply to
it, so that it continues like the original.
"""

import gc
import json
import os
import shutil
import sys
from typing import Any

import django
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from tests.builders.migrations import load_originals


def migrate_originally(targets: list[str]) -> None:
    """Migrate with the original files alone to the targets, or to the end without targets."""
    MigrationLoader.load_disk = load_originals  # type: ignore[method-assign]
    executor = MigrationExecutor(connection)
    wanted: list[Any] = [tuple(target.split(".")) for target in targets]
    executor.migrate(wanted or executor.loader.graph.leaf_nodes())


def plan_rest() -> list[tuple[str, str]]:
    """Return the migrations that are not applied, in order, with the files that are loaded."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [(migration.app_label, migration.name) for migration, _ in plan]


def copy_database(name: str) -> str:
    """Copy the database, which has no connection. Return the name of the copy."""
    own = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        copy = f"{own}-{name.replace(' ', '-')}"
        shutil.copyfile(own, copy)
        return copy
    copy = f"{own}_{name.replace(' ', '_')}"
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f"CREATE DATABASE {copy} TEMPLATE {own}")
    return copy


def insert_old_rows() -> None:
    """Store a match with a notice, a sign and a case, as they were before signs were codes."""
    loader = MigrationExecutor(connection).loader
    old = loader.project_state(list(loader.applied_migrations)).apps
    now = timezone.now()
    one, two = (old.get_model("lobby", "Player").objects.create(username=n) for n in "ab")
    match = old.get_model("games", "Match").objects.create(
        game="tic-tac-toe", first=one, second=two, created_at=now, acted_at=now, notation="x"
    )
    about = {"match": match, "player": one}
    old.get_model("games", "Notice").objects.create(player=one, words="An old notice.", match=match)
    old.get_model("games", "Sign").objects.create(
        key="k", kind="pair", words="An old sign.", at=now, **about
    )
    old.get_model("games", "Case").objects.create(
        opened_at=now, taken_by=two, taken_at=now, **about
    )


def migrate_copy(copy: str) -> None:
    """Migrate a copy as sites do: with the squashed files where they fit."""
    connection.settings_dict["NAME"] = copy
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    if plan_rest():
        sys.exit(f"{copy}: a migration is still unapplied")


def main() -> None:
    steps: dict[str, list[str]] = json.loads(sys.argv[1])
    found: dict[str, str | None] = {}
    children = {}
    load_all = MigrationLoader.load_disk
    gc.disable()  # among so many models, it takes a third of the time
    for name, targets in steps.items():
        migrate_originally(targets)
        gc.collect()
        if name == "original":
            found[name] = str(connection.settings_dict["NAME"])
            continue
        rest = plan_rest()
        MigrationLoader.load_disk = load_all  # type: ignore[method-assign]
        if plan_rest() == rest:
            found[name] = None
            continue
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()  # type: ignore[attr-defined]
        found[name] = copy_database(name)
        children[name] = os.fork()
        if not children[name]:
            migrate_copy(str(found[name]))
            os._exit(0)
        if name == "between":
            MigrationLoader.load_disk = load_originals  # type: ignore[method-assign]
            insert_old_rows()
    for name, child in children.items():
        if os.waitpid(child, 0)[1]:
            sys.exit(f"{name}: the copy was not migrated")
    print(json.dumps(found))


if __name__ == "__main__":
    django.setup()
    main()

"""Backup and restore with PostgreSQL's tools.

pg_dump reads a consistent snapshot; pg_restore and psql write it in one transaction. The tools get
the password through their environment, because all users of a machine can read command lines.
"""

import contextlib
import os
import shutil
import subprocess  # nosec B404  # PostgreSQL's tools are programs, run without a shell
import tempfile
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.db import connection
from psycopg.conninfo import make_conninfo

SIGNATURE = b"PGDMP"
# Options of Django that libpq does not know.
_DJANGO_OPTIONS = {
    "pool",
    "isolation_level",
    "server_side_binding",
    "assume_role",
    "prepare_threshold",
}

# Drop all tables of the schema, including those that are not in the backup, so that the commands in
# the backup succeed. If a running site holds locks, `lock_timeout` cancels the restore.
_BEFORE = b"""
BEGIN;
SET LOCAL lock_timeout = '30s';
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
        EXECUTE format('DROP TABLE %I CASCADE', name);
    END LOOP;
END $$;
"""
_AFTER = b"\nCOMMIT;\nANALYZE;\n"


def dump(file: Path) -> None:
    """Copy the database into a file, which must exist and have the right mode."""
    _run("pg_dump", "--format=custom", *_PLAIN, f"--file={file}", _dbname_argument())


def migrations(file: Path) -> set[tuple[str, str]]:
    """Return the migrations that are applied in the backup, as pairs of an app and a name.

    The result is empty if the backup has no table of migrations.
    """
    text = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(file))
    rows = (line.split("\t") for line in text.splitlines())
    return {(row[1], row[2]) for row in rows if len(row) == 4}


def put_in_place(file: Path) -> None:
    """Replace the content of the database with the backup, in one transaction.

    Raise `CommandError` if this fails. The database is then unchanged.
    """
    psql = [_tool("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", _dbname_argument()]
    with tempfile.TemporaryFile() as errors:
        with (
            subprocess.Popen(  # noqa: S603  # nosec B603  # no shell; the operator chose the file
                [_tool("pg_restore"), *_PLAIN, "--file=-", str(file)],
                stdout=subprocess.PIPE,
                stderr=errors,
            ) as reader,
            subprocess.Popen(  # noqa: S603  # nosec B603  # no shell
                psql,
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            ) as writer,
        ):
            assert reader.stdout is not None and writer.stdin is not None
            with contextlib.suppress(BrokenPipeError):  # psql reports the reason itself
                writer.stdin.write(_BEFORE)
                shutil.copyfileobj(reader.stdout, writer.stdin)
                if reader.wait() == 0:  # otherwise, psql gets no COMMIT and rolls back
                    writer.stdin.write(_AFTER)
                writer.stdin.close()
            reader.stdout.close()
        if reader.returncode or writer.returncode:
            errors.seek(0)
            raise CommandError(f"Nothing was restored: {_reason(errors.read())}")


_PLAIN = ("--no-owner", "--no-privileges")  # the database role may have another name here


def _run(name: str, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603  # nosec B603  # no shell
        [_tool(name), *arguments], env=_environment(), capture_output=True, check=False
    )
    if done.returncode:
        raise CommandError(f"{name}: {_reason(done.stderr)}")
    return done.stdout.decode(errors="replace")


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise CommandError(
            f"{name} is not installed: it comes with PostgreSQL's client "
            "(on Debian: apt install postgresql-client)."
        )
    return path


def _dbname_argument() -> str:
    """Return the `--dbname` argument of the tools: the database's address without a password."""
    held: dict[str, Any] = connection.settings_dict
    options = {
        name: value for name, value in held["OPTIONS"].items() if name not in _DJANGO_OPTIONS
    }
    named = {"host": held["HOST"], "port": held["PORT"], "user": held["USER"]}
    given = {name: value for name, value in named.items() if value}
    return "--dbname=" + make_conninfo(dbname=held["NAME"], **given, **options)


def _environment() -> dict[str, str]:
    password = str(connection.settings_dict["PASSWORD"])
    return {**os.environ, **({"PGPASSWORD": password} if password else {})}


def _reason(errors: bytes) -> str:
    """Return the first line of a tool's output that reports an error, or else its first line."""
    lines = [line.strip() for line in errors.decode(errors="replace").splitlines() if line.strip()]
    named = [line for line in lines if "error:" in line.lower()]
    return (named or lines or ["it failed without a message"])[0]

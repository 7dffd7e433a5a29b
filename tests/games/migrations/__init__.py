"""Databases of earlier releases, as SQL, and what `make` noted of the matches in them.

A file for each release that changed what is stored, from the first with data on: `….sqlite.sql`
and, of some, `….postgres.sql`. Each is brought to this version and played on by `test_updates.py`.
To add the next release, once its migrations are in:

    git worktree add /tmp/release <tag or commit>
    export DJANGO_SETTINGS_MODULE=config.settings
    .venv/bin/python -m tests.games.migrations.make /tmp/release <number>-<name> [--postgres]

What is there stays as it is: it is what people's databases look like.
"""

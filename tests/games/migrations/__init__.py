"""Databases of earlier releases, as SQL, with notes on the matches in them.

Each release that changed the database has a file `….sqlite.sql`, and some have `….postgres.sql`.
`test_updates.py` brings each of them to this version and plays on. To add the next release, after
its migrations are committed:

    git worktree add /tmp/release <tag or commit>
    export DJANGO_SETTINGS_MODULE=config.settings
    .venv/bin/python -m tests.games.migrations.make /tmp/release <number>-<name> [--postgres]

Never change an existing file: people's databases look like that.
"""

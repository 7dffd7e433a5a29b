"""Databases of earlier releases, as SQL, with notes on the matches in them.

The first and the latest release have a file `….sqlite.sql` and a file `….postgres.sql` each.
`test_updates.py` brings each of them to this version and plays on. To replace the latest release,
after the migrations of the next one are committed:

    git worktree add /tmp/release <tag or commit>
    export DJANGO_SETTINGS_MODULE=config.settings
    .venv/bin/python -m tests.games.migrations.make /tmp/release <number>-<name> [--postgres]

Never change an existing file: people's databases look like that. `test_squashed.py` shows that the
squashed migrations make the same schema as the original ones from any state in between.
"""

"""Django's SQLite backend, whose writers wait for each other without long pauses (see `base`)."""

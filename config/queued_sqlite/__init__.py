"""Django's SQLite, with a queue for this process's writers: see `base`."""

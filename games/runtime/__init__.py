"""What all else runs on: the database's threads, hints between servers, queues, limits, figures."""

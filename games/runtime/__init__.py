"""Plumbing: the database's threads, the pubsub between servers, batches, rate limits, metrics."""

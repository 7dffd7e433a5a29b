"""Infrastructure: database threads, hints between servers, batches, rate limits and metrics."""

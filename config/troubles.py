"""One-line descriptions of errors, and of a failure of Redis."""

from django.conf import settings


def describe_redis_failure() -> str:
    """Return a warning if Redis does not respond, or "" if it responds or is not used."""
    if not settings.REDIS_URL:
        return ""
    import redis  # imported late, because most sites do not use it, and it takes 50 ms

    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
        ) as client:
            client.ping()
    except (redis.RedisError, OSError) as error:
        return (
            f"Redis does not answer ({summarize_error(error)}). The site works without it, but "
            "changes from other servers arrive later, and /readyz answers 503."
        )
    return ""


def summarize_error(error: Exception) -> str:
    """Return the first line of the error's message, or its class name if it has none."""
    return (str(error).strip().splitlines() or [error.__class__.__name__])[0]

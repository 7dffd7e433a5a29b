"""How long things may take in a match, from the settings."""

from datetime import timedelta

from django.conf import settings

from games.match.state import Limits


def limits() -> Limits:
    """How long things may take, from the settings."""
    return Limits(
        start_within=timedelta(seconds=settings.START_SECONDS),
        lag_ms=settings.LAG_ALLOWANCE_MS,
        lag_budget_ms=settings.LAG_BUDGET_MS,
        lag_refill_ms=settings.LAG_REFILL_MS,
        # Who is shown as here has not left, however short the settings are.
        gone_timed=timedelta(seconds=max(settings.ABANDONED_SECONDS, settings.GONE_SECONDS)),
        gone_untimed=max(
            timedelta(days=settings.ABANDONED_DAYS), timedelta(seconds=settings.GONE_SECONDS)
        ),
        stalled=timedelta(days=settings.STALLED_DAYS),
    )

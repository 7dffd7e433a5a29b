"""The time limits of a match, from the settings."""

from datetime import timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver

from games.match.state import Limits


@cache  # cached, because each batch of the journal needs it
def get_limits() -> Limits:
    """Return the limits according to the current settings."""
    return Limits(
        start_within=timedelta(seconds=settings.FIRST_MOVE_SECONDS),
        lag_ms=settings.LAG_ALLOWANCE_MS,
        lag_budget_ms=settings.LAG_BUDGET_MS,
        lag_refill_ms=settings.LAG_REFILL_MS,
        # At least PRESENCE_TIMEOUT_SECONDS, because a player who is shown as present has not left.
        gone_timed=timedelta(
            seconds=max(settings.ABANDONED_SECONDS, settings.PRESENCE_TIMEOUT_SECONDS)
        ),
        gone_untimed=max(
            timedelta(days=settings.ABANDONED_DAYS),
            timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS),
        ),
        stalled=timedelta(days=settings.STALLED_DAYS),
    )


@receiver(setting_changed)
def _forget_limits(**_: Any) -> None:
    get_limits.cache_clear()

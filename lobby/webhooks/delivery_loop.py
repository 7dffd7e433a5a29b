"""The loop that sends due deliveries, which any number of processes can run.

The database is used before and after an attempt, but never during it.
"""

from datetime import timedelta
from functools import partial

import structlog
from cryptography.fernet import InvalidToken
from django.utils import timezone

from games.messages.refusal import Refused
from games.runtime.db import in_db_for_chores
from games.runtime.tasks import KeyedJobs
from lobby.accounts import encryption
from lobby.webhooks import deliveries
from lobby.webhooks.deliveries import GONE, LeasedDelivery
from lobby.webhooks.delivery_request import SECONDS, build_signature, send_request
from lobby.webhooks.destination import AT_ONCE, DeliveryError, LookUp, look_up, parse_address

log = structlog.get_logger(__name__)

EVERY = 1.0  # seconds between two rounds if nothing is due
_SOON = 0.05  # seconds between two rounds while more may be due
# The part of the lease that an attempt and the storing of its outcome need.
_MARGIN = timedelta(seconds=2 * SECONDS)


class Sending:
    """The loop of one process. A slow receiver delays only the deliveries of its own account."""

    def __init__(self, names: LookUp = look_up) -> None:
        self._names = names
        self._tries: KeyedJobs[int] = KeyedJobs("webhooks")  # keyed by account

    async def __call__(self) -> float | None:
        going_on = self._tries.keys
        if len(going_on) >= AT_ONCE:
            return None
        taken = await in_db_for_chores(
            deliveries.lease_deliveries, AT_ONCE - len(going_on), going_on
        )
        for each in taken:
            self._tries.start(each.owner_id, partial(self._try, each))
        return _SOON if taken else None

    async def _try(self, taken: LeasedDelivery) -> None:
        if timezone.now() > taken.until - _MARGIN:
            return  # this process was delayed, so another one may take the delivery
        try:
            fault = await attempt_delivery(taken, self._names)
        except Exception:  # this counts as an attempt, so that it is not repeated forever
            log.exception("webhook failed", hook=taken.hook_id)
            fault = "broken"
        await in_db_for_chores(deliveries.store_outcome, taken, fault)


async def attempt_delivery(taken: LeasedDelivery, names: LookUp = look_up) -> str:
    """Make one attempt to send a delivery, and return the code of its fault, "" on success."""
    now = int(timezone.now().timestamp())
    try:
        secret = encryption.decrypt(taken.secret)
        headers = {
            "webhook-id": taken.id,
            "webhook-timestamp": str(now),
            "webhook-signature": build_signature(secret, taken.id, now, taken.body),
        }
        status = await send_request(parse_address(taken.address), headers, taken.body, names)
    except DeliveryError as fault:
        return fault.code
    except Refused:  # the rules for addresses have changed since the registration
        return "private"
    except InvalidToken:  # the key of the site has changed
        return "unread"
    if 200 <= status < 300:
        return ""
    return GONE if status == 410 else f"status-{status}"

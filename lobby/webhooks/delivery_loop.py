"""The loop that sends what is due. Any number of processes have one.

The database is used before and after a try, never during it.
"""

from datetime import timedelta
from functools import partial

import structlog
from cryptography.fernet import InvalidToken
from django.utils import timezone

from games.messages.refusal import Refused
from games.runtime.db import in_db_for_chores
from games.runtime.tasks import KeyedJobs
from lobby.accounts import codes
from lobby.webhooks import deliveries
from lobby.webhooks.deliveries import GONE, Taken
from lobby.webhooks.delivery_request import SECONDS, send, signature
from lobby.webhooks.destination import AT_ONCE, Fault, LookUp, look_up, parse

log = structlog.get_logger(__name__)

EVERY = 1.0  # seconds, once nothing is due
_SOON = 0.05  # seconds, while more may be due
_MARGIN = timedelta(seconds=2 * SECONDS)  # of a lease, for the try and for noting it


class Sending:
    """One process's part: a slow receiver holds up nobody else."""

    def __init__(self, names: LookUp = look_up) -> None:
        self._names = names
        self._tries: KeyedJobs[int] = KeyedJobs("webhooks")  # by the account

    async def __call__(self) -> float | None:
        going_on = self._tries.keys
        if len(going_on) >= AT_ONCE:
            return None
        taken = await in_db_for_chores(deliveries.take, AT_ONCE - len(going_on), going_on)
        for each in taken:
            self._tries.start(each.owner_id, partial(self._try, each))
        return _SOON if taken else None

    async def _try(self, taken: Taken) -> None:
        if timezone.now() > taken.until - _MARGIN:
            return  # we were held up: somebody else takes it
        try:
            fault = await attempt(taken, self._names)
        except Exception:  # counted as a try: else it would come again for ever
            log.exception("webhook failed", hook=taken.hook_id)
            fault = "broken"
        await in_db_for_chores(deliveries.note, taken, fault)


async def attempt(taken: Taken, names: LookUp = look_up) -> str:
    """Try a delivery once; the fault's code, "" for none."""
    now = int(timezone.now().timestamp())
    try:
        secret = codes.decrypt(taken.secret)
        headers = {
            "webhook-id": taken.id,
            "webhook-timestamp": str(now),
            "webhook-signature": signature(secret, taken.id, now, taken.body),
        }
        status = await send(parse(taken.address), headers, taken.body, names)
    except Fault as fault:
        return fault.code
    except Refused:  # what may be an address has changed
        return "private"
    except InvalidToken:  # the key of the site is another one now
        return "unread"
    if 200 <= status < 300:
        return ""
    return GONE if status == 410 else f"status-{status}"

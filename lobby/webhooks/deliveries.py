"""The queue of deliveries, and the loop that sends them, which any number of processes can run.

Code that changes a webhook and its deliveries locks the webhook first. The database is used before
and after an attempt, but never during it.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial

import structlog
from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone
from msgspec import Struct

from games.messages.refusal import Refused
from games.runtime.db import atomic_without_fsync, in_db_for_chores
from games.runtime.leases import Lease
from games.runtime.tasks import KeyedJobs
from games.store.suspensions import get_suspensions
from lobby.accounts import encryption
from lobby.models import Delivery, Webhook
from lobby.webhooks.delivery_request import (
    AT_ONCE,
    SECONDS,
    DeliveryError,
    LookUp,
    build_signature,
    look_up,
    parse_address,
    send_request,
)

log = structlog.get_logger(__name__)

# Longer than it takes to make an attempt and store its outcome.
LEASE = Lease("due_at", timedelta(seconds=60))
PAUSES = (
    timedelta(seconds=10),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=4),
    timedelta(hours=20),
)
"""The pauses after failed attempts. The last pause is followed by one more attempt."""
GONE = "gone"  # the fault of a receiver that wants no more deliveries
# When a delivery is dropped, its webhook is disabled if it has failed for at least this long.
_OFF_AFTER = timedelta(days=3)


class LeasedDelivery(Struct, frozen=True):
    """A delivery that this process has leased. The secret is still encrypted."""

    id: str
    hook_id: int
    owner_id: int
    until: datetime
    address: str
    secret: str
    body: str


def is_any_due() -> bool:
    """Return whether a delivery is due."""
    return LEASE.is_any_due(Delivery, timezone.now())


def lease_deliveries(most: int, busy: Collection[int] = ()) -> list[LeasedDelivery]:
    """Lease one due delivery for each of at most `most` accounts that are not in `busy`.

    An account with many deliveries or a slow receiver therefore does not delay others. If the owner
    of a due delivery is suspended or inactive, all pending deliveries of the webhook are dropped.
    """
    if not is_any_due():
        return []
    now = timezone.now()
    # Start from the webhooks, because there are few, while one webhook may have many deliveries.
    of_hook = Delivery.objects.filter(hook=OuterRef("pk")).order_by("due_at", "id")
    due = LEASE.due(of_hook, now)
    hooks = list(
        Webhook.objects.exclude(player__in=list(busy))
        .annotate(first=Subquery(due.values("pk")[:1]), since=Subquery(due.values("due_at")[:1]))
        .filter(first__isnull=False)
        .select_related("player")
        .order_by("since", "first")[:most]
    )
    held = get_suspensions({hook.player_id for hook in hooks})
    silent = [hook.pk for hook in hooks if hook.player_id in held or not hook.player.is_active]
    for hook_id in silent:
        _give_up(hook_id, "suspended")
    told = {hook.player_id: hook for hook in reversed(hooks) if hook.pk not in silent}
    rows = Delivery.objects.in_bulk([hook.first for hook in told.values()])
    taken = []
    with atomic_without_fsync():
        for hook in told.values():
            row = rows.get(hook.first)
            if row is None:
                continue  # the delivery was removed meanwhile
            until = LEASE.take(Delivery.objects.filter(pk=row.pk), hook.since, now)
            if until is not None:  # if it is None, another process was faster
                place = hook.address, hook.secret
                taken.append(
                    LeasedDelivery(row.pk, hook.pk, hook.player_id, until, *place, row.body)
                )
    return taken


def store_outcome(taken: LeasedDelivery, fault: str, now: datetime | None = None) -> None:
    """Store the outcome of an attempt. An empty `fault` means success.

    Nothing is stored if another process has leased the delivery meanwhile.
    """
    now = now or timezone.now()
    with transaction.atomic():
        hook = Webhook.objects.select_for_update(no_key=True).filter(pk=taken.hook_id).first()
        mine = LEASE.held(Delivery.objects.filter(pk=taken.id), taken.until)
        if hook is None:
            return
        if not fault:
            if LEASE.end(mine, fault=""):
                hook.heard_at, hook.failing_since = now, None
                hook.save(update_fields=["heard_at", "failing_since"])
            return
        tries = mine.values_list("tries", flat=True).first()
        if tries is not None:
            _store_failure(hook, mine, tries, fault, now)


def get_pending_deliveries(hook_id: int) -> QuerySet[Delivery]:
    """Return the pending deliveries of a webhook."""
    return Delivery.objects.filter(hook=hook_id, due_at__isnull=False)


def _give_up(hook_id: int, fault: str) -> None:
    """Drop all pending deliveries of a webhook. `fault` is the code of the reason."""
    with transaction.atomic():
        list(Webhook.objects.select_for_update(no_key=True).filter(pk=hook_id).values_list("pk"))
        get_pending_deliveries(hook_id).update(due_at=None, given_up=True, fault=fault)


def _store_failure(
    hook: Webhook, mine: QuerySet[Delivery], tries: int, fault: str, now: datetime
) -> None:
    is_last = tries >= len(PAUSES) or fault == GONE
    mine.update(
        tries=F("tries") + 1,
        fault=fault,
        due_at=None if is_last else now + PAUSES[tries],
        given_up=is_last,
    )
    hook.failing_since = hook.failing_since or now
    if fault == GONE or (is_last and hook.failing_since <= now - _OFF_AFTER):
        hook.off_at = now
        get_pending_deliveries(hook.pk).update(due_at=None, given_up=True, fault=fault)
        log.info("webhook switched off", player=hook.player_id, hook=hook.pk, fault=fault)
    hook.save(update_fields=["failing_since", "off_at"])


EVERY = 5.0  # seconds between two rounds if nothing is due
_SOON = 0.05  # seconds between two rounds while more may be due
# The part of the lease that must be left to make an attempt and store its outcome.
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
        taken = await in_db_for_chores(lease_deliveries, AT_ONCE - len(going_on), going_on)
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
        await in_db_for_chores(store_outcome, taken, fault)


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

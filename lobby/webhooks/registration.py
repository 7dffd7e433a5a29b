"""Registering, enabling and removing the webhooks of an account."""

import secrets
from base64 import b64encode

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.messages.refusal import Refused
from lobby.accounts import encryption
from lobby.accounts.one_time_secrets import NewSecret
from lobby.models import Delivery, Player, Webhook
from lobby.privacy.protection import must_be_open_to_programs
from lobby.webhooks.delivery_request import SECRET_PREFIX, parse_address

log = structlog.get_logger(__name__)

_KEY_BYTES = 32
SHOWN = 5  # the maximum number of dropped deliveries that are listed


def register_webhook(
    player_id: int, address: str, of_games: bool, of_tournaments: bool
) -> NewSecret:
    """Register an address, and return the id and the secret of the webhook.

    Raise `Refused` for an invalid address (see `delivery_request.parse_address`), if no kind of
    event is selected ("hook-kinds"), if the account has too many webhooks ("too-many-hooks"), if
    it is a guest or inactive ("not-allowed"), or if it is protected (see
    `must_be_open_to_programs`).
    """
    address = address.strip()
    parse_address(address)
    if not (of_games or of_tournaments):
        raise Refused("hook-kinds")
    secret = SECRET_PREFIX + b64encode(secrets.token_bytes(_KEY_BYTES)).decode()
    with transaction.atomic():
        owner = Player.objects.select_for_update(no_key=True).filter(pk=player_id).first()
        if owner is None or owner.is_guest or not owner.is_active or owner.bot_level is not None:
            raise Refused("not-allowed")
        must_be_open_to_programs(owner)
        if get_webhooks(player_id).count() >= settings.WEBHOOKS_PER_ACCOUNT:
            raise Refused("too-many-hooks", most=settings.WEBHOOKS_PER_ACCOUNT)
        made = Webhook.objects.create(
            player=owner,
            address=address,
            of_games=of_games,
            of_tournaments=of_tournaments,
            secret=encryption.encrypt(secret),
            made_at=timezone.now(),
        )
    log.info("webhook made", player=player_id, hook=made.pk)
    return NewSecret(made.pk, secret)


def get_webhooks(player_id: int) -> QuerySet[Webhook]:
    return Webhook.objects.filter(player=player_id)


def list_dropped_deliveries(hook_id: int) -> list[Delivery]:
    """Return up to `SHOWN` dropped deliveries of a webhook, newest first."""
    return list(Delivery.objects.filter(hook=hook_id, given_up=True).order_by("-at")[:SHOWN])


def enable_webhooks(hooks: QuerySet[Webhook]) -> int:
    """Enable webhooks again, for events from now on, and return their number."""
    return hooks.filter(off_at__isnull=False).update(off_at=None, failing_since=None)


def remove_webhooks(hooks: QuerySet[Webhook]) -> None:
    """Remove webhooks together with all their deliveries."""
    with transaction.atomic():
        ids = list(hooks.select_for_update().values_list("pk", flat=True))
        Webhook.objects.filter(pk__in=ids).delete()


def remove_all_webhooks(player: Player) -> None:
    remove_webhooks(get_webhooks(player.pk))

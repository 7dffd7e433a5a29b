"""Bots: accounts under which programs play. Once an account is one, it stays one; its name is read
with a mark, wherever names are."""

import structlog
from django.db import transaction

from games.journal.opening import lock_names
from games.messages.refusal import Refused
from games.models import Match
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_aliases, match_players_filter
from lobby.models import Challenge, Entry, Player, Seek
from lobby.models.player import BOT_MARK

log = structlog.get_logger(__name__)


def upgrade(player_id: int) -> None:
    """Make an account a bot. A repeat changes nothing. Raises `Refused` for one that has played,
    for a guest, and for staff."""
    with transaction.atomic():
        lock_names([player_id])  # as whoever opens a match does
        player = Player.objects.select_for_update().get(pk=player_id)
        if player.is_bot:
            return
        if player.is_guest or player.is_staff or player.bot_level is not None:
            raise Refused("not-allowed")
        if Match.objects.filter(match_players_filter(get_aliases(player_id))).exists():
            raise Refused("bot-has-played")
        Player.objects.filter(pk=player_id).update(
            is_bot=True, shown_as=f"{player.username}{BOT_MARK}"
        )
        # Searches and wishes were made as a person.
        Seek.objects.filter(player=player, match=None).delete()
        Challenge.objects.filter(challenger=player, answer="").delete()
        entered = Entry.objects.filter(player=player, state__in=("invited", "in"))
        entered.update(state=Entry.State.WITHDRAWN)
        log.info("became a bot", player=player_id)


def must_not_be_a_bot(player_id: int) -> None:
    """Raises `Refused` for a bot, which does not look for people who did not ask for it."""
    if any(_bots([player_id])):
        raise Refused("not-for-bots")


_bots = PreparedQuery(
    lambda players: Player.objects.filter(pk__in=players, is_bot=True).values_list("pk")
)


def must_be_alike(player_id: int, other_id: int) -> None:
    """Raises `Refused` where one is a bot and the other is not: they are rated apart."""
    kinds = Player.objects.filter(pk__in=(player_id, other_id)).values_list("is_bot", flat=True)
    if len(set(kinds)) > 1:
        raise Refused("rated-apart")

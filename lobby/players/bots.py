"""Bots: accounts under which programs play. Their names are displayed with a mark."""

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


def upgrade_to_bot(player_id: int) -> None:
    """Turn an account into a bot, permanently.

    The account's seeks and the open challenges that it sent are deleted, and it is withdrawn from
    tournaments. Raise `Refused` if the account has played, is a guest, is staff or is the computer.
    """
    with transaction.atomic():
        lock_names([player_id])  # the lock that opening a match takes
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
        # The player created these seeks and challenges as a person.
        Seek.objects.filter(player=player, match=None).delete()
        Challenge.objects.filter(challenger=player, answer="").delete()
        entered = Entry.objects.filter(player=player, state__in=("invited", "in"))
        entered.update(state=Entry.State.WITHDRAWN)
        log.info("became a bot", player=player_id)


def must_not_be_a_bot(player_id: int) -> None:
    """Raise `Refused` for a bot.

    Bots must not look for opponents who have not asked for a bot.
    """
    if any(_bots([player_id])):
        raise Refused("not-for-bots")


_bots = PreparedQuery(
    lambda players: Player.objects.filter(pk__in=players, is_bot=True).values_list("pk")
)


def must_be_of_one_kind(player_id: int, other_id: int) -> None:
    """Raise `Refused` if only one of the players is a bot, because bots are rated separately."""
    kinds = Player.objects.filter(pk__in=(player_id, other_id)).values_list("is_bot", flat=True)
    if len(set(kinds)) > 1:
        raise Refused("rated-apart")

"""Blocks, which keep two people from playing against each other, except in tournaments.

A block is written under the locks of pairing. If a block and a pairing happen at the same moment,
either the two play that one match, or they are not paired.
"""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.journal.opening import lock_names
from games.messages.refusal import Refused
from games.runtime.prepared_query import PreparedQuery
from lobby.models import Block, Challenge, Player
from lobby.privacy.visibility import build_visible_condition

MOST = 500  # players that one player can block


def block_player(by_id: int, whom_id: int) -> None:
    """Block a player, and delete open challenges between the two.

    Raise `Refused` if the players are the same person, if the blocked player is the computer, or if
    the player has blocked too many players.
    """
    if by_id == whom_id:
        raise Refused("block-yourself")
    if Player.objects.filter(pk=whom_id).exclude(bot_level=None).exists():
        raise Refused("block-computer")
    with transaction.atomic():
        lock_names([by_id, whom_id])
        by_id, whom_id = _lock_people(by_id, whom_id)
        if by_id == whom_id:
            raise Refused("block-yourself")
        if Block.objects.filter(by=by_id).count() >= MOST:
            raise Refused("many-blocks", most=MOST)
        Block.objects.bulk_create(
            [Block(by_id=by_id, whom_id=whom_id, at=timezone.now())], ignore_conflicts=True
        )
        both = Q(challenger=by_id, challenged=whom_id) | Q(challenger=whom_id, challenged=by_id)
        Challenge.objects.filter(both, answer=Challenge.Answer.OPEN).delete()


def unblock_player(by_id: int, whom_id: int) -> None:
    """Remove the player's own block. A block by the other player stays."""
    Block.objects.filter(by=by_id, whom=whom_id).delete()


def has_blocked(by_id: int, whom_id: int) -> bool:
    """Return whether the first player has blocked the second. Only the first one may know this."""
    return Block.objects.filter(by=by_id, whom=whom_id).exists()


def list_blocked(player_id: int) -> list[Player]:
    """Return the players whom the player has blocked and may see, sorted by name."""
    own = Block.objects.filter(build_visible_condition(player_id, "whom"), by=player_id)
    own = own.select_related("whom").order_by("whom__username")
    return [each.whom for each in own[:MOST]]


def _lock_people(by_id: int, whom_id: int) -> tuple[int, int]:
    """Lock two players, and return the id of each one's account.

    Until the transaction ends, neither becomes an alias, so no block is left on an alias.
    """
    both = Player.objects.select_for_update(no_key=True).filter(pk__in=(by_id, whom_id))
    now = {player.pk: player.alias_of_id or player.pk for player in both.order_by("pk")}
    return now.get(by_id, by_id), now.get(whom_id, whom_id)


def have_blocked(one_id: int, other_id: int) -> bool:
    """Return whether either of these two people has blocked the other."""
    return any(_between([one_id, other_id]))


_between = PreparedQuery(
    lambda two: Block.objects.filter(by__in=two, whom__in=two).values_list("by", "whom")
)


def build_not_blocked_condition(player_id: int, of: str) -> Q:
    """Return the condition that there is no block between the player and the player of a row.

    `of` is the name of the column that refers to the player of the row. A block in either direction
    counts.
    """
    made = Block.objects.filter(by=player_id, whom=OuterRef(of))
    met = Block.objects.filter(whom=player_id, by=OuterRef(of))
    return ~Exists(made) & ~Exists(met)

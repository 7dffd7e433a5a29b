"""Appeals by suspended players.

A player can appeal once against a suspension, and gets one answer.
"""

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.messages import build_message
from games.messages.refusal import Refused
from games.models import Decision
from games.models.review import WORDS
from games.review.handling import OpenAppeal
from games.review.notices import notify_player
from games.store.suspensions import get_suspension
from lobby.models import Appeal, Player


def submit_appeal(player_id: int, text: str) -> Appeal:
    """Store the appeal of a suspended player.

    Raise `Refused` if the text is empty or too long, if the player is not suspended, or if the
    player has already appealed against this suspension.
    """
    said = " ".join(text.split())
    if not said:
        raise Refused("appeal-empty")
    if len(said) > WORDS:
        raise Refused("appeal-too-long", most=WORDS)
    held = get_suspension(player_id)
    if held is None:
        raise Refused("appeal-nothing")
    try:
        with transaction.atomic():
            return Appeal.objects.create(
                decision_id=held.decision_id, player_id=player_id, words=said, at=timezone.now()
            )
    except IntegrityError:
        raise Refused("appealed-already") from None


def get_appeal(player_id: int) -> Appeal | None:
    """Return the player's appeal against the current suspension, or None."""
    held = get_suspension(player_id)
    return None if held is None else Appeal.objects.filter(decision=held.decision_id).first()


def list_open_appeals(most: int, player_id: int | None = None) -> list[OpenAppeal]:
    """Return up to `most` open appeals, the oldest first, of all players or of one."""
    found = Appeal.objects.filter(answered_at=None)
    if player_id is not None:
        found = found.filter(player=player_id)
    columns = "pk", "player_id", "words", "at", "decision_id"
    rows = list(found.order_by("at", "pk").values_list(*columns)[:most])
    # Use a second query instead of a join, because SQLite would start the join with all decisions.
    decided = Decision.objects.filter(pk__in=[row[-1] for row in rows])
    by = dict(decided.values_list("pk", "by_id"))
    return [OpenAppeal(pk, player, words, at, by[made]) for pk, player, words, at, made in rows]


def answer_appeal(appeal_id: int, by: Player, text: str) -> None:
    """Answer an appeal and notify the player.

    Raise `Refused` if the text is empty or too long, if the appeal does not exist or has already
    been answered, or if `by` made the decision and is not a superuser.
    """
    said = " ".join(text.split())
    if not said:
        raise Refused("no-reason")
    if len(said) > WORDS:
        raise Refused("reason-too-long", most=WORDS)
    with transaction.atomic():
        found = Appeal.objects.select_related("decision").filter(pk=appeal_id).first()
        if found is None:
            raise Refused("no-such")
        if found.decision.by_id == by.pk and not by.is_superuser:
            raise Refused("appeal-own")
        waiting = Appeal.objects.filter(pk=appeal_id, answered_at=None)
        if not waiting.update(answer=said, answered_by=by, answered_at=timezone.now()):
            raise Refused("appeal-answered")
        notify_player(found.player_id, build_message("appeal.answer", answer=said))

"""What the pages of players store about a person: it goes along when a guest turns out to be an
account, goes when the account is closed, and is in the download of all that is stored."""

from typing import Any

from django.db.models import Q, QuerySet

from lobby.accounts.closing import forgets
from lobby.accounts.merging import joins
from lobby.accounts.stored import stored
from lobby.models import Block, Challenge, Player, Preferences
from lobby.players import history
from lobby.players.people import rows_of
from lobby.privacy.visibility import visible

_NAMES = ("challenger__username", "challenged__username")


@joins
def _join(guest: Player, account: Player) -> None:
    """History, blocks and open challenges are the account's from now on; its preferences stay."""
    _move_challenges(guest, account)
    history.adopt(guest.pk, account.pk)


def _move_challenges(guest: Player, account: Player) -> None:
    """One to oneself, or a second one between the same two, ends. Answers stay where they are."""
    mine = {guest.pk, account.pk}
    of_guest = Q(challenger=guest) | Q(challenged=guest)
    of_account = Q(challenger=account) | Q(challenged=account)
    open_ones = Challenge.objects.filter(answer=Challenge.Answer.OPEN)
    known = {_people(each) for each in open_ones.filter(of_account)}
    for each in open_ones.filter(of_guest).order_by("created_at"):
        people = tuple(account.pk if pk in mine else pk for pk in _people(each))
        if people in known or people[0] == people[1]:
            each.delete()
        else:
            known.add((people[0], people[1]))
            open_ones.filter(pk=each.pk).update(challenger=people[0], challenged=people[1])


def _people(each: Challenge) -> tuple[int, int]:
    return each.challenger_id, each.challenged_id


@forgets
def _forget(player: Player) -> None:
    """Blocks go in both directions: there is nobody left to be kept from."""
    rows = rows_of(player.pk)
    Preferences.objects.filter(player__in=rows).delete()
    Block.objects.filter(Q(by__in=rows) | Q(whom__in=rows)).delete()
    Challenge.objects.filter(Q(challenger__in=rows) | Q(challenged__in=rows)).delete()


@stored("preferences")
def _preferences(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = Preferences.objects.filter(player__in=rows)
    return own.values("pk", "scheme", "board", "sound", "confirm", "phrases", "rated", "challenges")


@stored("blocks")
def _blocks(rows: frozenset[int]) -> QuerySet[Any, Any]:
    """Only those that they made: a block is silent. And only of people whom they may see."""
    own = Block.objects.filter(visible(min(rows), "whom"), by__in=rows)
    return own.values("pk", "whom__username", "at")


@stored("challenges")
def _challenges(rows: frozenset[int]) -> QuerySet[Any, Any]:
    viewer = min(rows)  # any row of the person sees the same
    both = visible(viewer, "challenger") & visible(viewer, "challenged")
    own = Challenge.objects.filter(Q(challenger__in=rows) | Q(challenged__in=rows)).filter(both)
    people, setup = _NAMES, ("game", "clock", "options", "rated", "side")
    found: QuerySet[Any, Any] = own.values(
        "pk", *people, *setup, "created_at", "expires_at", "answer", "word", "answered_at", "match"
    )
    return found

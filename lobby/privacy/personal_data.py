"""The stored data about a person, besides matches.

Together with functions of other packages that `config.wiring` lists, these functions define what
the export contains, what is deleted with an account, and what an account takes over from a guest.
`rows` are the ids of all players that are one person (see `games.store.aliases`).
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import F, Q
from django.utils import timezone

from games.models import Caller, Decision, Notice, Report
from games.store.aliases import get_aliases
from games.store.visibility import DELETED_NAME
from lobby.models import (
    Appeal,
    Block,
    Challenge,
    Device,
    Entry,
    FactorReset,
    FormerName,
    Group,
    LogLine,
    Member,
    Player,
    Preferences,
    ProtectionChange,
    Rating,
    RecoveryWords,
    Seek,
    Series,
    SignIn,
    Token,
    Tournament,
    Transfer,
    Webhook,
)
from lobby.privacy.visibility import build_visible_condition

State = Tournament.State
Rows = frozenset[int]
Found = Any  # Django's stubs do not know `QuerySet.values` for allauth's models

_BEFORE_START = (State.ANNOUNCED, State.REGISTRATION, State.CHECK_IN)


# -- export: each function returns rows as dictionaries, with their key as `pk`


def guest_names(rows: Rows) -> Found:
    aliases = Player.objects.filter(pk__in=rows, alias_of__isnull=False)
    return aliases.exclude(username__startswith="~").values("pk", "username", "date_joined")


def former_names(rows: Rows) -> Found:
    return FormerName.objects.filter(player__in=rows).values("pk", "name", "until")


def email_addresses(rows: Rows) -> Found:
    return EmailAddress.objects.filter(user__in=rows).values("pk", "email", "verified")


def factors(rows: Rows) -> Found:
    """Return second factors without their secrets."""
    own = Authenticator.objects.filter(user__in=rows)
    return own.values("pk", "type", "created_at", "last_used_at")


def sessions(rows: Rows) -> Found:
    own = UserSession.objects.filter(user__in=rows)
    return own.values("pk", "created_at", "last_seen_at", "user_agent")


def sign_ins(rows: Rows) -> Found:
    return SignIn.objects.filter(player__in=rows).values("pk", "device", "at", "seen_at")


def devices(rows: Rows) -> Found:
    return Device.objects.filter(player__in=rows).values("pk", "seen_at")


def seeks(rows: Rows) -> Found:
    own = Seek.objects.filter(player__in=rows)
    setup = "game", "clock", "options", "rated", "lowest", "highest"
    return own.values("pk", *setup, "created_at", "match")


def client_networks(rows: Rows) -> Found:
    """Return the keyed hash of the network from which the person last used the computer player."""
    return Caller.objects.filter(player__in=rows).values("pk", "address", "at")


def notices(rows: Rows) -> Found:
    own = Notice.objects.filter(player__in=rows)
    return own.values("pk", "words", "match", "at", "seen_at")


def reports(rows: Rows) -> Found:
    own = Report.objects.filter(by__in=rows)
    return own.values("pk", "case__match", "reason", "words", "at")


def decisions(rows: Rows) -> Found:
    own = Decision.objects.filter(player__in=rows)
    return own.values("pk", "kind", "match", "reason", "at", "until", "name")


def appeals(rows: Rows) -> Found:
    own = Appeal.objects.filter(player__in=rows)
    return own.values("pk", "words", "at", "answer", "answered_at")


def tokens(rows: Rows) -> Found:
    own = Token.objects.filter(player__in=rows)
    return own.values("pk", "name", "application", "scopes", "created_at", "expires_at", "used_at")


def groups(rows: Rows) -> Found:
    own = Member.objects.filter(player__in=rows)
    found: Found = own.values(
        *("pk", "group", "group__name", "group__for_minors", "listed_as", "joined_at"),
        *("paused_until", "muted_until", "name_kept_until"),
    )
    return found


def transfers(rows: Rows) -> Found:
    """Return the stored offers to move the person to another group."""
    own = Transfer.objects.filter(player__in=rows)
    return own.values("pk", "source__name", "target__name", "at")


def protection_changes(rows: Rows) -> Found:
    own = ProtectionChange.objects.filter(player__in=rows)
    return own.values("pk", "is_protected", "reason", "at")


def organised_groups(rows: Rows) -> Found:
    own = Group.objects.filter(organiser__in=rows)
    return own.values("pk", "name", "for_minors", "code", "made_at")


def webhooks(rows: Rows) -> Found:
    """Return webhooks without their secrets."""
    own = Webhook.objects.filter(player__in=rows)
    return own.values("pk", "address", "of_games", "of_tournaments", "made_at", "heard_at")


def preferences(rows: Rows) -> Found:
    own = Preferences.objects.filter(player__in=rows)
    return own.values("pk", "scheme", "board", "sound", "confirm", "phrases", "rated", "challenges")


def blocks(rows: Rows) -> Found:
    """Return the person's own blocks.

    Blocks by others stay secret, and blocks of players whom the person may not see are left out.
    """
    own = Block.objects.filter(build_visible_condition(min(rows), "whom"), by__in=rows)
    return own.values("pk", "whom__username", "at")


def challenges(rows: Rows) -> Found:
    viewer = min(rows)  # all aliases of a person may see the same players
    both = build_visible_condition(viewer, "challenger") & build_visible_condition(
        viewer, "challenged"
    )
    own = Challenge.objects.filter(Q(challenger__in=rows) | Q(challenged__in=rows)).filter(both)
    found: Found = own.values(
        *("pk", "challenger__username", "challenged__username", "game", "clock", "options"),
        *("rated", "side", "created_at", "expires_at", "answer", "word", "answered_at", "match"),
    )
    return found


def ratings(rows: Rows) -> Found:
    own = Rating.objects.filter(player__in=rows)
    found: Found = own.values(
        *("pk", "game", "rating", "deviation", "volatility", "games", "best", "streak"),
        *("longest", "rated_at"),
    )
    return found


def tournament_entries(rows: Rows) -> Found:
    own = Entry.objects.filter(player__in=rows)
    found: Found = own.values(
        *("pk", "tournament", "tournament__name", "state", "entered_at", "rating", "byes"),
        *("points", "rank"),
    )
    return found


def organised_tournaments(rows: Rows) -> Found:
    own = Tournament.objects.filter(organiser__in=rows)
    return own.values("pk", "name", "about", "kind", "game", "starts_at", "state", "code")


# -- deletion, in the transaction that deletes the account


def delete_account_data(player: Player) -> None:
    """Delete the player's notices and open seeks, and the data about the account and its logins.

    These data include e-mail addresses, second factors, recovery words, sessions, devices, former
    names and client networks. The name is also removed from Django's admin log.
    """
    keys = list(UserSession.objects.filter(user=player).values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    for model in (UserSession, EmailAddress, Authenticator):
        model.objects.filter(user=player).delete()
    for own in (RecoveryWords, Device, SignIn, FormerName):
        own.objects.filter(player=player).delete()
    rows = get_aliases(player.pk)
    Seek.objects.filter(player__in=rows, match=None).delete()
    for theirs in (Notice, Caller):
        theirs.objects.filter(player__in=rows).delete()
    _delete_names_in_admin_log(rows)


def _delete_names_in_admin_log(rows: Rows) -> None:
    """Replace the person's names in Django's admin log.

    The log contains the name of every object that staff have changed in the admin.
    """
    resets = FactorReset.objects.filter(account__in=rows).values_list("pk", flat=True)
    for model, ids in ((Player, rows), (FactorReset, resets)):
        of_model = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        of_model.filter(object_id__in=map(str, ids)).update(object_repr=DELETED_NAME)


def delete_group_data(player: Player) -> None:
    """Remove the player from all groups and transfers.

    A group without its organiser stays for its members. Its code is removed, so nobody can join it.
    Staff can choose another organiser.
    """
    Member.objects.filter(player=player).delete()
    Transfer.objects.filter(Q(player=player) | Q(by=player)).delete()
    Group.objects.filter(organiser=player).update(organiser=None, code=None)


def delete_profile_data(player: Player) -> None:
    """Delete the player's preferences, language and challenges, and blocks in both directions."""
    rows = get_aliases(player.pk)
    Preferences.objects.filter(player__in=rows).delete()
    Player.objects.filter(pk__in=rows).update(language="")
    Block.objects.filter(Q(by__in=rows) | Q(whom__in=rows)).delete()
    Challenge.objects.filter(Q(challenger__in=rows) | Q(challenged__in=rows)).delete()


def leave_tournaments(player: Player) -> None:
    """Remove the player from tournaments, as a participant and as an organiser.

    Entries of tournaments that have not started are deleted. In a running one, the player is
    removed and loses the live game, but earlier results stay. Tournaments that the player organises
    continue, but their series end. The player is also removed as the author of log lines.
    """
    rows = get_aliases(player.pk)
    own = Entry.objects.filter(player__in=rows)
    own.filter(tournament__state__in=_BEFORE_START).delete()
    running = list(own.filter(tournament__state=State.RUNNING).values_list("tournament", "pk"))
    Entry.objects.filter(pk__in=[pk for _, pk in running]).update(state=Entry.State.REMOVED)
    _forfeit_live_games([pk for pk, _ in running])
    Tournament.objects.filter(organiser__in=rows).update(organiser=None)
    Series.objects.filter(organiser__in=rows).update(organiser=None, every_days=0)
    LogLine.objects.filter(by__in=rows).update(by=None)


# -- transfer, in the transaction that merges a guest into an account


def transfer_challenges(guest: Player, account: Player) -> None:
    """Transfer the guest's open challenges. Answered challenges are not changed.

    A challenge from the account to itself, or a second one from one player to another, is deleted.
    """
    own = {guest.pk, account.pk}
    of_guest = Q(challenger=guest) | Q(challenged=guest)
    of_account = Q(challenger=account) | Q(challenged=account)
    open_ones = Challenge.objects.filter(answer=Challenge.Answer.OPEN)
    known = {(each.challenger_id, each.challenged_id) for each in open_ones.filter(of_account)}
    for each in open_ones.filter(of_guest).order_by("created_at"):
        challenger, challenged = (
            account.pk if pk in own else pk for pk in (each.challenger_id, each.challenged_id)
        )
        if (challenger, challenged) in known or challenger == challenged:
            each.delete()
        else:
            known.add((challenger, challenged))
            open_ones.filter(pk=each.pk).update(challenger=challenger, challenged=challenged)


def transfer_tournament_entries(guest: Player, account: Player) -> None:
    """Transfer the guest's tournament entries, and the authorship of log lines.

    If both players entered the same tournament, the account's entry stays. The guest's entry is
    deleted if it has no seed, as before the start. Otherwise, if the guest still takes part, the
    guest is removed from the tournament.
    """
    doubled = Entry.objects.filter(player=account).values("tournament")
    both = Entry.objects.filter(player=guest, tournament__in=doubled)
    both.filter(seed=None).delete()
    removed = both.filter(state=Entry.State.IN)
    tournaments = list(removed.values_list("tournament", flat=True))
    removed.update(state=Entry.State.REMOVED)
    _forfeit_live_games(tournaments)
    Entry.objects.filter(player=guest).exclude(tournament__in=doubled).update(player=account)
    LogLine.objects.filter(by=guest).update(by=account)


def _forfeit_live_games(tournament_ids: list[str]) -> None:
    """Make the next step of these tournaments forfeit the live games of removed players.

    In a paused tournament, this is the first step after the pause. Because of the new version, a
    step that is being computed starts again. Otherwise, it could store that there is nothing to do.
    """
    running = Tournament.objects.filter(pk__in=tournament_ids, state=State.RUNNING)
    running.update(due_at=timezone.now(), version=F("version") + 1)

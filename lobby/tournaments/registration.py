"""Registration: joining, inviting, checking in, requesting byes, withdrawing and rejoining.

Each action is one transaction that locks the tournament's row. `join_tournament` locks the player's
row first. An action raises `Refused` if the tournament's state does not allow it or if the player
is not eligible.
"""

from django.db import transaction
from django.utils import timezone

from games.journal.opening import are_apart
from games.messages.refusal import Refused
from games.store.aliases import get_person
from games.store.suspensions import get_suspension
from lobby.groups.care import must_not_be_paused
from lobby.groups.codes import count_wrong_code, may_try_code, normalize_code
from lobby.groups.membership import are_all_in
from lobby.models import Entry, Player, Tournament
from lobby.models.seek import HIGHEST, LOWEST
from lobby.privacy.visibility import build_public_condition, is_public
from lobby.ratings.standing import get_current_ratings
from lobby.seeks.matchmaking import lock_players, must_have_valid_name
from lobby.tournaments import late_entry
from lobby.tournaments.locking import locked_for_update, log_action, must_be_manager
from lobby.tournaments.states import Act, is_allowed, is_left_for_good, must_be_allowed

State = Entry.State
Registration = Tournament.Registration

MOST_BYES = 2
"""The number of Swiss rounds for which a player can request a half-point bye."""


def register_player(
    player: Player, tournament: Tournament, code: str = "", address: str = ""
) -> None:
    """Join, rejoin or accept a late invitation, depending on the tournament and the entry."""
    entry = Entry.objects.filter(tournament=tournament, player=player).first()
    is_back = entry is not None and entry.state == State.WITHDRAWN
    if is_back and is_allowed(tournament, Act.COME_BACK):
        rejoin_tournament(player, tournament.pk)
    elif late_entry.is_invited_late(tournament, entry):
        accept_late_invitation(player, tournament.pk)
    else:
        join_tournament(player, tournament.pk, code, address)


def unregister_player(player: Player, tournament: Tournament) -> None:
    """Leave the tournament before its start, or withdraw afterwards."""
    if is_allowed(tournament, Act.LEAVE):
        leave_tournament(player, tournament.pk)
    else:
        withdraw_player(player, tournament.pk)


def join_tournament(player: Player, tournament_id: str, code: str = "", address: str = "") -> Entry:
    """Join a tournament, or return the existing entry of a player who has already joined.

    `address` is the client's address, by which wrong access codes are counted.
    """
    with transaction.atomic():
        _lock_player(player)
        tournament = _must_exist(tournament_id)
        known = Entry.objects.filter(tournament=tournament, player=player).first()
        if known is not None and known.is_in:
            return known
        if tournament.registration == Registration.CODE and known is None:
            must_have_code(tournament, code, player.pk, address)
        with locked_for_update(tournament_id) as tournament:
            must_be_allowed(tournament, Act.JOIN)
            entry = Entry.objects.filter(tournament=tournament, player=player).first()
            must_be_eligible(player, tournament, entry)
            entry = _create_entry(player, tournament, entry)
            if tournament.state == Tournament.State.RUNNING:
                log_action(tournament, player, "event.joined")
    return entry


def leave_tournament(player: Player, tournament_id: str) -> None:
    """Leave before the start of the tournament. An invitation stays open."""
    with locked_for_update(tournament_id) as tournament:
        must_be_allowed(tournament, Act.LEAVE)
        entry = _get_own_entry(player, tournament)
        if tournament.registration == Registration.INVITATION:
            entry.state = State.INVITED
            entry.save(update_fields=["state"])
        else:
            entry.delete()


def check_in(player: Player, tournament_id: str) -> None:
    """Check a player in. A repeated call keeps the time of the first call."""
    with locked_for_update(tournament_id) as tournament:
        must_be_allowed(tournament, Act.CHECK_IN)
        entry = _get_own_entry(player, tournament)
        entry.checked_in_at = entry.checked_in_at or timezone.now()
        entry.save(update_fields=["checked_in_at"])


def withdraw_player(player: Player, tournament_id: str) -> None:
    """Withdraw from a running tournament. The player must still finish a live game."""
    with locked_for_update(tournament_id) as tournament:
        must_be_allowed(tournament, Act.WITHDRAW)
        gone = Entry.objects.filter(tournament=tournament, player=player, state=State.WITHDRAWN)
        if gone.exists():
            return
        entry = _get_own_entry(player, tournament)
        entry.state = State.WITHDRAWN
        entry.save(update_fields=["state"])
        log_action(tournament, player, "event.withdrew")


def rejoin_tournament(player: Player, tournament_id: str) -> None:
    """Rejoin from the next round on, after withdrawing or failing to check in."""
    with locked_for_update(tournament_id) as tournament:
        must_be_allowed(tournament, Act.COME_BACK)
        entry = Entry.objects.filter(tournament=tournament, player=player).first()
        if entry is None or entry.state != State.WITHDRAWN:
            raise Refused("not-entered")
        must_be_able_to_rejoin(tournament, entry)
        must_be_eligible(player, tournament, entry)
        if entry.seed is None:
            late_entry.enter_late_player(tournament, entry, ())
            log_action(tournament, player, "event.joined")
            return
        entry.state, entry.free_since = State.IN, timezone.now()
        entry.save(update_fields=["state", "free_since"])
        log_action(tournament, player, "event.came-back")


def must_be_able_to_rejoin(tournament: Tournament, entry: Entry) -> None:
    """Raise `Refused` if a player who withdrew, or did not check in, cannot rejoin."""
    if is_left_for_good(tournament):
        raise Refused("knockout-out")
    if entry.seed is None and tournament.kind == Tournament.Kind.ROUND_ROBIN:
        raise Refused("not-checked-in")  # all pairings are fixed at the start


def accept_late_invitation(player: Player, tournament_id: str) -> None:
    """Accept an invitation to a running tournament, and enter from the next round on."""
    with locked_for_update(tournament_id) as tournament:
        entry = Entry.objects.filter(tournament=tournament, player=player).first()
        if entry is None or not late_entry.is_invited_late(tournament, entry):
            raise Refused("not-in-this-state")
        must_be_eligible(player, tournament, entry)
        halves = entry.bye_rounds
        late_entry.enter_late_player(tournament, entry, halves)
        if halves:
            log_action(tournament, player, "event.added-late", name=player.name, count=len(halves))
        else:
            log_action(tournament, player, "event.joined")


def request_bye(player: Player, tournament_id: str, number: int) -> None:
    """Request a half-point bye for a round of a Swiss.

    Raise `Refused` if the tournament is not a Swiss, if the round has been paired or is the last
    one, or if the player has requested too many byes.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_allowed(tournament, Act.ASK_BYE)
        entry = _get_own_entry(player, tournament)
        byes = entry.bye_rounds
        if tournament.kind != Tournament.Kind.SWISS or number >= tournament.rounds:
            raise Refused("no-bye")  # absent players get no points in the last round
        if number <= tournament.round:
            raise Refused("bye-late")
        if number in byes:
            return
        if len(byes) >= MOST_BYES:
            raise Refused("many-byes", most=MOST_BYES)
        _store_byes(entry, {*byes, number})
        log_action(tournament, player, "event.bye-asked", round=number)


def cancel_bye(player: Player, tournament_id: str, number: int) -> None:
    """Cancel the requested bye of a round that has not been paired."""
    with locked_for_update(tournament_id) as tournament:
        must_be_allowed(tournament, Act.ASK_BYE)
        entry = _get_own_entry(player, tournament)
        if number <= tournament.round:
            raise Refused("bye-late")
        if number in entry.bye_rounds:
            _store_byes(entry, set(entry.bye_rounds) - {number})
            log_action(tournament, player, "event.bye-back", round=number)


def invite_player(by: Player, tournament_id: str, player: Player) -> Entry:
    """Invite a player to a tournament that requires an invitation.

    Return the entry. It is not saved if the invitation only seems to exist (see
    `get_invited_entry`).
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        must_be_allowed(tournament, Act.INVITE)
        if tournament.registration != Registration.INVITATION:
            raise Refused("not-allowed")
        if not player.is_active or player.bot_level is not None or player.alias_of_id:
            raise Refused("not-allowed")
        if not are_all_in(tournament.group_id, [player.pk]):
            raise Refused("not-a-member")
        _must_be_admitted(player, tournament)
        _must_be_listed(player, tournament)
        if Entry.objects.filter(tournament=tournament).count() >= 2 * tournament.most:
            raise Refused("event-full", most=tournament.most)
        if are_apart([by.pk, player.pk]):
            return get_invited_entry(tournament, player)
        entry, _ = Entry.objects.get_or_create(
            tournament=tournament,
            player=player,
            defaults={"state": State.INVITED, "entered_at": timezone.now()},
        )
        if entry.state == State.REMOVED:
            entry.state = State.INVITED
            entry.save(update_fields=["state"])
    return entry


def get_invited_entry(tournament: Tournament, player: Player) -> Entry:
    """Return an unsaved entry that looks like an invitation.

    It is used if the player must not play the user who invites, for example because one of them has
    blocked the other. It hides that nobody was invited, so that the block is not revealed.
    """
    return Entry(tournament=tournament, player=player, state=State.INVITED)


def must_be_eligible(player: Player, tournament: Tournament, entry: Entry | None = None) -> None:
    """Raise `Refused` if the player cannot take part.

    Neither the access code nor the tournament's state is checked. `entry` is the player's entry, if
    there is one. With a new `Entry`, the player needs no invitation and may have been removed.
    """
    _must_be_welcome(player, tournament, entry)
    if tournament.registration == Registration.INVITATION and entry is None:
        raise Refused("not-invited")
    if not are_all_in(tournament.group_id, [player.pk]):
        raise Refused("not-a-member")
    _must_fit(player, tournament)
    others = Entry.objects.filter(tournament=tournament, state=State.IN).exclude(player=player)
    if others.count() >= tournament.most:
        raise Refused("event-full", most=tournament.most)


def _must_be_welcome(player: Player, tournament: Tournament, entry: Entry | None) -> None:
    if not player.is_active or player.bot_level is not None or player.beside_id is not None:
        raise Refused("not-allowed")
    _must_be_admitted(player, tournament)
    if entry is not None and entry.state in (State.REMOVED, State.OUT):
        raise Refused("removed-here")
    if get_suspension(player.pk) is not None:
        raise Refused("suspended-now")
    must_not_be_paused([player.pk])
    must_have_valid_name(player.pk)
    if player.is_guest and not tournament.guests:
        if tournament.rated:
            raise Refused("rated-account")
        raise Refused("event-account")
    _must_be_listed(player, tournament)


def _must_be_admitted(player: Player, tournament: Tournament) -> None:
    """Raise `Refused` for a bot that the tournament does not admit, or that could meet a minor."""
    if not player.is_bot:
        return
    players = Entry.objects.filter(tournament=tournament, state=State.IN)
    if not tournament.admits_bots or players.exclude(build_public_condition("player")).exists():
        raise Refused("event-bot")


def _must_be_listed(player: Player, tournament: Tournament) -> None:
    """Raise `Refused` if a protected player would enter a tournament outside groups for minors."""
    if not tournament.is_for_minors and not is_public(player.pk):
        raise Refused("group-only")


def _must_fit(player: Player, tournament: Tournament) -> None:
    lowest, highest = tournament.lowest, tournament.highest
    if (lowest, highest) == (LOWEST, HIGHEST):
        return
    rating = round(get_current_ratings([player.pk], tournament.game)[player.pk].rating)
    if not lowest <= rating <= highest:
        raise Refused("event-range", lowest=lowest, highest=highest, rating=rating)


def _create_entry(player: Player, tournament: Tournament, entry: Entry | None) -> Entry:
    now = timezone.now()
    entry = entry or Entry(tournament=tournament, player=player)
    if tournament.state == Tournament.State.RUNNING and entry.seed is None:
        return late_entry.enter_late_player(tournament, entry, ())
    entry.state, entry.entered_at, entry.free_since = State.IN, now, now
    if tournament.state == Tournament.State.CHECK_IN:
        entry.checked_in_at = now  # a player who joins now is present
    entry.save()
    return entry


def _store_byes(entry: Entry, rounds: set[int]) -> None:
    entry.byes = ",".join(str(each) for each in sorted(rounds))
    entry.save(update_fields=["byes"])


def _lock_player(player: Player) -> None:
    """Lock the player's row so that it cannot become an alias. Raise `Refused` for an alias."""
    lock_players([player.pk])
    if get_person(player.pk) != player.pk:
        raise Refused("not-a-player")


def _must_exist(tournament_id: str) -> Tournament:
    found = Tournament.objects.filter(pk=tournament_id).first()
    if found is None:
        raise Refused("no-tournament")
    return found


def _get_own_entry(player: Player, tournament: Tournament) -> Entry:
    """Return the entry of a player who takes part. Raise `Refused` if there is none."""
    entry = Entry.objects.filter(tournament=tournament, player=player, state=State.IN).first()
    if entry is None:
        raise Refused("not-entered")
    return entry


def must_have_code(tournament: Tournament, typed: str, player_id: int, address: str) -> None:
    """Raise `Refused` for a wrong code ("wrong-code") or too many attempts ("many-tries").

    All attempts of a player count, but only wrong ones of an address. Attempts with group codes
    count, too.
    """
    if not may_try_code(player_id, address):
        raise Refused("many-tries")
    if not tournament.code or normalize_code(typed) != tournament.code:
        count_wrong_code(address)
        raise Refused("wrong-code")

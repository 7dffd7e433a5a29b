"""The actions of organisers and staff. Each is one transaction.

Actions are logged for everybody who can see the tournament, except for invitations and new access
codes. A browser repeats a request whose response was lost, so an action that has already been
carried out has no further effect, except that an access code is replaced again. An action raises
`Refused` if the user may not manage the tournament, or if its state does not allow the action.
"""

from datetime import datetime

from django.db.models import F, Q
from django.utils import timezone

from games.journal.opening import are_apart
from games.messages.refusal import Refused
from lobby.groups.codes import create_code
from lobby.models import Entry, Pairing, Player, Round, Series, Tournament
from lobby.tournaments import late_entry, lifecycle
from lobby.tournaments.draft import must_be_able_to_run
from lobby.tournaments.labels import is_starting
from lobby.tournaments.locking import locked_for_update, log_action, must_be_manager
from lobby.tournaments.registration import get_invited_entry, must_be_eligible
from lobby.tournaments.states import Act, must_be_allowed

Kind = Tournament.Kind
_FORFEITS = {1: "event.forfeit.1", 2: "event.forfeit.2", 3: "event.forfeit.3"}


def start_early(by: Player, tournament_id: str) -> None:
    """Start the tournament now. Raise `Refused` if there are fewer than two players."""
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        if tournament.started_at is not None or is_starting(tournament):
            return
        must_be_allowed(tournament, Act.START)
        if Entry.objects.filter(tournament=tournament, state=Entry.State.IN).count() < 2:
            raise Refused("few-entries")
        tournament.starts_at = timezone.now()
        log_action(tournament, by, "event.started-early")


def pause_tournament(by: Player, tournament_id: str) -> None:
    """Stop pairing, while live games continue."""
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        must_be_allowed(tournament, Act.PAUSE)
        if tournament.paused_at is None:
            tournament.paused_at = timezone.now()
            log_action(tournament, by, "event.paused")


def resume_tournament(by: Player, tournament_id: str) -> None:
    """Continue after a pause, and move all time limits by its length."""
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        must_be_allowed(tournament, Act.PAUSE)
        if tournament.paused_at is not None:
            _end_pause(tournament, timezone.now())
            log_action(tournament, by, "event.resumed")


def close_round(by: Player, tournament_id: str, number: int) -> None:
    """End the time of a round: its live games are decided, and the tournament continues.

    `number` is the round that the organiser saw. Do nothing if a later round has begun or the
    tournament is over. Raise `Refused` if the tournament is paused, or if the user is playing one
    of these games.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        if tournament.round > number or tournament.state == Tournament.State.OVER:
            return
        must_be_allowed(tournament, Act.CLOSE_ROUND)
        if tournament.is_paused:
            raise Refused("paused")
        _must_not_play(by, tournament)
        now = timezone.now()
        rows = Round.objects.filter(tournament=tournament, number=tournament.round)
        if rows.filter(ends_at__lte=now).exists():
            return
        rows.update(ends_at=now)
        log_action(tournament, by, "event.round-closed", number=tournament.round)


def end_tournament_early(by: Player, tournament_id: str) -> None:
    """End the tournament early: its live games are decided, and the table becomes final.

    Raise `Refused` if the user is playing one of the live games.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        now = timezone.now()
        is_ending = tournament.ends_at is not None and tournament.ends_at <= now
        if tournament.state == Tournament.State.OVER or is_ending:
            return
        must_be_allowed(tournament, Act.END)
        _must_not_play(by, tournament)
        if tournament.paused_at is not None:
            _end_pause(tournament, now)
        tournament.ends_at = now
        log_action(tournament, by, "event.ended-early")


def cancel_before_start(by: Player, tournament_id: str) -> None:
    """Cancel a tournament that has not started."""
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        if tournament.state == Tournament.State.CALLED_OFF:
            return
        must_be_allowed(tournament, Act.CALL_OFF)
        lifecycle.cancel_tournament(tournament, timezone.now(), "event.called-off", by)


def remove_player(by: Player, tournament_id: str, player_id: int) -> None:
    """Remove a player, who loses any live game and can only return through the organiser.

    During a pause, the live game continues. If it is still live when the pause ends, the player
    loses it then. Raise `Refused` if that game is against the user, or if the player has no entry.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        must_be_allowed(tournament, Act.REMOVE)
        entry = _get_entry(tournament, player_id)
        if entry.player_id != by.pk and _is_playing(by, tournament, entry.playing_id):
            raise Refused("own-game")
        if entry.state == Entry.State.REMOVED:
            return
        entry.state = Entry.State.REMOVED
        entry.save(update_fields=["state"])
        log_action(tournament, by, "event.removed", name=entry.player.name)


def add_late_player(by: Player, tournament_id: str, player: Player, half_points: int = 0) -> Entry:
    """Enter a late player, or a player who left, into a running tournament.

    `half_points` is the number of missed rounds that give half a point to a late player; a player
    who left gets none. If the tournament has no group, a player who has never entered it is
    invited, and enters by accepting the invitation; the user is entered directly. Return the entry.
    It is not saved if the invitation only seems to exist (see `get_invited_entry`). Raise `Refused`
    if the player may not enter or `half_points` is too high.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        must_be_allowed(tournament, Act.ADD_LATE)
        entry = Entry.objects.filter(tournament=tournament, player=player).first()
        if entry is not None and entry.is_in:
            return entry
        is_invited = entry is None or entry.state == Entry.State.INVITED
        # A player without a seed registered, but did not check in.
        is_new = entry is None or entry.seed is None
        if is_new and tournament.kind in (Kind.ROUND_ROBIN, Kind.KNOCKOUT):
            raise Refused("late-kind")  # all pairings of these kinds are fixed at the start
        if not 0 <= half_points <= tournament.round:
            raise Refused("number-between", least=0, most=tournament.round)
        must_be_eligible(player, tournament, Entry())
        halves = late_entry.list_half_point_rounds(tournament, half_points)
        if is_invited and tournament.group_id is None and player.pk != by.pk:
            if are_apart([by.pk, player.pk]):
                return get_invited_entry(tournament, player)
            return late_entry.invite_late_player(tournament, player, halves)
        if entry is None or is_new:
            entry = entry or Entry(tournament=tournament, player=player)
            late_entry.enter_late_player(tournament, entry, halves)
        else:
            entry.state, entry.free_since = Entry.State.IN, timezone.now()
            entry.save(update_fields=["state", "free_since"])
            half_points = 0  # a returning player gets none
        if half_points:
            log_action(tournament, by, "event.added-late", name=player.name, count=half_points)
        else:
            log_action(tournament, by, "event.added", name=player.name)
    return entry


def forfeit_game(by: Player, tournament_id: str, pairing_id: int, absent: int) -> None:
    """Record a live game as forfeited by an absent player.

    `absent` is 1 for the first seat, 2 for the second, and 3 for both. Raise `Refused` if the game
    is not live, or if the user plays it and would forfeit more than their own seat.
    """
    if absent not in (1, 2, 3):
        raise Refused("malformed")
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        must_be_allowed(tournament, Act.FORFEIT)
        rows = Pairing.objects.filter(pk=pairing_id, tournament=tournament)
        pairing = rows.select_related("first__player", "second__player").first()
        if pairing is not None and pairing.absent == absent:
            return
        if pairing is None or not pairing.is_live:
            raise Refused("not-live")
        assert pairing.second is not None  # a bye is never live
        own = {pairing.first.player_id: 1, pairing.second.player_id: 2}.get(by.pk, absent)
        if absent != own:
            raise Refused("own-game")
        rows.update(absent=absent)
        names = {"first": pairing.first.player.name, "second": pairing.second.player.name}
        log_action(tournament, by, _FORFEITS[absent], **names)


def change_access_code(by: Player, tournament_id: str) -> str:
    """Replace the access code, and return the new one. The old code becomes invalid.

    Raise `Refused` if registration does not require a code.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        if tournament.registration != Tournament.Registration.CODE:
            raise Refused("not-allowed")
        tournament.code = create_code()
    return tournament.code


def transfer_tournament(by: Player, tournament_id: str, to: Player) -> None:
    """Make another account the organiser of a tournament and, if it has one, its series.

    Raise `Refused` if that account cannot organise the tournament.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        if tournament.organiser_id == to.pk:
            return
        must_be_able_to_run(to, tournament.group_id)
        tournament.organiser = to
        Series.objects.filter(pk=tournament.series_id or "").update(organiser=to)
        log_action(tournament, by, "event.handed-over", name=to.name)


def _end_pause(tournament: Tournament, now: datetime) -> None:
    """End a pause, and move all time limits by its length."""
    assert tournament.paused_at is not None
    passed = now - tournament.paused_at
    tournament.paused_at = None
    if tournament.ends_at is not None:
        tournament.ends_at += passed
    rounds = Round.objects.filter(tournament=tournament, is_over=False, ends_at__isnull=False)
    rounds.update(ends_at=F("ends_at") + passed)
    live = Pairing.objects.filter(tournament=tournament, ended_at=None, late_at__isnull=False)
    live.update(late_at=F("late_at") + passed)


def _must_not_play(by: Player, tournament: Tournament) -> None:
    """Raise `Refused` if the organiser is playing one of the live games that would be decided."""
    live = Pairing.objects.filter(tournament=tournament, ended_at=None)
    if live.filter(Q(first__player=by) | Q(second__player=by)).exists():
        raise Refused("own-game")


def _is_playing(by: Player, tournament: Tournament, pairing_id: int | None) -> bool:
    """Return whether the player is playing the live game `pairing_id`."""
    mine = Entry.objects.filter(tournament=tournament, player=by, playing=pairing_id)
    return pairing_id is not None and mine.exists()


def _get_entry(tournament: Tournament, player_id: int) -> Entry:
    """Return the player's entry. Raise `Refused` if it does not exist."""
    found = Entry.objects.filter(tournament=tournament, player=player_id)
    entry = found.select_related("player").first()
    if entry is None:
        raise Refused("not-entered")
    return entry

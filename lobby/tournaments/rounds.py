"""Storing pairs and opening their matches, after removing players who cannot play.

Blocks are ignored here: players accept any opponent when they register, and a block during a
tournament must not cost anybody a game. Minors stay separate: they cannot play in a tournament
outside of groups for minors, and a player who leaves such a group is removed from its tournaments.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import connection

from games.journal.opening import open_arranged
from games.store.suspensions import get_suspensions
from lobby.groups.membership import get_memberships
from lobby.models import Entry, Pairing, Player, Round, Tournament
from lobby.privacy.visibility import get_protected
from lobby.tournaments.locking import log_action, notify_after_commit
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, Pair
from lobby.tournaments.points import update_scores
from lobby.webhooks.outbox import notify_of_tournament

Kind = Pairing.Kind
_PLAYING = (
    "UPDATE lobby_entry SET playing_id = %s, sides = sides + %s, began = %s, opponent = %s"
    " WHERE id = %s"
)


def list_absent_entries(tournament: Tournament, number: int) -> tuple[int, ...]:
    """Return the seeded entries that do not play in the round `number`.

    Their players have left, were removed or eliminated, enter later, or have a bye.
    """
    rows = Entry.objects.filter(tournament=tournament, seed__isnull=False)
    return tuple(
        entry.pk
        for entry in rows.order_by("seed")
        if not entry.is_in or entry.since_round > number or number in entry.bye_rounds
    )


def list_unstored_pairs(tournament: Tournament, pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the pairs of a knockout that are not stored yet."""
    rows = Pairing.objects.filter(tournament=tournament)
    known = {
        (number, leg, frozenset((first, second)))
        for number, leg, first, second in rows.values_list("round", "leg", "first", "second")
    }
    return tuple(
        pair
        for pair in pairs
        if (pair.round, pair.game, frozenset((pair.first, pair.second))) not in known
    )


def store_round(tournament: Tournament, number: int, pairs: Sequence[Pair], now: datetime) -> None:
    """Store the pairs and byes of a round, and open their matches.

    The caller must lock and save the tournament. A unique constraint also rejects a second pairing
    with the same round, board and leg.
    """
    _store_round_row(tournament, number, now)
    entries = screen_entries(tournament)
    made = [
        _build_pairing(tournament, number, board, pair, entries, now)
        for board, pair in _assign_boards(tournament, number, pairs)
    ]
    if tournament.kind == Tournament.Kind.SWISS:
        made += _build_half_byes(tournament, number, len(made), now)
    late = timedelta(minutes=tournament.late_minutes)
    store_pairings(tournament, made, now, late)
    tournament.round = number
    tournament.pairings += len(made)
    free = {each.first_id for each in made if each.ended_at} | {
        each.second_id for each in made if each.ended_at and each.second_id
    }
    update_scores(tournament, free)
    notify_of_tournament(tournament, "round", now, number)


def store_pairings(
    tournament: Tournament,
    made: Sequence[Pairing],
    now: datetime,
    start_within: timedelta,
    may_berserk: bool = False,
) -> None:
    """Store pairings, and open matches for those that are not over.

    `first` and `second` must be entries with their players loaded.
    """
    live = [each for each in made if each.ended_at is None]
    seats = [(each.first.player_id, _get_second(each).player_id) for each in live]
    matches = open_arranged(tournament.setup, seats, now, start_within, may_berserk)
    for pairing, match in zip(live, matches, strict=True):
        pairing.match = match
        pairing.late_at = None if tournament.is_arena else now + start_within
    Pairing.objects.bulk_create(made)
    parameters: list[tuple[int, int, bool, int | None, int | None]] = []
    for each in live:
        parameters.append((each.pk, 1, True, each.second_id, each.first_id))
        parameters.append((each.pk, -1, False, each.first_id, each.second_id))
    if parameters:
        with connection.cursor() as cursor:
            cursor.executemany(_PLAYING, parameters)
    notify_after_commit(tournament.pk, [player for pair in seats for player in pair])


def _store_round_row(tournament: Tournament, number: int, now: datetime) -> None:
    length = timedelta(minutes=tournament.round_minutes)
    ends = now + length if length else None
    Round.objects.filter(tournament=tournament, number__lt=number).update(is_over=True)
    row, is_new = Round.objects.get_or_create(
        tournament=tournament, number=number, defaults={"began_at": now, "ends_at": ends}
    )
    if not is_new:  # further games of a knockout match get as much time as the first
        row.ends_at = ends
        row.save(update_fields=["ends_at"])


def _assign_boards(
    tournament: Tournament, number: int, pairs: Sequence[Pair]
) -> Sequence[tuple[int, Pair]]:
    """Return each pair with its board. All games of a knockout match are on the same board."""
    if tournament.kind != Tournament.Kind.KNOCKOUT:
        return list(enumerate(pairs, 1))
    rows = Pairing.objects.filter(tournament=tournament, round=number)
    known: dict[frozenset[int | None], int] = {
        frozenset((a, b)): board for a, b, board in rows.values_list("first", "second", "board")
    }
    last = max(known.values(), default=0)
    found = []
    for pair in pairs:
        board = known.get(frozenset((pair.first, pair.second)))
        if board is None:
            last = board = last + 1
        found.append((board, pair))
    return found


def _build_pairing(
    tournament: Tournament,
    number: int,
    board: int,
    pair: Pair,
    entries: dict[int, Entry],
    now: datetime,
) -> Pairing:
    first = entries[pair.first]
    second = None if pair.second is None else entries[pair.second]
    made = Pairing(
        tournament=tournament,
        round=number,
        board=board,
        leg=max(pair.game, 1),
        first=first,
        second=second,
        made_at=now,
    )
    if second is None:
        # In a round robin, everybody has the same number of byes, so they give no points.
        is_off = tournament.kind == Tournament.Kind.ROUND_ROBIN
        made.kind = Kind.ZERO_BYE if is_off else Kind.BYE
        _set_result(made, LOSS if is_off or not first.is_in else WIN, LOSS, now)
    elif not (first.is_in and second.is_in):
        made.kind = Kind.FORFEIT
        made.absent = (0 if first.is_in else 1) | (0 if second.is_in else 2)
        _set_result(made, WIN if first.is_in else LOSS, WIN if second.is_in else LOSS, now)
    return made


def _build_half_byes(
    tournament: Tournament, number: int, boards: int, now: datetime
) -> list[Pairing]:
    rows = Entry.objects.filter(tournament=tournament, state=Entry.State.IN).exclude(byes="")
    found = []
    for entry in rows.order_by("seed"):
        if number in entry.bye_rounds and entry.since_round <= number:
            boards += 1
            bye = Pairing(
                tournament=tournament,
                round=number,
                board=boards,
                first=entry,
                kind=Kind.HALF_BYE,
                made_at=now,
            )
            _set_result(bye, DRAW, LOSS, now)
            found.append(bye)
    return found


def _set_result(pairing: Pairing, first: int, second: int, now: datetime) -> None:
    pairing.first_points, pairing.second_points, pairing.ended_at = first, second, now


def _get_second(pairing: Pairing) -> Entry:
    assert pairing.second is not None  # a bye is never live
    return pairing.second


def screen_entries(tournament: Tournament, only: Collection[int] | None = None) -> dict[int, Entry]:
    """Return a dictionary that maps the ids of seeded entries to the entries, with players loaded.

    If `only` is given, it contains only these entries. Players who are suspended, have closed their
    accounts, must be kept apart from others, or are bots in a tournament that does not admit them,
    are removed, and their removal is stored.
    """
    rows = Entry.objects.filter(tournament=tournament, seed__isnull=False)
    if only is not None:
        rows = rows.filter(pk__in=only)
    entries = {entry.pk: entry for entry in rows.select_related("player")}
    playing = [entry for entry in entries.values() if entry.is_in]
    barred = _get_barred_players(tournament, [entry.player for entry in playing])
    out = [entry for entry in playing if entry.player_id in barred or not entry.player.is_active]
    for entry in out:
        entry.state = Entry.State.REMOVED
        log_action(tournament, None, "event.barred", name=entry.player.name)
    if out:
        keys = [entry.pk for entry in out]
        Entry.objects.filter(pk__in=keys).update(state=Entry.State.REMOVED)
    return entries


def remove_misplaced_players(tournament: Tournament) -> None:
    """Remove misplaced players before the start.

    These are minors in a tournament that is not for minors, players from outside the group in one
    that is, and bots in a tournament that does not admit them.
    """
    players = [entry.player for entry in tournament.entries.select_related("player")]
    tournament.entries.filter(player__in=_get_misplaced_players(tournament, players)).delete()


def _get_barred_players(tournament: Tournament, players: Sequence[Player]) -> set[int]:
    suspended = get_suspensions([each.pk for each in players])
    return set(suspended) | _get_misplaced_players(tournament, players)


def _get_misplaced_players(tournament: Tournament, players: Sequence[Player]) -> set[int]:
    player_ids = [each.pk for each in players]
    bots = set() if tournament.admits_bots else {each.pk for each in players if each.is_bot}
    group = tournament.group
    if group is None or not group.for_minors:
        return bots | get_protected(player_ids)
    there = {player for _, player in get_memberships([group.pk], player_ids)}
    return bots | (set(player_ids) - there)

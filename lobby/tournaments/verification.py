"""Verifying stored tournaments by recomputing their results, points and ranks."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from django.db import DatabaseError
from django.db.models import Exists, OuterRef
from msgspec import Struct

from games.match.state import BOTH
from games.models import Event
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN
from lobby.tournaments.points import KEPT, EntryScore, compute_score
from lobby.tournaments.queries import compute_table
from lobby.tournaments.results import FIRST, SECOND, PairingResult, compute_result

_CHUNK = 500  # rows fetched at a time
State = Tournament.State
_BYES: dict[str, int] = {
    Pairing.Kind.BYE: WIN,
    Pairing.Kind.HALF_BYE: DRAW,
    Pairing.Kind.ZERO_BYE: LOSS,
}


class TournamentVerification(Struct):
    """The number of tournaments and pairings checked, and one line for each fault."""

    tournaments: int
    pairings: int
    faults: list[str]


def verify_tournaments(
    tournament_id: str | None = None, most_faults: int = 100
) -> TournamentVerification:
    """Verify all tournaments, or one. Stop when more than `most_faults` faults were found.

    Differences that an undelivered event may explain are ignored. All faults of the last verified
    tournament are returned.
    """
    found = TournamentVerification(0, 0, [])
    rows = Tournament.objects.order_by("pk")
    if tournament_id is not None:
        rows = rows.filter(pk=tournament_id)
    for tournament in rows.iterator(chunk_size=_CHUNK):
        pairings = _get_pairings(tournament)
        found.tournaments += 1
        found.pairings += len(pairings)
        found.faults += [
            f"{tournament.pk}: {fault}" for fault in _find_faults(tournament, pairings)
        ]
        if len(found.faults) > most_faults:
            break
    return found


def _find_faults(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[str]:
    try:
        yield from _find_pairing_faults(tournament, pairings)
        yield from _find_entry_faults(tournament, pairings)
    except DatabaseError:
        raise
    except Exception as error:  # the computation fails because of inconsistent rows
        yield f"its table cannot be computed: {error!r}"


def _get_pairings(tournament: Tournament) -> Sequence[Pairing]:
    due = Event.objects.filter(match=OuterRef("match"), due_at__isnull=False)
    order = ("ended_at", "pk") if tournament.is_arena else ("round", "board", "leg")
    rows = Pairing.objects.filter(tournament=tournament).order_by(*order)
    return list(rows.annotate(is_due=Exists(due)).select_related("match", "first", "second"))


def _find_pairing_faults(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[str]:
    """Yield a fault for each wrong result or player, and for pairings that exclude each other."""
    seen: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    byes: Counter[int] = Counter()
    for each in pairings:
        place = f"round {each.round}, board {each.board}"
        if each.match is not None and each.second is not None:
            is_due = each.is_due  # type: ignore[attr-defined]  # set by `annotate`
            if not is_due and _get_stored_result(each) != compute_result(each.match, each.absent):
                yield f"{place}: {_get_stored_result(each)} is not what its match says"
            seats = each.first.player_id, each.second.player_id
            if (each.match.first_id, each.match.second_id) != seats and not _are_aliases(each):
                yield f"{place}: others play its match"
        elif _get_points_without_match(each) != (each.first_points, each.second_points):
            yield f"{place}: {_get_stored_result(each)} is no result without a match"
        for entry_id in (each.first_id, each.second_id):
            if entry_id is not None and not tournament.is_arena:
                seen[entry_id].append((each.round, each.board, each.leg))
        byes[each.first_id] += each.kind == Pairing.Kind.BYE
    for entry_id, places in seen.items():
        boards = {(number, board) for number, board, _ in places}
        if len({number for number, _ in boards}) != len(boards) or len(set(places)) != len(places):
            yield f"entry {entry_id} is in a round twice"
    yield from (f"entry {entry} has {many} byes" for entry, many in byes.items() if many > 1)


def _find_entry_faults(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[str]:
    """Yield a fault for scores, ranks and current games that do not follow from the pairings."""
    if any(each.is_due for each in pairings):  # type: ignore[attr-defined]  # set by `annotate`
        return
    of: defaultdict[int | None, list[Pairing]] = defaultdict(list)
    for each in pairings:
        of[each.first_id].append(each)
        of[each.second_id].append(each)
    is_over = tournament.state == State.OVER
    ranks = {row.entry: row.rank for row in compute_table(tournament)} if is_over else {}
    for entry in Entry.objects.filter(tournament=tournament).order_by("pk"):
        stored = EntryScore(*(getattr(entry, name) for name in KEPT))
        now = compute_score(of[entry.pk], entry.pk, tournament.is_arena)
        if stored != now:
            yield f"entry {entry.pk}: {stored} is stored, {now} follows"
        if entry.rank != ranks.get(entry.pk):
            yield f"entry {entry.pk}: rank {entry.rank} is stored, {ranks.get(entry.pk)} follows"
        live = {each.pk for each in of[entry.pk] if each.ended_at is None}
        may_play: set[int | None] = {*live}
        if is_over or not live:
            may_play.add(None)
        if entry.playing_id not in may_play:
            yield f"entry {entry.pk}: plays {entry.playing_id}, and {sorted(live)} are live"


def _get_points_without_match(pairing: Pairing) -> tuple[int, int] | None:
    """Return the points of a bye, or of a forfeit known when it was paired, or else None."""
    kind, points = pairing.kind, pairing.first_points
    if pairing.match is not None or pairing.ended_at != pairing.made_at or pairing.berserk:
        return None
    if pairing.second is not None:
        is_forfeit = kind == Pairing.Kind.FORFEIT and 0 < pairing.absent <= BOTH
        first, second = (LOSS if pairing.absent & bit else WIN for bit in (FIRST, SECOND))
        return (first, second) if is_forfeit else None
    if pairing.absent or kind not in _BYES:
        return None
    # Players who withdrew before their bye get no points for it.
    return (LOSS if kind == Pairing.Kind.BYE and points == LOSS else _BYES[kind]), LOSS


def _get_stored_result(pairing: Pairing) -> PairingResult:
    return PairingResult(*(getattr(pairing, name) for name in PairingResult.__struct_fields__))


def _are_aliases(pairing: Pairing) -> bool:
    """Return whether the players of the match are those of the pairing, or became their aliases."""
    assert pairing.match is not None and pairing.second is not None
    pairs = (
        (pairing.match.first, pairing.first.player_id),
        (pairing.match.second, pairing.second.player_id),
    )
    return all(now in (then.pk, then.alias_of_id) for then, now in pairs)

"""A replay of all rated games from scratch, which reports differences from the stored rows."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from math import isclose

from django.db import DatabaseError, transaction
from django.db.models import Case, Exists, F, Max, OuterRef, Q, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import astuple

from games.models import Decision, Event
from games.store.aliases import get_person
from lobby.models import RatedGame, Rating, RoleAdvantage, UncountedMatch
from lobby.ratings import eligibility, ledger
from lobby.ratings.glicko import VERSION
from lobby.ratings.ledger import (
    COLUMNS,
    Kind,
    LedgerEntry,
    Position,
    compute_entry,
    get_current_revisions,
    parse_entry,
)
from lobby.ratings.player_rating import FORMULAS, PlayerRating, RatingSide
from lobby.ratings.refunds import compute_refund, parse_cheater, parse_decision

_CHUNK = 2000  # rows fetched at a time
_FAULTS_PER_CHECK = 2000
_CLOSE = 1e-5  # points; the exponentials of different machines may differ in the last stored digit
_SAME_TIME = timedelta(seconds=1)  # tolerance for times that are computed with exponentials
_END = datetime(9999, 1, 1, tzinfo=UTC), 0
_IS_REFUND = Q(second__isnull=True)


class RatingVerification(Struct):
    """The number of replayed games, and a line for each fault."""

    games: int
    faults: list[str]


def verify_ratings(most_faults: int = 100) -> RatingVerification:
    """Replay all games, and stop when there are more than `most_faults` faults.

    The ledger is compared with the matches, and the matches and ratings with the ledger, so that a
    row missing from any of them is found. Memory use grows with the number of players, not with the
    number of games. Games may be rated during the verification. Games that have yet to be replayed
    after a change (`lobby.ratings.recount`) would be reported as faults.
    """
    found = RatingVerification(0, [])
    newest = RatedGame.objects.aggregate(pk=Max("pk"))["pk"] or 0
    for game in _list_games():
        careers: dict[int, PlayerRating] = {}
        last: dict[int, Position] = {}
        parts = (
            _find_replay_faults(game, careers, last, found),
            _find_rating_faults(game, careers, last, newest),
            _find_revision_faults(game),
            _find_reversal_faults(game),
            _find_history_faults(game),
            _find_match_faults(game),
        )
        for fault in _catch_damaged_rows(chain.from_iterable(parts)):
            found.faults.append(fault)
            if len(found.faults) > most_faults:
                return found
    found.faults += islice(_find_missing(), most_faults + 1 - len(found.faults))
    return found


def _catch_damaged_rows(faults: Iterator[str]) -> Iterator[str]:
    """Yield these faults, and another one if a stored row cannot be replayed at all."""
    try:
        yield from faults
    except DatabaseError:
        raise
    except Exception as error:
        yield f"what is stored cannot be replayed: {error!r}"


def _list_games() -> list[str]:
    """Return all games that have stored ratings or entries in the ledger."""
    rated = Rating.objects.order_by().values_list("game", flat=True)
    return sorted(rated.union(RatedGame.objects.order_by().values_list("game", flat=True)))


def _find_replay_faults(
    game: str,
    careers: dict[int, PlayerRating],
    last: dict[int, Position],
    found: RatingVerification,
) -> Iterator[str]:
    """Yield a fault for each entry that does not follow from the earlier entries.

    Add the ratings of the players to `careers`, the position of each player's last entry to `last`,
    and the number of replayed entries to `found`.
    """
    fits = _list_fits(game)
    rows = ledger.get_counted_entries(game).values_list(*COLUMNS)
    for values in rows.iterator(chunk_size=_CHUNK):
        entry = parse_entry(values)
        if entry.lot != ledger.draw_lots(entry.key):
            yield f"{entry.key}: its lot is not the one drawn from its key"
        if entry.is_refund:
            yield from _find_refund_faults(entry)
        if not entry.counts:
            continue
        found.games += 1
        if entry.version not in FORMULAS:
            yield f"{entry.key}: rated by version {entry.version}, unknown here"
            continue
        now = compute_entry(entry, careers)
        if now != entry and not _do_entries_agree(now, entry):
            yield f"{entry.key}: {_describe_entry(entry)} is stored, {_describe_entry(now)} follows"
        if not entry.is_refund and entry.advantage != _get_advantage(fits, entry.at):
            yield f"{entry.key}: an advantage of {entry.advantage} was not in force"
        for player in now.players:
            careers[player], last[player] = now.after(player), now.position


def _find_refund_faults(entry: LedgerEntry) -> Iterator[str]:
    """Yield the faults of a refund that does not follow from its decision and its games."""
    try:
        number, cheater = parse_decision(entry), parse_cheater(entry)
    except ValueError:
        yield f"{entry.key}: is no refund's key"
        return
    decision = Decision.objects.filter(pk=number, at=entry.at).first()
    if decision is None or decision.player_id is None or get_person(decision.player_id) != cheater:
        yield f"{entry.key}: no decision then was about that player"
    due = compute_refund(entry)
    agrees = isclose(due.points or 0.0, entry.points or 0.0, abs_tol=_CLOSE)
    if not agrees or due.kind != entry.kind or (not due.counts and due.first != entry.first):
        yield f"{entry.key}: {entry.points} points are stored, {due.points} follow"
    if (entry.score, entry.second, entry.advantage, entry.version) != (None, None, 0.0, VERSION):
        yield f"{entry.key}: is a refund and a game"


def _find_match_faults(game: str) -> Iterator[str]:
    """Yield a fault for each entry that contradicts its match, unless an event is pending."""
    counted = eligibility.get_ratable_matches().filter(pk=OuterRef("key"), game=OuterRef("game"))
    score_of_first = Case(
        When(first_goal__gt=F("second_goal"), then=1.0),
        When(first_goal__lt=F("second_goal"), then=0.0),
        When(first_goal=F("second_goal"), then=0.5),
    )
    same = counted.annotate(
        score=score_of_first,
        one=Coalesce("first__alias_of", "first"),
        other=Coalesce("second__alias_of", "second"),
    ).filter(
        score=OuterRef("score"),
        ended_at=OuterRef("at"),
        one=OuterRef("first"),
        other=OuterRef("second"),
    )
    due = Event.objects.filter(match=OuterRef("key"), due_at__isnull=False)
    is_gone = Q(kind=Kind.REVERSED)
    games = get_current_revisions(game).filter(~Exists(due), ~_IS_REFUND)
    wrong = games.filter(~is_gone & ~Exists(same) | is_gone & Exists(counted))
    for key, kind, score, at in wrong.values_list("key", "kind", "score", "at")[:_FAULTS_PER_CHECK]:
        yield f"{key}: {kind}, {score}, at {at}, which is not what its match says"


def _find_missing() -> Iterator[str]:
    """Yield a fault for each ratable match that is neither in the ledger nor marked as uncounted.

    Matches with a pending event are left out.
    """
    rows = eligibility.get_ratable_matches().filter(
        ~Exists(RatedGame.objects.filter(key=OuterRef("pk"))),
        ~Exists(UncountedMatch.objects.filter(match=OuterRef("pk"))),
        ~Exists(Event.objects.filter(match=OuterRef("pk"), due_at__isnull=False)),
    )
    for match_id in rows.values_list("pk", flat=True)[:_FAULTS_PER_CHECK]:
        yield f"{match_id}: was played for a rating and is not in the ledger"


def _find_revision_faults(game: str) -> Iterator[str]:
    """Yield a fault for each revision without a predecessor, or with inconsistent columns."""
    before = RatedGame.objects.filter(
        Q(second=OuterRef("second")) | _IS_REFUND,
        key=OuterRef("key"),
        revision=OuterRef("revision") - 1,
        game=OuterRef("game"),
        first=OuterRef("first"),
        lot=OuterRef("lot"),
    )
    first = Q(revision=0) & ~_IS_REFUND & ~Q(kind=Kind.RATED)
    later = Q(revision__gt=0) & (Q(kind=Kind.RATED) | ~Exists(before))
    mixed = _IS_REFUND & (Q(points=None) | Q(score__isnull=False) | Q(kind=Kind.RECOMPUTED))
    mixed |= ~_IS_REFUND & (Q(points__isnull=False) | Q(score=None) | Q(kind=Kind.REFUNDED))
    wrong = RatedGame.objects.filter(first | later | mixed, game=game)
    for key, revision in wrong.values_list("key", "revision")[:_FAULTS_PER_CHECK]:
        yield f"{key}: its revision {revision} does not fit those before it"


def _find_reversal_faults(game: str) -> Iterator[str]:
    """Yield a fault for each reversal that is not a copy of the game's previous revision."""
    same = [name for name in COLUMNS if name not in {"revision", "kind"}]
    rows = (
        get_current_revisions(game)
        .filter(~_IS_REFUND, kind=Kind.REVERSED)
        .values_list("revision", *same)
    )
    for revision, key, *values in rows.iterator(chunk_size=_CHUNK):
        before = RatedGame.objects.filter(key=key, revision=revision - 1).values_list(*same)
        if list(before) != [(key, *values)]:
            yield f"{key}: its revision {revision} reverses another game"


def _find_history_faults(game: str) -> Iterator[str]:
    """Yield a fault for each old revision whose ratings after the game are inconsistent."""
    later = RatedGame.objects.filter(key=OuterRef("key"), revision__gt=OuterRef("revision"))
    rows = RatedGame.objects.filter(~_IS_REFUND, Exists(later), game=game).order_by()
    for values in rows.values_list(*COLUMNS).iterator(chunk_size=_CHUNK):
        entry = parse_entry(values)
        formula = FORMULAS.get(entry.version)
        if formula is None or entry.second is None or entry.score is None:
            yield f"{entry.key}: its revision {entry.revision} is no game"
            continue
        sides = entry.first, entry.second
        after = formula(sides[0].before, sides[1].before, entry.score, entry.advantage)
        if not all(_are_alike(side.after, now) for side, now in zip(sides, after, strict=True)):
            yield f"{entry.key}: its revision {entry.revision} does not follow from its game"


def _find_rating_faults(
    game: str, careers: dict[int, PlayerRating], last: dict[int, Position], newest: int
) -> Iterator[str]:
    """Yield a fault for each rating that differs from the result of the player's last entry.

    The replay ended at the row `newest`. Ratings that were changed after it are not faults.
    """
    unseen, now = set(careers), timezone.now()
    doubtful: dict[int, str] = {}
    for row in Rating.objects.filter(game=game).order_by().iterator(chunk_size=_CHUNK):
        unseen.discard(row.player_id)
        position, career = (row.rated_at, ledger.draw_lots(row.key)), careers.get(row.player_id)
        agrees = career is not None and position == last[row.player_id]
        if career is None or not agrees or not _is_rating_of(row, career, now):
            doubtful[row.player_id] = f"{row.rating:.2f} does not follow"
            if len(doubtful) == _FAULTS_PER_CHECK:
                break
    else:
        doubtful |= dict.fromkeys(sorted(unseen), "has no rating")
    for player, words in doubtful.items():
        if not _is_new(game, player, newest):
            yield f"player {player}, {game}: {words}"


def _is_rating_of(row: Rating, career: PlayerRating, now: datetime) -> bool:
    listed = ledger.get_listing_end(career)
    if row.listed_until is None or listed is None:
        # The column is cleared in batches once its time has expired.
        in_time = row.listed_until is None and (listed is None or listed <= now)
    else:
        in_time = abs(row.listed_until - listed) < _SAME_TIME
    return in_time and _are_alike(ledger.parse_player_rating(row), career)


def _is_new(game: str, player_id: int, newest: int) -> bool:
    """Return whether the rating is correct and was changed after the row `newest`.

    The rating is correct if it follows from the player's last entry, or if it is missing because a
    new entry reverses the player's only game.
    """
    with transaction.atomic():
        ledger.lock_ledger()
        row = ledger.get_ratings(game, [player_id]).get(player_id)
        entry = ledger.get_entries_before(game, [player_id], _END).get(player_id)
        own = RatedGame.objects.filter(Q(first=player_id) | Q(second=player_id), game=game)
        if row is None or entry is None:
            return row is None and entry is None and own.filter(pk__gt=newest).exists()
        if not own.filter(pk__gt=newest).exists():
            return False
        position = row.rated_at, ledger.draw_lots(row.key)
        career = entry.after(player_id)
        return position == entry.position and _is_rating_of(row, career, timezone.now())


def _list_fits(game: str) -> list[tuple[datetime, float]]:
    fits = RoleAdvantage.objects.filter(game=game).order_by("at")
    return list(fits.values_list("at", "advantage"))


def _get_advantage(fits: list[tuple[datetime, float]], at: datetime) -> float:
    return next((advantage for since, advantage in reversed(fits) if since <= at), 0.0)


def _do_entries_agree(one: LedgerEntry, other: LedgerEntry) -> bool:
    return _do_sides_agree(one.first, other.first) and _do_sides_agree(one.second, other.second)


def _do_sides_agree(one: RatingSide | None, other: RatingSide | None) -> bool:
    if one is None or other is None:
        return one is other
    return _are_alike(one, other)


def _are_alike(one: Struct, other: Struct) -> bool:
    return all(
        _are_alike(a, b)
        if isinstance(a, Struct) and isinstance(b, Struct)
        else isclose(a, b, abs_tol=_CLOSE)
        if isinstance(a, float) and isinstance(b, float)
        else a == b
        for a, b in zip(astuple(one), astuple(other), strict=True)
    )


def _describe_entry(entry: LedgerEntry) -> str:
    sides = (side for side in (entry.first, entry.second) if side is not None)
    return ", ".join(f"{side.before.rating:.2f} to {side.after.rating:.2f}" for side in sides)

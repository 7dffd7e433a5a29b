"""The opening of matches, and the limits on how many a player may open.

There are limits on a player's matches per minute and per day, and on live matches against the
computer. `open_match` opens no match between players who must not meet (`opponent_checks`). The
matches of tournaments are not limited, and tournaments check beforehand who may meet.

`open_match` first locks the name of each person in the match, and then counts. If two servers open
a player's last allowed match at the same time, the second server waits and then counts the first
match too. On SQLite, writing transactions never overlap anyway.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Q
from django.utils import timezone
from msgspec.structs import asdict, replace

from games.journal import events
from games.journal.limits import get_limits
from games.match.conduct import begin_match
from games.match.setup import Setup, must_be_playable
from games.match.state import Limits, MatchState
from games.messages.refusal import Refused
from games.models import Match
from games.rules import GAMES
from games.store.aliases import get_aliases, get_kin, get_two_persons, match_players_filter
from games.store.audit import hash_address
from games.store.client_networks import store_caller
from games.store.digests import hash_start
from games.store.records import FIELDS

WITH_COMPUTER = Q(status=Match.Status.LIVE) & (
    Q(first_level__isnull=False) | Q(second_level__isnull=False)
)
"""Live matches against the computer. The condition must be the same as in `Match`'s index."""

opponent_checks: list[Callable[[int, int], bool]] = []
"""Functions that are called with two persons (`games.store.aliases`) before a match is opened. If
any of them returns True, the two must not play each other. `config.wiring` sets them."""

player_checks: list[Callable[[Collection[int]], None]] = []
"""Functions that are called with the people of a match before it is opened. They raise `Refused` if
one of these people may not start a match now. `config.wiring` sets them."""


def are_apart(people: Sequence[int]) -> bool:
    """Return whether two people must not play each other, under any of their aliases."""
    if len(people) != 2:
        return False
    one, other = get_two_persons(*people)
    return any(must_not_meet(one, other) for must_not_meet in opponent_checks)


def list_people(first_id: int, second_id: int, levels: tuple[int | None, int | None]) -> list[int]:
    """Return the ids of the human players of a match."""
    seats = zip((first_id, second_id), levels, strict=True)
    return [player_id for player_id, level in seats if level is None]


def lock_names(names: Iterable[int | str]) -> None:
    """Lock these names of players or networks until the transaction ends.

    Call this function once, with all names, before any rows are locked, so that two servers cannot
    deadlock. On SQLite, it does nothing, because writing transactions never overlap.
    """
    if connection.vendor != "postgresql":
        return
    keys = sorted(_compute_key(name) for name in set(names))
    if keys:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(k) FROM unnest(%s::bigint[]) WITH ORDINALITY"
                " AS keys(k, n) ORDER BY n",
                [keys],
            )


def must_be_allowed_to_open(
    people: Collection[int], with_computer: bool, client_network: str = ""
) -> None:
    """Raise `Refused` if one of these people, or the network, may not open a match now.

    The code is "many-matches" if one of them began too many in a period, or "many-open" if too many
    of their matches against the computer are live. Their names stay locked until the transaction
    ends.
    """
    # Lock even without rate limits, so that a player who is being protected at the same moment gets
    # no match with a stranger.
    lock_names(_list_names(people, with_computer, client_network))
    if not settings.RATE_LIMITS:
        return
    for player_id in people:
        if has_begun_many(player_id):
            raise Refused("many-matches")
    if with_computer:
        _must_have_few_open(people, client_network)


def get_rematch_players(first_id: int, second_id: int) -> tuple[int, int]:
    """Return the persons (`games.store.aliases`) who now have these accounts, for a rematch.

    Raise `Refused` if both are now the same person.
    """
    first, second = get_two_persons(first_id, second_id)
    if first != second:
        return first, second
    raise Refused("not-allowed")


def has_begun_many(player_id: int) -> bool:
    """Return whether the player has reached the limit of matches per minute or per day.

    The matches of tournaments do not count. Return False without rate limits.
    """
    if not settings.RATE_LIMITS:
        return False
    now = timezone.now()
    mine = Match.objects.filter(
        match_players_filter(get_aliases(player_id)),
        created_at__gt=now - timedelta(days=1),
        arranged=False,
    )
    minute = Count("pk", filter=Q(created_at__gt=now - timedelta(minutes=1)))
    found = mine.aggregate(day=Count("pk"), minute=minute)
    return bool(
        found["minute"] >= settings.MATCHES_PER_MINUTE or found["day"] >= settings.MATCHES_PER_DAY
    )


def open_match(
    setup: Setup,
    first_id: int,
    second_id: int,
    now: datetime | None = None,
    levels: tuple[int | None, int | None] = (None, None),
    client_network: str = "",
    match_id: str | None = None,
) -> Match:
    """Store a new live match, in the caller's transaction.

    The players take the roles in this order. If storing the match fails, the transaction cannot be
    continued.

    `match_id` defaults to a new id. `levels` has the computer's level for each seat that it takes;
    `client_network` is then the network of the other player. Raise `Refused` if
    `must_be_allowed_to_open` does, if the game is switched off, if the two must not meet
    ("not-allowed"), or if one of `player_checks` refuses.
    """
    must_be_playable(setup.game)
    now = now or timezone.now()
    people, with_computer = list_people(first_id, second_id, levels), levels != (None, None)
    must_be_allowed_to_open(people, with_computer, client_network)
    if are_apart(people):
        raise Refused("not-allowed")
    for check in player_checks:
        check(people)
    if with_computer and client_network:
        for player_id in people:
            store_caller(player_id, client_network, now)
    match = _build_match(setup, first_id, second_id, now)
    if match_id is not None:
        match.pk = match_id
    match.first_level, match.second_level = levels
    state = _begin_match(match, get_limits())
    # Without a savepoint, because no caller continues if the match was not stored.
    with transaction.atomic(savepoint=False):
        _insert(match)
        events.store_events([(None, state)], now)
    return match


def open_arranged(
    setup: Setup,
    pairs: Sequence[tuple[int, int]],
    now: datetime,
    start_within: timedelta,
    may_berserk: bool = False,
) -> list[Match]:
    """Store live matches of a tournament, in the caller's transaction.

    Each pair takes the game's roles in this order. The tournament has already decided that the
    players may meet, and limits do not apply, because the players do not open these matches
    themselves. A timed match is cancelled if nobody moves within `start_within`.
    """
    allowed = replace(get_limits(), start_within=start_within)
    matches = []
    for first_id, second_id in pairs:
        match = _build_match(setup, first_id, second_id, now)
        match.arranged, match.berserk = True, 0 if may_berserk and setup.clock else None
        matches.append(match)
    states = [_begin_match(match, allowed) for match in matches]
    with transaction.atomic():
        Match.objects.bulk_create(matches)
        events.store_events([(None, state) for state in states], now)
    return matches


def _build_match(setup: Setup, first_id: int, second_id: int, now: datetime) -> Match:
    return Match(
        **asdict(setup),
        first_id=first_id,
        second_id=second_id,
        notation=GAMES[setup.game].get_start(setup.options).notation,
        created_at=now,
        acted_at=now,
    )


def _insert(match: Match) -> None:
    """Insert a match, in plain SQL, because `save` takes three times as long."""
    adapt = connection.ops.adapt_datetimefield_value
    fields = Match._meta.local_concrete_fields
    values = (getattr(match, field.attname) for field in fields)
    row = [adapt(value) if isinstance(value, datetime) else value for value in values]
    columns = ", ".join(str(field.column) for field in fields)
    marks = ", ".join(["%s"] * len(row))
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO games_match ({columns}) VALUES ({marks})", row)  # nosec B608  # noqa: S608  # column names from the model
    match._state.adding, match._state.db = False, connection.alias


def _begin_match(match: Match, allowed: Limits) -> MatchState:
    """Set the clocks and the hash chain of a match that will be stored, and return its state."""
    state = begin_match(MatchState(*(getattr(match, name) for name in FIELDS)), allowed)
    match.first_ms, match.second_ms = state.first_ms, state.second_ms
    match.deadline, match.bot_at = state.deadline, state.bot_at
    match.chain = hash_start(state)
    return state


def _must_have_few_open(people: Collection[int], client_network: str) -> None:
    live = Match.objects.filter(WITH_COMPUTER)
    own = live.filter(
        match_players_filter({pk for rows in get_kin(people).values() for pk in rows})
    )
    if own.count() >= settings.BOT_MATCHES_PER_PLAYER:
        raise Refused("many-open")
    if client_network:
        address = hash_address(client_network)
        there = live.filter(Q(first__caller__address=address) | Q(second__caller__address=address))
        if there.count() >= settings.BOT_MATCHES_PER_ADDRESS:
            raise Refused("many-open")


def _list_names(
    people: Collection[int], with_computer: bool, client_network: str
) -> list[int | str]:
    return [*people, client_network] if with_computer and client_network else [*people]


def _compute_key(name: int | str) -> int:
    """Return the number that stands for a name in PostgreSQL's advisory locks."""
    digest = blake2b(f"match {name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)

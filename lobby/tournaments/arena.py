"""Pairing in arenas. About once a second, the free players who are present are paired."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from msgspec import Struct

from games.messages import Message, build_message
from lobby.models import Entry, Pairing, Tournament
from lobby.ratings.glicko import START_RATING
from lobby.tournaments.locking import mark_changed
from lobby.tournaments.pairing import arena
from lobby.tournaments.pairing.arena import Free
from lobby.tournaments.pairing.field import Pair
from lobby.tournaments.presence import build_present_condition
from lobby.tournaments.rounds import screen_entries, store_pairings

EVERY = timedelta(seconds=1)  # the time between two waves


class ArenaPresence(Struct, frozen=True):
    """The numbers of entered and present players of an arena.

    `why` says why nobody is being paired, or is None if that needs no explanation.
    """

    entered: int
    here: int
    why: Message | None = None


class FreePlayers(Struct, frozen=True):
    """The free players, best first, and the number of players who have a live game (`others`).

    `opponents` maps the entry of each free player to the last opponent's entry, or to None.
    """

    free: tuple[Free, ...]
    opponents: dict[int, int | None]
    others: int


def compute_wave(waiting: FreePlayers) -> tuple[Pair, ...]:
    """Return the pairs of a wave. There are none if fewer than two players are free."""
    if len(waiting.free) < 2:
        return ()
    # Avoid a rematch, unless the two are the only players.
    recent = waiting.opponents if len(waiting.free) + waiting.others > 2 else {}
    return arena.pair_players(waiting.free, {one: (last,) for one, last in recent.items() if last})


_FEW_FREE = 4  # with more free players, a pair is always possible


def read_arena_presence(tournament: Tournament, entered: int, now: datetime) -> ArenaPresence:
    """Return how many of the `entered` players are present.

    In a running arena, players with a live game also count as present.
    """
    if tournament.state != Tournament.State.RUNNING:
        entries = Entry.objects.filter(tournament=tournament, state=Entry.State.IN)
        return ArenaPresence(entered, entries.filter(build_present_condition(now)).count())
    waiting = get_free_players(tournament, now)
    here = len(waiting.free) + waiting.others
    return ArenaPresence(entered, here, _explain_pause(tournament, waiting))


def _explain_pause(tournament: Tournament, waiting: FreePlayers) -> Message | None:
    free = len(waiting.free)
    if tournament.is_paused:
        return build_message("arena-why.paused")
    if not free:
        return None if waiting.others else build_message("arena-why.nobody")
    if free == 1:
        code = "arena-why.odd" if waiting.others else "arena-why.alone"
        return build_message(code)
    if free <= _FEW_FREE and not compute_wave(waiting):
        return build_message("arena-why.rematch", seconds=round(arena.AGAIN))
    return None


def store_wave(tournament: Tournament, pairs: Sequence[Pair], now: datetime) -> datetime:
    """Store the pairs of a wave, and return when the next wave is due.

    The caller must lock and save the arena. A pair is dropped if one of its players is no longer
    free or may no longer play, and all pairs are dropped if the arena has ended.
    """
    assert tournament.ends_at is not None  # a running arena has an end
    due = min(now + EVERY, tournament.ends_at)
    if not pairs or now >= tournament.ends_at:
        return due
    some = [pair for pair in pairs if pair.second is not None]
    entries = screen_entries(
        tournament, {pk for pair in some for pk in (pair.first, pair.second) if pk}
    )
    free = {pk for pk, entry in entries.items() if entry.is_in and entry.playing_id is None}
    made = []
    for pair in some:
        assert pair.second is not None
        if not {pair.first, pair.second} <= free:
            continue
        tournament.pairings += 1
        made.append(
            Pairing(
                tournament=tournament,
                round=0,
                board=tournament.pairings,
                first=entries[pair.first],
                second=entries[pair.second],
                made_at=now,
            )
        )
    if not made:
        return due
    store_pairings(tournament, made, now, get_first_move_time(tournament), may_berserk=True)
    mark_changed(tournament, due)
    return due


def get_first_move_time(tournament: Tournament) -> timedelta:
    """Return how long players of an arena have for their first moves before they forfeit."""
    return timedelta(seconds=min(tournament.late_minutes * 60, settings.FIRST_MOVE_SECONDS))


def get_free_players(tournament: Tournament, now: datetime) -> FreePlayers:
    """Return the free players who are present, and the number of busy players, with one query."""
    rows = Entry.objects.filter(tournament=tournament, state=Entry.State.IN, seed__isnull=False)
    there = rows.filter(build_present_condition(now) | Q(playing__isnull=False)).order_by(
        "-points", "seed"
    )
    found: list[Free] = []
    opponents: dict[int, int | None] = {}
    others = 0
    columns = ("pk", "playing", "free_since", "rating", "sides", "began", "opponent")
    for rank, (pk, playing, since, rating, sides, began, opponent) in enumerate(
        there.values_list(*columns), 1
    ):
        if playing is not None:
            others += 1
            continue
        each = Free(
            entry=pk,
            rank=rank,
            rating=rating or START_RATING,
            sides=sides,
            began=began,
            # The clocks of two servers may differ.
            waited=max(0.0, (now - (since or now)).total_seconds()),
        )
        found.append(each)
        opponents[pk] = opponent
    return FreePlayers(tuple(found), opponents, others)

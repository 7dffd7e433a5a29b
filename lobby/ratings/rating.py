"""Rating matches that have ended or were corrected, by adding entries to the ledger.

A match is rated by its current columns, and not by what the event reports, so handling an event
twice changes nothing. Its place in the ledger depends on when it ended. Almost always, neither
player has a later game, and the match is rated immediately. Otherwise, and when an earlier game is
corrected or reversed, the row is written and a replay of all later games is scheduled.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from django.db import transaction
from msgspec.structs import replace

from games.models import Event, Match
from games.runtime.prepared_query import PreparedQuery
from lobby.models import RatedGame, Rating, UncountedMatch
from lobby.ratings import eligibility, ledger
from lobby.ratings.advantage import get_advantage
from lobby.ratings.glicko import VERSION, Strength
from lobby.ratings.ledger import Kind, LedgerEntry, compute_entry
from lobby.ratings.player_rating import RatingSide

_BEGINNING = datetime.min.replace(tzinfo=UTC), 0
# A placeholder until the side is computed.
NOTHING = RatingSide(None, Strength(), Strength(), 0, 0.0, 0, 0)


def note_results(events: Sequence[Event]) -> None:
    """Rate the matches that ended or whose result changed."""
    rate_matches([event.match_id for event in events if event.kind != Event.Kind.BEGAN])


def rate_matches(match_ids: Collection[str]) -> None:
    """Bring the ledger up to date with these matches."""
    if not (ids := [pk for (pk,) in _rated(match_ids)]):
        return
    with transaction.atomic():
        ledger.lock_ledger()
        matches = eligibility.read_results(ids)
        known = ledger.get_known_entries(ids)
        for match in matches:
            if match.id in known:
                _revise_entry(known[match.id], match)
        judged = known.keys() | _get_uncounted(ids)
        new = [each for each in matches if each.id not in judged and each.score is not None]
        people = eligibility.get_counted_players(new)
        append_entries([_build_entry(each, *people[each.id]) for each in new if each.id in people])
        without = [each.id for each in new if each.id not in people and each.is_worth_it]
        UncountedMatch.objects.bulk_create(UncountedMatch(match_id=pk) for pk in without)


_rated = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids, rated=True).values_list("pk"), of=str
)


def _get_uncounted(match_ids: Collection[str]) -> set[str]:
    rows = UncountedMatch.objects.filter(match__in=match_ids)
    return set(rows.values_list("match", flat=True))


def append_entries(entries: Sequence[LedgerEntry]) -> None:
    """Append new entries, which must be in order, and rate them from the stored ratings.

    An entry is inserted in its place if one of its players already has a later entry. The caller
    must lock the ledger.
    """
    late = []
    for game in {entry.game for entry in entries}:
        some = [entry for entry in entries if entry.game == game]
        stored = ledger.get_ratings(game, {player for entry in some for player in entry.players})
        careers = {player: ledger.parse_player_rating(row) for player, row in stored.items()}
        ends = {player: _get_position(row) for player, row in stored.items()}
        last: dict[int, LedgerEntry] = {}
        new = []
        for entry in some:
            if any(ends.get(player, _BEGINNING) >= entry.position for player in entry.players):
                late.append(entry)
                continue
            now = compute_entry(entry, careers)
            new.append(now)
            for player in now.players:
                careers[player], ends[player], last[player] = now.after(player), now.position, now
        ledger.add_entries(new)
        ledger.store_ratings(game, last)
        _recompute_refunds(game, new)
    for entry in late:
        insert_entry(entry)


def _recompute_refunds(game: str, new: Sequence[LedgerEntry]) -> None:
    """Schedule a replay if a later refund may have to include one of these newly rated games."""
    if new:
        first = min(entry.position for entry in new)
        players = {player for entry in new for player in entry.players}
        refunds = RatedGame.objects.filter(first__in=players, second=None, game=game)
        if refunds.filter(at__gte=first[0]).exists():
            ledger.schedule_replay(game, first)


def insert_entry(entry: LedgerEntry) -> None:
    """Insert an entry in its place, and schedule a replay from there on."""
    stored = ledger.get_ratings(entry.game, entry.players)
    before = ledger.get_ratings_before(entry.game, entry.players, entry.position)
    entry = compute_entry(entry, before)
    ledger.add_entries([entry])
    last = {
        player: entry
        for player in entry.players
        if player not in stored or _get_position(stored[player]) <= entry.position
    }
    ledger.store_ratings(entry.game, last)
    ledger.schedule_replay(entry.game, entry.position)


def _build_entry(match: eligibility.RatedResult, first_id: int, second_id: int) -> LedgerEntry:
    assert match.ended_at is not None  # a match with a score has ended
    return LedgerEntry(
        key=match.id,
        revision=0,
        kind=Kind.RATED,
        game=match.game,
        first_id=first_id,
        second_id=second_id,
        score=match.score,
        advantage=get_advantage(match.game, match.ended_at),
        version=VERSION,
        at=match.ended_at,
        lot=ledger.draw_lots(match.id),
        points=None,
        first=NOTHING,
        second=None,
    )


def _revise_entry(entry: LedgerEntry, match: eligibility.RatedResult) -> None:
    """Write a revision of a rated match if its result was changed, removed or restored."""
    if match.score is None or match.ended_at is None:
        if entry.counts:
            _reverse_entry(entry)
        return
    if entry.counts and (entry.score, entry.at) == (match.score, match.ended_at):
        return
    if entry.counts and entry.at != match.ended_at:
        entry = _reverse_entry(entry)
    next_one = entry.revision + 1
    kind, score, at = Kind.RECOMPUTED, match.score, match.ended_at
    insert_entry(replace(entry, revision=next_one, kind=kind, score=score, at=at))


def _reverse_entry(entry: LedgerEntry) -> LedgerEntry:
    """Write a reversal of an entry, restore the previous ratings, and return the reversal.

    A replay of the later games is scheduled.
    """
    entry = replace(entry, revision=entry.revision + 1, kind=Kind.REVERSED)
    ledger.add_entries([entry])
    stored = ledger.get_ratings(entry.game, entry.players)
    back = [player for player, row in stored.items() if row.key == entry.key]
    before = ledger.get_entries_before(entry.game, back, entry.position)
    ledger.store_ratings(entry.game, before)
    new = [player for player in back if player not in before]
    Rating.objects.filter(game=entry.game, player__in=new).delete()
    ledger.schedule_replay(entry.game, entry.position)
    return entry


def _get_position(row: Rating) -> ledger.Position:
    return row.rated_at, ledger.draw_lots(row.key)

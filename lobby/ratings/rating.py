"""Rates matches: hears of each that is over or has another result, and writes the ledger.

A match is rated as it is then, whatever the event said, so to hear of it twice changes nothing. Its
place is among the games as they ended. Nearly always both players have no later game: then it is
rated at once. Else, and where a game before others counts no more or otherwise, the row is written,
and the games from there on are gone through again by and by.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from django.db import transaction
from msgspec.structs import replace

from games.models import Event, Match
from lobby.models import RatedGame, Rating, UncountedMatch
from lobby.ratings import eligibility, ledger
from lobby.ratings.advantage import in_force
from lobby.ratings.glicko import VERSION, Strength
from lobby.ratings.ledger import Entry, Kind, computed
from lobby.ratings.player_rating import Side

_BEGINNING = datetime.min.replace(tzinfo=UTC), 0
NOTHING = Side(None, Strength(), Strength(), 0, 0.0, 0, 0)  # until it is computed


def note_results(events: Sequence[Event]) -> None:
    """Rate the matches that have ended or have another result now."""
    rate([event.match_id for event in events if event.kind != Event.Kind.BEGAN])


def rate(match_ids: Collection[str]) -> None:
    """Bring these matches into the ledger as they are now."""
    rated = Match.objects.filter(pk__in=match_ids, rated=True).values_list("pk", flat=True)
    if not (ids := list(rated)):
        return
    with transaction.atomic():
        ledger.lock()
        matches = eligibility.read(ids)  # as they are now that nobody else rates
        known = ledger.known(ids)
        for match in matches:
            if match.id in known:
                _change(known[match.id], match)
        judged = known.keys() | _uncounted(ids)
        new = [each for each in matches if each.id not in judged and each.score is not None]
        people = eligibility.people_of(new)
        append([_entry(each, *people[each.id]) for each in new if each.id in people])
        without = [each.id for each in new if each.id not in people and each.is_worth_it]
        UncountedMatch.objects.bulk_create(UncountedMatch(match_id=pk) for pk in without)


def _uncounted(match_ids: Collection[str]) -> set[str]:
    rows = UncountedMatch.objects.filter(match__in=match_ids)
    return set(rows.values_list("match", flat=True))


def append(entries: Sequence[Entry]) -> None:
    """Add new entries in their order. Those whose players have no later one are rated by what is
    stored of them."""
    late = []
    for game in {entry.game for entry in entries}:
        some = [entry for entry in entries if entry.game == game]
        stored = ledger.ratings(game, {player for entry in some for player in entry.players})
        careers = {player: ledger.career_of(row) for player, row in stored.items()}
        ends = {player: _position(row) for player, row in stored.items()}
        last: dict[int, Entry] = {}
        new = []
        for entry in some:
            if any(ends.get(player, _BEGINNING) >= entry.position for player in entry.players):
                late.append(entry)
                continue
            now = computed(entry, careers)
            new.append(now)
            for player in now.players:
                careers[player], ends[player], last[player] = now.after(player), now.position, now
        ledger.add(new)
        ledger.keep(game, last)
        _recompute_refunds(game, new)
    for entry in late:
        insert(entry)


def _recompute_refunds(game: str, new: Sequence[Entry]) -> None:
    """Have the recount compute refunds that were decided before games of their days were rated."""
    if new:
        first = min(entry.position for entry in new)
        players = {player for entry in new for player in entry.players}
        refunds = RatedGame.objects.filter(first__in=players, second=None, game=game)
        if refunds.filter(at__gte=first[0]).exists():
            ledger.go_through_from(game, first)


def insert(entry: Entry) -> None:
    """Add an entry before others, which are then gone through again."""
    stored = ledger.ratings(entry.game, entry.players)
    before = ledger.careers_before(entry.game, entry.players, entry.position)
    entry = computed(entry, before)
    ledger.add([entry])
    last = {
        player: entry
        for player in entry.players
        if player not in stored or _position(stored[player]) <= entry.position
    }
    ledger.keep(entry.game, last)
    ledger.go_through_from(entry.game, entry.position)


def _entry(match: eligibility.RatedResult, first_id: int, second_id: int) -> Entry:
    assert match.ended_at is not None  # by its score
    return Entry(
        key=match.id,
        revision=0,
        kind=Kind.RATED,
        game=match.game,
        first_id=first_id,
        second_id=second_id,
        score=match.score,
        advantage=in_force(match.game, match.ended_at),
        version=VERSION,
        at=match.ended_at,
        lot=ledger.draw_of_lots(match.id),
        points=None,
        first=NOTHING,
        second=None,
    )


def _change(entry: Entry, match: eligibility.RatedResult) -> None:
    """What was rated has another result, or none, or counts again."""
    if match.score is None or match.ended_at is None:
        if entry.counts:
            _withdraw(entry)
        return
    if entry.counts and (entry.score, entry.at) == (match.score, match.ended_at):
        return
    if entry.counts and entry.at != match.ended_at:
        entry = _withdraw(entry)
    next_one = entry.revision + 1
    kind, score, at = Kind.RECOMPUTED, match.score, match.ended_at
    insert(replace(entry, revision=next_one, kind=kind, score=score, at=at))


def _withdraw(entry: Entry) -> Entry:
    """Say that a game counts no more; the new entry."""
    entry = replace(entry, revision=entry.revision + 1, kind=Kind.REVERSED)
    ledger.add([entry])
    stored = ledger.ratings(entry.game, entry.players)
    back = [player for player, row in stored.items() if row.key == entry.key]
    before = ledger.entries_before(entry.game, back, entry.position)
    ledger.keep(entry.game, before)
    new = [player for player in back if player not in before]
    Rating.objects.filter(game=entry.game, player__in=new).delete()
    ledger.go_through_from(entry.game, entry.position)
    return entry


def _position(row: Rating) -> ledger.Position:
    return row.rated_at, ledger.draw_of_lots(row.key)

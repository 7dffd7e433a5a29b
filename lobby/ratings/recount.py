"""Replaying rated games in order, from the first one that has changed.

If a game now has a different effect on its players than in the ledger, its next revision is
written, so only games that the change affects get a new row. One transaction replays one page of
games and moves the mark (a `Recount` row), so that another process can continue after a crash.
Matches that end during a replay are rated immediately from the stored ratings. They are at the end
of the ledger, so the replay reaches them later.
"""

from django.db import transaction
from msgspec.structs import replace

from games.runtime.prepared_query import FixedQuery
from lobby.models import Rating, Recount
from lobby.ratings import ledger
from lobby.ratings.ledger import Kind, LedgerEntry, Position, compute_entry
from lobby.ratings.refunds import compute_refund

_PAGE = 200  # games per transaction; on SQLite, the moves of players wait for it


def is_any_scheduled() -> bool:
    """Return whether games are scheduled for a replay."""
    return any(_recounts())


def replay_page() -> bool:
    """Replay one page of games, and return whether more may be left."""
    if not is_any_scheduled():
        return False
    with transaction.atomic():
        ledger.lock_ledger()
        mark = Recount.objects.order_by("game").first()
        if mark is None:
            return False
        page = ledger.list_page(mark.game, (mark.at, mark.lot), _PAGE)
        if page:
            _replay_entries(mark.game, page)
        if len(page) < _PAGE:
            mark.delete()
        else:
            mark.at, mark.lot = page[-1].at, page[-1].lot + 1
            mark.save()
    return True


_recounts = FixedQuery(lambda: Recount.objects.values_list("pk")[:1])


def replay_all() -> None:
    """Replay pages until no scheduled games are left."""
    while replay_page():
        pass


def _replay_entries(game: str, page: list[LedgerEntry]) -> None:
    players = {player for entry in page for player in entry.players}
    last = ledger.get_entries_before(game, players, page[0].position)
    careers = {player: entry.after(player) for player, entry in last.items()}
    new: dict[str, LedgerEntry] = {}
    for entry in page:
        now = compute_refund(entry, new) if entry.is_refund else entry
        if now.counts:
            now = compute_entry(now, careers)
        if now != entry:
            kind = now.kind if entry.is_refund else Kind.RECOMPUTED
            now = new[now.key] = replace(now, revision=entry.revision + 1, kind=kind)
        if now.counts:
            for player in now.players:
                careers[player], last[player] = now.after(player), now
    ledger.add_entries(new.values())
    _store_ratings(game, players, last, page[-1].position)


def _store_ratings(
    game: str, players: set[int], last: dict[int, LedgerEntry], end: Position
) -> None:
    """Store the ratings of players whose stored rating is from an entry up to `end`.

    Ratings from later entries stay. Delete the ratings of players without an entry that counts.
    """
    stored = ledger.get_ratings(game, players)
    ended = {
        player: row
        for player, row in stored.items()
        if (row.rated_at, ledger.draw_lots(row.key)) <= end
    }
    ledger.store_ratings(
        game,
        {
            player: last[player]
            for player, row in ended.items()
            if player in last
            and (row.key, ledger.parse_player_rating(row))
            != (last[player].key, last[player].after(player))
        },
    )
    nothing = ended.keys() - last.keys()
    if nothing:
        Rating.objects.filter(game=game, player__in=nothing).delete()

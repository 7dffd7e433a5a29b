"""Goes through the rated games again, from where something changed, in their order.

Where a game now makes something else of its players than the ledger says, the next revision is
written; so all that a change touched, and nothing else, is written anew. A page of games at a time
is one transaction with the mark that is moved on: whoever dies, the next one goes on from there.
New games are rated meanwhile, by what is known then; they come at the end, so they are reached.
"""

from django.db import transaction
from msgspec.structs import replace

from lobby.models import Recount
from lobby.ratings import ledger
from lobby.ratings.career import Career
from lobby.ratings.ledger import Entry, Kind, computed

_PAGE = 200  # games in one transaction: on SQLite players' moves wait for it


def go_on() -> bool:
    """Go through some games; whether there may be more."""
    if not Recount.objects.exists():
        return False
    with transaction.atomic():
        ledger.lock()
        mark = Recount.objects.order_by("game").first()
        if mark is None:
            return False
        page = ledger.page(mark.game, (mark.at, mark.lot), _PAGE)
        if page:
            _go_through(mark.game, page)
        if len(page) < _PAGE:
            mark.delete()
        else:
            mark.at, mark.lot = page[-1].at, page[-1].lot + 1
            mark.save()
    return True


def go_through_all() -> None:
    """Bring the ledger to its end, at once."""
    while go_on():
        pass


def _go_through(game: str, page: list[Entry]) -> None:
    players = {player for entry in page for player in entry.players}
    careers: dict[int, Career] = ledger.careers_before(game, players, page[0].position)
    last: dict[int, Entry] = {}
    new: list[Entry] = []
    for entry in page:
        if not entry.counts:
            continue
        now = computed(entry, careers)
        if now != entry:
            now = replace(now, revision=entry.revision + 1, kind=_again(entry))
            new.append(now)
        for player in now.players:
            careers[player], last[player] = now.after(player), now
    ledger.add(new)
    stored = ledger.ratings(game, last.keys())
    ledger.keep(
        game,
        {
            player: last[player]
            for player, row in stored.items()
            if row.key == last[player].key and ledger.career_of(row) != careers[player]
        },
    )


def _again(entry: Entry) -> str:
    return entry.kind if entry.kind == Kind.REFUNDED else Kind.RECOMPUTED

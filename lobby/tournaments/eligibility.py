"""Before anybody is paired: who may not play any more is taken out.

Blocks do not matter here: whoever registers meets whomever they are paired with, and a block in the
middle of a tournament takes nobody's game away. Minors are another matter: in a tournament outside
of their group they are not taken in, and one of their group is over for whom the group has lost.
"""

from collections.abc import Collection

from games.store.suspensions import get_suspensions
from lobby.groups.membership import in_groups
from lobby.models import Entry, Tournament
from lobby.privacy.visibility import not_public
from lobby.tournaments.log import note


def screen(tournament: Tournament, only: Collection[int] | None = None) -> dict[int, Entry]:
    """All entries with a seed, or only these, by their key, with their players. Those who are
    suspended, have closed their account, or are kept from the others are out from now on: that is
    stored."""
    rows = Entry.objects.filter(tournament=tournament, seed__isnull=False)
    if only is not None:
        rows = rows.filter(pk__in=only)
    entries = {entry.pk: entry for entry in rows.select_related("player")}
    playing = [entry for entry in entries.values() if entry.is_in]
    barred = _barred(tournament, [entry.player_id for entry in playing])
    out = [entry for entry in playing if entry.player_id in barred or not entry.player.is_active]
    for entry in out:
        entry.state = Entry.State.REMOVED
        note(tournament, None, "event.barred", name=entry.player.name)
    if out:
        keys = [entry.pk for entry in out]
        Entry.objects.filter(pk__in=keys).update(state=Entry.State.REMOVED)
    return entries


def keep_minors_apart(tournament: Tournament) -> None:
    """Before it begins: minors have no place in a tournament that is none of their group, nor have
    others in one that is."""
    players = list(tournament.entries.values_list("player", flat=True))
    tournament.entries.filter(player__in=_misplaced(tournament, players)).delete()


def _barred(tournament: Tournament, player_ids: list[int]) -> set[int]:
    return set(get_suspensions(player_ids)) | _misplaced(tournament, player_ids)


def _misplaced(tournament: Tournament, player_ids: list[int]) -> set[int]:
    group = tournament.group
    if group is None or not group.for_minors:
        return not_public(player_ids)
    there = {player for _, player in in_groups([group.pk], player_ids)}
    return set(player_ids) - there

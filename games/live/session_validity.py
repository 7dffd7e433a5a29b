"""Whether the sessions and accounts of open sockets are still valid, by the rules of admission.

A session may be deleted or run out, an account be closed or its password changed, without a logout;
a guest may become somebody's alias. So the sessions of all open sockets are checked again and
again, many in one query.
"""

from collections.abc import Sequence

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from msgspec import Struct

from games.live.admission import Applicant, look_up
from games.store.aliases import acting, persons
from games.store.sessions import players_by_key

Held = tuple[
    str, int, frozenset[int]
]  # a session's key, the player who was admitted with it, and the players who that person was
Proof = tuple[str, str]  # a session's stored data, and its player's stored password


class Fallen(Struct, frozen=True):
    """Whose sockets are to be closed."""

    sessions: list[str]  # keys of sessions that are over
    players: list[int]  # whose account is closed
    anew: list[int]  # players who are another now, or more than one


def fallen(held: Sequence[Held], proofs: dict[Held, Proof]) -> Fallen:
    """Which of these are no longer valid. `proofs` keeps what each was last found valid by, so that
    only those are checked in full of which something has changed."""
    stored = Session.objects.filter(
        session_key__in={key for key, _, _ in held}, expire_date__gt=timezone.now()
    )
    sessions = dict(stored.values_list("session_key", "session_data"))
    sessions |= dict.fromkeys(players_by_key({key for key, _, _ in held}), "")
    players = {pk for _, pk, _ in held}
    aliases = {pk for pk, person in persons(players).items() if pk != person}
    rows = acting(players)
    anew = {pk for _, pk, acts_as in held if pk in aliases or not rows[pk] <= acts_as}
    held = [each for each in held if each[1] not in anew]
    active = get_user_model().objects.filter(pk__in=players - anew, is_active=True)
    passwords = dict(active.values_list("pk", "password"))
    over = [key for key, _, _ in held if key not in sessions]
    closed = [pk for key, pk, _ in held if key in sessions and pk not in passwords]
    now = {
        each: (sessions[each[0]], passwords[each[1]])
        for each in held
        if each[0] in sessions and each[1] in passwords
    }
    changed = [each for each, proof in now.items() if proofs.get(each) != proof]
    admitted = look_up([Applicant(key) for key, _, _ in changed])
    for each, who in zip(changed, admitted, strict=True):
        if who.player_id == each[1]:
            proofs[each] = now[each]
        else:
            over.append(each[0])
    return Fallen(over, closed, sorted(anew))

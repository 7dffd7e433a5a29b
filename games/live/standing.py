"""Whether the sessions and accounts of open sockets still stand, as the entrance would find them.

A session may be gone or run out, an account may be closed or its password changed, with nobody
logging out: so all that are held open are looked at again and again, many in one go.
"""

from collections.abc import Sequence

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from msgspec import Struct

from games.live.admission import Applicant, look_up

Held = tuple[str, int]  # a session's key, and the player whom it let in
Proof = tuple[str, str]  # what a session stores, and its player's password, as both are kept


class Fallen(Struct, frozen=True):
    """Whose sockets are to be closed."""

    sessions: list[str]  # keys of sessions that are over
    players: list[int]  # whose account is closed


def fallen(held: Sequence[Held], proofs: dict[Held, Proof]) -> Fallen:
    """Which of these no longer stand. `proofs` keeps by what each was last found to stand, so that
    it is worked out anew only where something of it has changed."""
    stored = Session.objects.filter(
        session_key__in={key for key, _ in held}, expire_date__gt=timezone.now()
    )
    sessions = dict(stored.values_list("session_key", "session_data"))
    active = get_user_model().objects.filter(pk__in={pk for _, pk in held}, is_active=True)
    passwords = dict(active.values_list("pk", "password"))
    over = [key for key, _ in held if key not in sessions]
    closed = [pk for key, pk in held if key in sessions and pk not in passwords]
    now = {
        (key, pk): (sessions[key], passwords[pk])
        for key, pk in held
        if key in sessions and pk in passwords
    }
    changed = [each for each, proof in now.items() if proofs.get(each) != proof]
    entered = look_up([Applicant(key) for key, _ in changed])
    for (key, pk), who in zip(changed, entered, strict=True):
        if who.player_id == pk:
            proofs[key, pk] = now[key, pk]
        else:
            over.append(key)
    return Fallen(over, closed)

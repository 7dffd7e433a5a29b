"""Whether the sessions and accounts of open sockets are still valid, by the rules of admission.

A session may be deleted or run out, an account be closed or its password changed, without a logout.
So the sessions of all open sockets are checked again and again, many in one query.
"""

from collections.abc import Sequence

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from msgspec import Struct

from games.live.admission import Applicant, look_up

Held = tuple[str, int]  # a session's key, and the player who was admitted with it
Proof = tuple[str, str]  # a session's stored data, and its player's stored password


class Fallen(Struct, frozen=True):
    """Whose sockets are to be closed."""

    sessions: list[str]  # keys of sessions that are over
    players: list[int]  # whose account is closed


def fallen(held: Sequence[Held], proofs: dict[Held, Proof]) -> Fallen:
    """Which of these are no longer valid. `proofs` keeps what each was last found valid by, so that
    only those are checked in full of which something has changed."""
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
    admitted = look_up([Applicant(key) for key, _ in changed])
    for (key, pk), who in zip(changed, admitted, strict=True):
        if who.player_id == pk:
            proofs[key, pk] = now[key, pk]
        else:
            over.append(key)
    return Fallen(over, closed)

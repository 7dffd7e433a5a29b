"""What there is on a site where everybody asks for every address, and who asks."""

from typing import Any

from django.contrib.auth.models import Group
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from games.match.setup import Setup
from games.models import Sign
from games.review import decisions, reports
from lobby.groups import membership
from lobby.models import Appeal, FactorReset, ProtectionChange, Seek, Tournament
from lobby.seeks.challenges import challenge
from lobby.tournaments.entering import join
from lobby.tournaments.making import Draft, make
from lobby.tournaments.series import make_series
from tests.games.review.conftest import over, player


def things() -> dict[str, Any]:
    """The numbers of one of each thing that has an address, by the name of its kind."""
    alice, bob = player("alice"), player("bob")
    match = over("tic-tac-toe", alice, bob)
    reviewer = player("rita", "reviewer")
    decision = decisions.void(reviewer, match.pk, "So.", 0)
    return {
        "match": match.pk,
        "alice": alice.pk,
        "bob": bob.pk,
        "decision": decision.pk,
        "appeal": Appeal.objects.create(
            decision=decision, player=alice, words="Why?", at=timezone.now()
        ).pk,
        "case": reports.report(alice.pk, match.pk, bob.pk, "name", "").case_id,
        "sign": Sign.objects.create(
            key="k", kind="pair", match=match, player=alice, words="So.", at=timezone.now()
        ).pk,
        "seek": Seek.objects.create(
            player=alice, game="tic-tac-toe", created_at=timezone.now(), seen_at=timezone.now()
        ).pk,
        "reset": FactorReset.objects.create(
            account=bob, reason="So.", asked_by=alice, asked_at=timezone.now()
        ).pk,
        "protection": ProtectionChange.objects.create(
            player=bob, is_protected=False, by=alice, reason="So.", at=timezone.now()
        ).pk,
        "challenge": challenge(bob.pk, alice.pk, Setup("tic-tac-toe")).pk,
        "group": Group.objects.get(name="reviewer").pk,
        "club": club(alice, bob).pk,
        **event(alice, bob),
    }


def event(organiser: Any, entrant: Any) -> dict[str, Any]:
    """A tournament that the first runs, with the other in it, and its series."""
    draft = Draft("Evening", "swiss", Setup("six-in-a-row"), timezone.now(), rounds=2)
    made = make(organiser, draft)
    made.state = Tournament.State.REGISTRATION
    made.save()
    entry = join(entrant, made.pk)
    series = make_series(organiser, made.pk, "Thursdays")
    return {"event": made.pk, "entry": entry.pk, "series": series.pk}


def club(organiser: Any, member: Any) -> Any:
    """A group that the first runs, with the other as a member."""
    organiser.groups.add(Group.objects.get(name="organiser"))
    made = membership.make_group(organiser, "The club", False)
    membership.join(member, made.code or "")
    return made


def log_in(role: str) -> Client:
    client = Client()
    if role == "guest":
        client.force_login(player("some guest", is_guest=True))
    elif role == "player":
        client.force_login(player("some player"))
    elif role == "reviewer":
        client.force_login(player("some reviewer", "reviewer"))
    elif role == "senior":
        client.force_login(player("some senior", "senior reviewer"))
    elif role == "superuser":
        client.force_login(player("root", "none", is_superuser=True))
    return client


def all_patterns(resolver: Any) -> list[URLPattern]:
    """Those of a list of addresses and of the lists in it."""
    found: list[URLPattern] = []
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            found += [] if pattern.app_name == "ninja" else all_patterns(pattern)
        elif pattern.name != "game-export":  # an operation of the API, under another address
            found.append(pattern)
    return found

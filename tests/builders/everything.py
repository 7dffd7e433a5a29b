"""One object of each kind that has an address, and a client of each role."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import Group
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from games.match.setup import Setup
from games.models import BulkAction, Sign, StoredSheet
from games.review import decisions, reports
from lobby.accounts.erasure import erase_player
from lobby.models import Appeal, Entry, Erasure, FactorReset, Player, ProtectionChange, Seek
from lobby.seeks.challenges import create_challenge
from lobby.tournaments.series import create_series
from tests.builders.groups import create_group
from tests.builders.matches import create_finished_match
from tests.builders.players import client_for, create_player, create_staff
from tests.builders.tournaments import create_tournament, join_players


def create_everything() -> dict[str, Any]:
    """Create one object of each kind. Return their keys by kind."""
    alice, bob = create_player("alice"), create_player("bob")
    match = create_finished_match("tic-tac-toe", alice, bob)
    reviewer = create_player("rita", "reviewer")
    decision = decisions.void_match(reviewer, match.pk, "So.", 0)
    alice.groups.add(Group.objects.get(name="organiser"))
    tournament = create_tournament(alice)
    join_players(tournament, [bob])
    return {
        "match": match.pk,
        "alice": alice.pk,
        "bob": bob.pk,
        "decision": decision.pk,
        "appeal": Appeal.objects.create(
            decision=decision, player=alice, words="Why?", at=timezone.now()
        ).pk,
        "case": reports.store_report(alice.pk, match.pk, bob.pk, "name", "").case_id,
        "erasure": erase_player(create_player("eve").pk, Erasure.Kind.ERASE, reviewer, "So.").pk,
        "bulk": BulkAction.objects.create(
            key="k",
            kind="dismiss",
            players=[alice.pk],
            reason="So.",
            by=reviewer,
            at=timezone.now(),
        ).pk,
        "sign": Sign.objects.create(
            key="k", kind="pair", match=match, player=alice, words="So.", at=timezone.now()
        ).pk,
        "seek": Seek.objects.create(
            player=alice, game="tic-tac-toe", created_at=timezone.now(), seen_at=timezone.now()
        ).pk,
        "sheet": StoredSheet.objects.create(
            slug="race", sheet="(role x)", network=b"", added_at=timezone.now()
        ).pk,
        "reset": FactorReset.objects.create(
            account=bob, reason="So.", asked_by=alice, asked_at=timezone.now()
        ).pk,
        "protection": ProtectionChange.objects.create(
            player=bob, is_protected=False, by=alice, reason="So.", at=timezone.now()
        ).pk,
        "challenge": create_challenge(bob.pk, alice.pk, Setup("tic-tac-toe")).pk,
        "group": Group.objects.get(name="reviewer").pk,
        "club": create_group(alice, bob).pk,
        "event": tournament.pk,
        "entry": Entry.objects.get(tournament=tournament, player=bob).pk,
        "series": create_series(alice, tournament.pk, "Thursdays").pk,
    }


def log_in_as(role: str) -> Client:
    """Return a client that is logged in as a new player with that role."""
    accounts: dict[str, Callable[[], Player | None]] = {
        "visitor": lambda: None,
        "guest": lambda: create_player("some guest", is_guest=True),
        "player": lambda: create_player("some player"),
        "reviewer": lambda: create_player("some reviewer", "reviewer"),
        "senior": lambda: create_player("some senior", "senior reviewer"),
        "superuser": lambda: create_staff("root", is_superuser=True),
    }
    return client_for(accounts[role]())


def list_patterns(resolver: Any) -> list[URLPattern]:
    """List the patterns of a resolver and of those it includes."""
    found: list[URLPattern] = []
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            found += [] if pattern.app_name == "ninja" else list_patterns(pattern)
        elif pattern.name != "game-export":  # an alias of an API operation
            found.append(pattern)
    return found

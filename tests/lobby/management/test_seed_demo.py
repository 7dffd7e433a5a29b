"""The demo: its matches are rated and counted like all others, and pass all verifications."""

from io import StringIO

import pytest
from django.core.management import call_command

from games.models import Event, Match
from lobby.models import RatedGame, Rating, Tally


@pytest.mark.django_db(transaction=True)
def test_its_matches_are_rated_and_counted() -> None:
    call_command("seed_demo", players=5, matches=120, reports=4, stdout=StringIO())
    over = Match.objects.filter(rated=True, status=Match.Status.OVER).count()
    assert over * 0.9 < RatedGame.objects.filter(revision=0).count() <= over
    assert Rating.objects.values("player").distinct().count() == 5
    assert Tally.objects.exists()
    assert not Event.objects.filter(due_at__isnull=False).exists()
    call_command("verify_ratings", stdout=StringIO())
    call_command("verify_matches", processes=1, stdout=StringIO())

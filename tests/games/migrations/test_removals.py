"""Migrations that remove what an earlier release had stored wrongly."""

from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from games.journal.opening import open_match
from games.match.setup import Setup
from games.models import Analysis
from lobby.models import Player


@pytest.mark.django_db(transaction=True)
def test_what_was_called_certain_of_dots_and_boxes_is_asked_for_again() -> None:
    ann, bob = (Player.objects.create_user(username=name).pk for name in ("Ann A", "Bob B"))
    for game in ("dots-and-boxes", "six-in-a-row"):
        match = open_match(Setup(game, "", "", False), ann, bob)
        Analysis.objects.create(match=match, version=match.version, asked_at=timezone.now())
    import_module("games.migrations.0026_uncertain_boxes").remove(apps, None)
    assert [kept.match.game for kept in Analysis.objects.all()] == ["six-in-a-row"]

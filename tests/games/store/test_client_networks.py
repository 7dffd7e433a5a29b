"""The network of each seat of a rated match is stored with its first action."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.journal.opening import open_match
from games.match.commands import Play, PlayerCommand, Resign
from games.match.setup import Setup
from games.models import ClientNetwork, Match
from games.runtime.fair_queue import SITE, Requester
from games.store import client_networks
from games.store.audit import hash_address
from tests.builders.matches import commit_command
from tests.builders.retention import delete_old

pytestmark = pytest.mark.django_db

HOME, PHONE = "192.0.2.1", "198.51.100.7"


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_networks, "_known", {})


@pytest.fixture
def match(alice: Any, bob: Any) -> Match:
    return open_match(Setup("dots-and-boxes", "3+2", rated=True), alice.pk, bob.pk)


def act(match: Match, player: Any, command: PlayerCommand, network: str) -> None:
    requester = Requester(network, player.pk) if network else SITE
    commit_command(match, player.pk, command, requester=requester)


def move(match: Match, network: str) -> None:
    match.refresh_from_db()
    position = match.rules.read(match.notation)
    seat = match.rules.roles.index(position.turn or "")
    act(match, (match.first, match.second)[seat], Play(match.ply, position.legal()[0]), network)


def stored() -> list[tuple[int, str]]:
    return list(ClientNetwork.objects.order_by("pk").values_list("seat", "network"))


def test_the_first_action_of_each_seat_stores_its_network(match: Match) -> None:
    move(match, HOME)
    assert stored() == [(0, hash_address(HOME))]
    move(match, HOME)
    assert stored() == [(0, hash_address(HOME)), (1, hash_address(HOME))]
    assert client_networks.find_matches_of_one_network([match.pk]) == {match.pk}


def test_different_networks_are_not_reported(match: Match) -> None:
    move(match, HOME)
    move(match, PHONE)
    assert client_networks.find_matches_of_one_network([match.pk]) == set()


def test_a_network_that_a_seat_changes_to_is_stored_as_well(
    match: Match, bob: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        for network in (HOME, PHONE, HOME, PHONE):
            move(match, network)
    assert len(stored()) == 2
    act(match, bob, Resign(), HOME)
    assert stored()[2:] == [(1, hash_address(HOME))]
    assert client_networks.find_matches_of_one_network([match.pk]) == {match.pk}


def test_who_resigns_without_a_move_is_known_too(match: Match, bob: Any) -> None:
    act(match, bob, Resign(), HOME)
    assert stored() == [(1, hash_address(HOME))]


def test_later_actions_cost_no_query(match: Match, django_capture_on_commit_callbacks: Any) -> None:
    def queries() -> list[str]:
        with (
            CaptureQueriesContext(connection) as asked,
            django_capture_on_commit_callbacks(execute=True),
        ):
            move(match, HOME)
        return [each["sql"] for each in asked if "clientnetwork" in each["sql"]]

    assert [len(queries()) for _ in range(6)] == [1, 1, 0, 0, 0, 0]


def test_a_failed_transaction_is_not_cached(
    match: Match, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=False):
        move(match, HOME)
    assert not client_networks._known


def test_site_commands_and_casual_matches_store_no_network(
    match: Match, alice: Any, bob: Any
) -> None:
    move(match, "")
    casual = open_match(Setup("dots-and-boxes", "3+2"), alice.pk, bob.pk)
    move(casual, HOME)
    assert stored() == []


def test_a_process_remembers_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_networks, "_MOST_KNOWN", 3)
    for number in range(5):
        client_networks._remember([client_networks.SeatNetwork(str(number), 0, HOME)])
    assert [each.match_id for each in client_networks._known] == ["2", "3", "4"]


def test_old_rows_are_deleted(match: Match, settings: Any) -> None:
    move(match, HOME)
    delete_old(ClientNetwork)
    assert ClientNetwork.objects.count() == 1
    ClientNetwork.objects.update(
        at=timezone.now() - timedelta(days=settings.CONNECTION_LOG_DAYS + 1)
    )
    delete_old(ClientNetwork)
    assert ClientNetwork.objects.count() == 0

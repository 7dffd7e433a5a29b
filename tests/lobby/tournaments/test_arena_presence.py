"""Who is at an arena, and why nobody is paired."""

import pytest
from django.utils import timezone

from lobby.models import Entry, Tournament
from lobby.tournaments import organiser_actions, presence, registration
from lobby.tournaments.arena import ArenaPresence, read_arena_presence
from tests.builders.matches import deliver_events
from tests.builders.players import create_player, create_players
from tests.builders.tournaments import (
    create_tournament,
    end_match,
    get_page,
    join_players,
    list_live_pairings,
    pair_wave,
    pass_time,
    start_arena,
    start_with_players,
)

pytestmark = pytest.mark.django_db


def read(tournament: Tournament) -> ArenaPresence:
    entered = Entry.objects.filter(tournament=tournament, state=Entry.State.IN).count()
    return read_arena_presence(tournament, entered, timezone.now())


def find_reason(tournament: Tournament) -> str | None:
    why = read(tournament).why
    return None if why is None else str(why["code"])


def test_nobody_is_paired_while_nobody_has_the_page_open() -> None:
    made, players = start_arena(6, here=False)
    assert read(made) == ArenaPresence(6, 0, {"code": "arena-why.nobody"})
    shown = get_page(players[0], made)
    assert "6 entered, 0 here. Nobody is paired: no player has this page open." in shown
    presence.record_present(made.pk, [players[0].pk])
    assert find_reason(made) == "arena-why.alone"
    presence.record_present(made.pk, [players[1].pk])
    assert (read(made).here, find_reason(made)) == (2, None)  # the next wave pairs them
    pair_wave(made)
    assert len(list_live_pairings(made)) == 1
    assert (read(made).here, find_reason(made)) == (2, None)


def test_one_free_player_waits_for_the_end_of_another_game() -> None:
    made, _ = start_arena(3)
    assert read(made) == ArenaPresence(3, 3, {"code": "arena-why.odd"})


def test_two_who_have_just_met_wait_while_others_play() -> None:
    made, _ = start_arena(4)
    first, _ = list_live_pairings(made)
    assert first.match is not None
    end_match(first.match, "first")
    deliver_events()
    assert find_reason(made) == "arena-why.rematch"


def test_a_pause_is_the_reason() -> None:
    made, _ = start_arena(4)
    assert made.organiser is not None
    organiser_actions.pause_tournament(made.organiser, made.pk)
    made.refresh_from_db()
    assert find_reason(made) == "arena-why.paused"


def test_players_at_the_page_are_counted_before_the_start() -> None:
    olga, players = create_player("Olga Brook"), create_players(3)
    made = create_tournament(olga, "arena")
    join_players(made, players)
    presence.record_present(made.pk, [players[0].pk, olga.pk])
    assert read(made) == ArenaPresence(3, 1)
    assert "3 entered, 1 here." in get_page(None, made)


def test_other_kinds_count_nobody() -> None:
    made, _ = start_with_players("swiss", 4)
    assert "arena-here" not in get_page(None, made)


def test_a_program_that_follows_is_present_in_the_arenas_that_it_joined() -> None:
    made, players = start_arena(4, here=False)
    registration.withdraw_player(players[3], made.pk)
    presence.record_following([players[0].pk, players[1].pk, players[3].pk])
    assert read(made).here == 2
    pair_wave(made)
    (pairing,) = list_live_pairings(made)
    assert pairing.second is not None
    assert {pairing.first.player_id, pairing.second.player_id} == {
        players[0].pk,
        players[1].pk,
    }
    presence.record_following([])
    Tournament.objects.filter(pk=made.pk).update(state="over", ended_at=timezone.now())
    Entry.objects.update(seen_at=None)
    presence.record_following([players[0].pk])
    assert not Entry.objects.filter(seen_at__isnull=False).exists()


def test_a_program_that_follows_is_checked_in() -> None:
    players = create_players(3)
    made = create_tournament(players[0], "arena", check_in_minutes=10)
    join_players(made, players)
    presence.record_following([players[0].pk])
    pass_time(made, 55)
    assert made.state == Tournament.State.CHECK_IN
    assert not made.entries.filter(checked_in_at__isnull=False).exists()
    for _ in range(2):
        presence.record_following([players[0].pk, players[1].pk])
    pass_time(made, 10)
    there = made.entries.filter(state=Entry.State.IN)
    assert set(there.values_list("player", flat=True)) == {players[0].pk, players[1].pk}

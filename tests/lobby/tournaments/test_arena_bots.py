"""Bots in arenas: which arenas admit them, their opponents, and their casual games."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.match.setup import Setup
from games.models import Match
from lobby.groups import membership
from lobby.models import Entry, Player, RatedGame, Tournament
from lobby.seeks.computer import get_computer
from lobby.tournaments import draft, organiser_actions, presence, registration, series
from lobby.tournaments.draft import BadDraftError
from tests.builders.groups import create_group
from tests.builders.matches import play_ply
from tests.builders.players import create_bot, create_organiser, create_player, create_players
from tests.builders.refusals import must_be_refused
from tests.builders.tournaments import (
    create_draft,
    create_tournament,
    end_live_matches,
    get_page,
    join_players,
    list_live_pairings,
    list_pairs,
    pair_wave,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db

RATED = Setup("six-in-a-row", "3+2", rated=True)


def state_of(tournament: Tournament, who: Player) -> str | None:
    found = Entry.objects.filter(tournament=tournament, player=who).first()
    return None if found is None else found.state


def start_with(tournament: Tournament, *players: Player) -> None:
    """Start an arena that has these players, whose programs all have their event streams open."""
    join_players(tournament, players)
    presence.record_following([each.pk for each in players])
    start_tournament(tournament)
    pair_wave(tournament)


def test_bots_join_only_arenas_that_admit_them() -> None:
    olga, bot = create_player("Olga Brook"), create_bot("tinker")
    for kind in ("round-robin", "swiss", "knockout"):
        made = create_tournament(olga, kind, bots=True)
        assert not made.bots  # other kinds do not have this setting
        must_be_refused("event-bot", registration.join_tournament, bot, made.pk)
    plain = create_tournament(olga, "arena", registration="invitation")
    must_be_refused("event-bot", registration.join_tournament, bot, plain.pk)
    must_be_refused("event-bot", registration.invite_player, olga, plain.pk, bot)
    made = create_tournament(olga, "arena", bots=True)
    registration.join_tournament(bot, made.pk)
    must_be_refused("not-allowed", registration.join_tournament, get_computer(3), made.pk)
    registration.leave_tournament(bot, made.pk)
    join_players(made, create_players(2))
    start_tournament(made)
    registration.join_tournament(bot, made.pk)
    registration.withdraw_player(bot, made.pk)
    registration.rejoin_tournament(bot, made.pk)
    assert state_of(made, bot) == "in"


@pytest.mark.parametrize("kinds", [("bot", "person"), ("bot", "bot")])
def test_those_whose_streams_are_open_are_paired_and_no_game_is_rated(
    kinds: tuple[str, str],
) -> None:
    one, other = (
        create_bot(f"Gear {at}") if kind == "bot" else create_player(f"Anna {at}")
        for at, kind in enumerate(kinds)
    )
    made = create_tournament(create_player("Olga Brook"), "arena", bots=True)
    start_with(made, one, other)
    assert list_pairs(made) == [frozenset({one.username, other.username})]
    (pairing,) = list_live_pairings(made)
    assert pairing.match is not None and not pairing.match.rated
    for ply in range(4):
        play_ply(pairing.match, ply)
    end_live_matches(made)
    run_due_steps()
    assert Match.objects.get().status == "over" and made.entries.filter(points=200).exists()
    assert not RatedGame.objects.exists()
    shown = get_page(None, made)
    assert "Bots may join" in shown and one.name in shown and one.name.endswith(" (bot)")


def test_nobody_is_paired_with_a_bot_whose_stream_has_closed() -> None:
    anna, bot = create_player("Anna"), create_bot("tinker")
    made = create_tournament(anna, "arena", bots=True)
    join_players(made, [anna, bot])
    presence.record_following([bot.pk])
    made.entries.update(seen_at=timezone.now() - presence.GONE - timedelta(seconds=1))
    presence.record_present(made.pk, [anna.pk])
    start_tournament(made)
    pair_wave(made)
    assert list_live_pairings(made) == []
    presence.record_following([bot.pk])
    pair_wave(made)
    assert len(list_live_pairings(made)) == 1


def test_an_arena_that_admits_bots_is_casual_even_if_it_was_changed_elsewhere() -> None:
    olga, bot, *people = create_player("Olga Brook"), create_bot("tinker"), *create_players(2)
    with pytest.raises(BadDraftError) as caught:
        create_tournament(olga, "arena", bots=True, setup=RATED)
    assert {name: why.code for name, why in caught.value.faults.items()} == {"bots": "bots-rated"}
    made = create_tournament(olga, "arena", bots=True)
    join_players(made, [bot, *people])
    # A server of the previous release does not know the setting.
    Tournament.objects.filter(pk=made.pk).update(rated=True)
    presence.record_following([bot.pk, people[0].pk])
    start_tournament(made)
    pair_wave(made)
    assert list_live_pairings(made) == [] and state_of(made, bot) == "removed"
    late = create_bot("cogs")
    must_be_refused("event-bot", registration.join_tournament, late, made.pk)


@pytest.mark.parametrize("change", [{"kind": "swiss"}, {"bots": False}])
def test_bots_are_out_when_the_organiser_no_longer_admits_them(change: dict[str, object]) -> None:
    olga, bot = create_player("Olga Brook"), create_bot("tinker")
    made = create_tournament(olga, "arena", bots=True)
    join_players(made, [olga, bot])
    draft.update_tournament(olga, made.pk, create_draft(kind="arena", bots=True))
    assert state_of(made, bot) == "in"
    values = {"kind": "arena", "bots": True, **change}
    draft.update_tournament(olga, made.pk, create_draft(**values))
    assert (state_of(made, bot), state_of(made, olga)) == (None, "in")


def test_a_series_goes_on_with_bots() -> None:
    olga = create_player("Olga Brook")
    made = create_tournament(olga, "arena", bots=True)
    weekly = series.create_series(olga, made.pk, "Weekly")
    organiser_actions.cancel_before_start(olga, made.pk)
    run_due_steps()
    assert [each.bots for each in series.list_series_tournaments(weekly)] == [True, True]


def test_an_organiser_adds_a_bot_of_the_group() -> None:
    olga, (mia, ben), bot = create_organiser(), create_players(2), create_bot("tinker")
    group = create_group(olga, mia, ben, bot)
    for bots in (True, False):
        made = create_tournament(olga, "arena", registration="group", group_id=group.pk, bots=bots)
        join_players(made, [mia, ben])
        start_tournament(made)
        assert (f'<option value="{bot.name}">' in get_page(olga, made)) == bots


# -- minors


def test_no_tournament_of_a_group_for_minors_admits_bots() -> None:
    olga, mia, bot = create_organiser(), create_player("Mia Minor"), create_bot("tinker")
    group = create_group(olga, mia, for_minors=True)
    own = {"registration": "group", "group_id": group.pk}
    with pytest.raises(BadDraftError) as caught:
        create_tournament(olga, "arena", bots=True, **own)
    assert {name: why.code for name, why in caught.value.faults.items()} == {"bots": "bots-minors"}
    made = create_tournament(olga, "arena", **own)
    Tournament.objects.filter(pk=made.pk).update(bots=True)
    must_be_refused("event-bot", registration.join_tournament, bot, made.pk)
    # Not even a bot that is in the group.
    Player.objects.filter(pk=olga.pk).update(is_bot=True)
    olga.refresh_from_db()
    must_be_refused("event-bot", registration.join_tournament, olga, made.pk)
    assert "Bots may join" not in get_page(mia, made)


def test_a_group_that_becomes_one_for_minors_has_no_more_games_with_bots() -> None:
    olga, (mia, ben), bot = create_organiser(), create_players(2), create_bot("tinker")
    group = create_group(olga, mia, ben, bot)
    made = create_tournament(olga, "arena", registration="group", group_id=group.pk, bots=True)
    join_players(made, [mia, bot])
    membership.update_group(group.pk, group.name, for_minors=True)
    presence.record_following([mia.pk, bot.pk])
    start_tournament(made)
    pair_wave(made)
    assert list_pairs(made) == []
    assert (state_of(made, mia), state_of(made, bot)) == ("in", "removed")


def test_a_bot_never_meets_a_protected_player() -> None:
    olga, (mia, *others), bot = create_organiser(), create_players(3), create_bot("tinker")
    made = create_tournament(olga, "arena", bots=True)
    join_players(made, [mia, *others])
    start_tournament(made)
    group = create_group(olga, for_minors=True)
    membership.join_group(mia, group.code or "")
    assert state_of(made, mia) == "in"  # until the next pairing
    must_be_refused("event-bot", registration.join_tournament, bot, made.pk)
    # The bot joined at the same moment.
    Entry.objects.create(tournament=made, player=bot, seed=4, entered_at=timezone.now())
    presence.record_following([mia.pk, bot.pk])
    pair_wave(made)
    assert list_pairs(made) == []
    assert (state_of(made, mia), state_of(made, bot)) == ("removed", "in")
    registration.join_tournament(create_bot("cogs"), made.pk)  # no minor is left

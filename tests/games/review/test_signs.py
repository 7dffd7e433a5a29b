"""Signs worth a look: given only where the figures show them; none has an effect of its own."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.match.state import NewMove
from games.messages import render
from games.models import Connection, Match, Sign
from games.review.sign_search import search_all
from games.review.signs import MEANINGS, explain_lead, find_constant_rhythm, find_thrown
from games.rules import GAMES
from games.store.audit import hash_address
from games.store.records import get_record
from tests.builders.matches import create_match
from tests.builders.players import create_player

AT = datetime(2026, 1, 1, tzinfo=UTC)


def timed(times: list[int]) -> list[NewMove]:
    return [NewMove("m", i, "x", "a", AT, ms) for i, ms in enumerate(times)]


def test_a_rhythm_is_a_sign_only_where_it_is_constant_long_and_slow() -> None:
    even = [9000, *[2000 + (i % 3) * 40 for i in range(14)]]
    found = find_constant_rhythm(timed(even))
    assert found is not None
    assert render(found).startswith("14 moves took 2.0 s each")
    assert find_constant_rhythm(timed(even[:10])) is None  # too few
    assert (
        find_constant_rhythm(timed([9000, *[150 + i % 3 for i in range(14)]])) is None
    )  # mere clicks
    assert (
        find_constant_rhythm(timed([2000 * (1 + i % 4) for i in range(20)])) is None
    )  # like a person


def ended(match: Match, how: str, goals: tuple[int, int], by: int | None = None) -> None:
    Match.objects.filter(pk=match.pk).update(
        status="aborted" if how == "aborted" else "over",
        ended=how,
        first_goal=goals[0],
        second_goal=goals[1],
        ended_by=by,
        ended_at=timezone.now(),
    )


def found(kind: str) -> list[Sign]:
    search_all(timezone.now() - timedelta(hours=1))
    return list(Sign.objects.filter(kind=kind))


def test_many_aborts_of_ones_own_are_a_sign(alice: Any, bob: Any) -> None:
    for _ in range(4):
        ended(create_match("tic-tac-toe", alice, bob), "aborted", (0, 0), by=0)
    ended(create_match("tic-tac-toe", alice, bob), "aborted", (0, 0), by=1)
    assert found("aborts") == []
    ended(create_match("tic-tac-toe", bob, alice), "aborted", (0, 0), by=1)
    (sign,) = found("aborts")
    assert sign.player == alice
    assert sign.sentence == "Aborted 5 of the last 6 games."
    assert len(found("aborts")) == 1  # searched again, found once
    alice.refresh_from_db()
    assert alice.is_active  # the repeat changes nothing


def test_one_sided_results_between_the_same_two_are_a_sign(
    alice: Any, bob: Any, charlie: Any
) -> None:
    for _ in range(7):
        ended(create_match("tic-tac-toe", alice, bob), "resignation", (100, 0))
        ended(create_match("tic-tac-toe", charlie, bob), "resignation", (100, 0))
        ended(create_match("tic-tac-toe", bob, charlie), "resignation", (100, 0))
    ended(create_match("tic-tac-toe", alice, bob), "voided", (0, 0))
    assert found("pair") == []
    ended(create_match("tic-tac-toe", bob, alice), "resignation", (0, 100))
    (sign,) = found("pair")
    assert sign.player == alice
    assert "Won 8 of 8" in sign.sentence


def test_two_players_at_one_address_are_a_sign(alice: Any, bob: Any) -> None:
    same, apart = create_match("tic-tac-toe", alice, bob), create_match("tic-tac-toe", alice, bob)
    now = timezone.now()
    for match, addresses in ((same, "aa"), (apart, "ab")):
        for seat, letter in enumerate(addresses):
            Connection.objects.create(
                match=match,
                seat=seat,
                server="s",
                address=hash_address(f"192.0.2.{letter}"),
                opened_at=now,
                seen_at=now,
            )
        ended(match, "agreement", (50, 50))
    (sign,) = found("address")
    assert sign.match == same
    assert "192.0.2" not in str(list(Connection.objects.values_list("address", flat=True)))


@pytest.mark.parametrize(
    ("game", "actions", "role", "ahead"),
    [
        ("tic-tac-toe", ["mark 1 1", "mark 2 2", "mark 1 2", "mark 3 3"], "xplayer", True),
        ("tic-tac-toe", ["mark 1 1", "mark 2 2", "mark 1 2", "mark 3 3"], "oplayer", False),
        ("tic-tac-toe", ["mark 1 1", "mark 2 2"], "xplayer", False),
    ],
)
def test_who_has_a_winning_move_is_ahead(
    game: str, actions: list[str], role: str, ahead: bool
) -> None:
    position = GAMES[game].start
    for action in actions:
        position = position.play(action)
    assert bool(explain_lead(game, position, role)) is ahead


def test_to_resign_while_ahead_is_a_sign(alice: Any, bob: Any) -> None:
    match = create_match("dots-and-boxes", alice, bob)
    from tests.builders.matches import play_ply

    # The first legal line, repeated, closes boxes for one of them sooner or later.
    position = match.rules.start
    while match.ply < 50:
        play_ply(match, match.ply)
        match.refresh_from_db()
        position = match.rules.read(match.notation)
        seat = next(
            (s for s in (0, 1) if explain_lead(match.game, position, match.rules.roles[s])), None
        )
        if seat is not None:
            break
    assert seat is not None
    goals = (0, 100) if seat == 0 else (100, 0)
    ended(match, "resignation", goals, by=seat)
    stored = get_record(match.pk)
    assert stored is not None
    said = find_thrown(stored, seat)
    assert said is not None
    assert "ahead" in render(said)
    assert find_thrown(stored, 1 - seat) is None
    (sign,) = found("thrown")
    assert sign.player_id == (match.first_id, match.second_id)[seat]


def test_a_game_played_to_its_end_is_no_sign(finished: Callable[..., Match]) -> None:
    finished()
    search_all(timezone.now() - timedelta(hours=1))
    assert not Sign.objects.filter(kind="thrown").exists()


def test_each_sign_is_explained_where_it_is_shown(alice: Any, bob: Any, client: Any) -> None:
    reviewer = create_player("rex", "reviewer")
    match = create_match("tic-tac-toe", alice, bob)
    client.force_login(reviewer)
    assert set(MEANINGS) == set(Sign.Kind)
    for kind, meaning in MEANINGS.items():
        sign = Sign.objects.create(
            key=kind, kind=kind, match=match, player=alice, words="So it was.", at=timezone.now()
        )
        for path in ("/admin/games/sign/", f"/admin/games/sign/{sign.pk}/change/",
                     f"/admin/games/match/{match.pk}/change/"):  # fmt: skip
            assert render(meaning).split(".")[0] in client.get(path).content.decode()
    client.post(f"/admin/games/sign/{sign.pk}/set-aside/")
    sign.refresh_from_db()
    assert sign.seen_by == reviewer
    page = client.post(f"/admin/games/sign/{sign.pk}/set-aside/", follow=True).content.decode()
    assert "already been reviewed" in page

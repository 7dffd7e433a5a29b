"""Stored data is proved, and changes made outside the site are detected."""

import io
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from games.match.setup import Setup
from games.models import Match, Move
from games.review.demo import habits, play
from games.rules import GAMES
from games.store.proof import MatchFault, replay_moves
from games.store.records import find_unsound_matches, get_record
from tests.builders.databases import database_of_its_own
from tests.builders.matches import create_match
from tests.builders.sites import Site


@pytest.mark.parametrize("game", GAMES)
def test_a_match_played_by_the_rules_is_sound(finished: Callable[..., Match], game: str) -> None:
    match = finished(game)
    assert find_unsound_matches([match.pk]) == {}
    assert len(match.digest) == len(match.chain) == 32


def test_a_live_match_is_sound_and_has_no_digest_yet(alice: Any, bob: Any) -> None:
    match = create_match("six-in-a-row", alice, bob, 5)
    assert find_unsound_matches([match.pk]) == {}
    assert match.chain
    assert match.digest == ""


def _sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount


MATCH, MOVE = (
    "UPDATE games_match SET {} WHERE id = %s",
    "UPDATE games_move SET {} WHERE match_id = %s",
)
TAMPERING = {
    "an action": (MOVE.format("action = 'draw 9 9 9 9'") + " AND ply = 7", 7),
    "an action for another legal one": (MOVE.format("action = 'noop'") + " AND ply = 3", 3),
    "a role": (MOVE.format("role = CASE role WHEN 'xplayer' THEN 'oplayer' ELSE 'xplayer' END")
               + " AND ply = 4", 4),
    "a role that is none": (MOVE.format("role = '<b>'") + " AND ply = 4", 4),
    "a move less": ("DELETE FROM games_move WHERE match_id = %s AND ply = 5", 5),
    "the last move less": ("DELETE FROM games_move WHERE match_id = %s AND ply >= 59", None),
    "a time": (MOVE.format("spent_ms = spent_ms + 1000") + " AND ply = 2", None),
    "when": (MOVE.format("at = '2020-01-01 00:00:00'") + " AND ply = 2", None),
    "the notation": (MATCH.format("notation = '0/0/0/x'"), 60),
    "a notation that is none": (MATCH.format("notation = '<script>'"), 60),
    "the goals": (MATCH.format("first_goal = 17"), None),
    "the winner": (MATCH.format("first_goal = second_goal, second_goal = first_goal"), None),
    "no goals": (MATCH.format("first_goal = NULL, second_goal = NULL"), None),
    "the ending": (MATCH.format("ended = 'resignation'"), None),
    "a strange ending": (MATCH.format("ended = 'magic'"), None),
    "the length": (MATCH.format("ply = ply + 1"), None),
    "the last action": (MATCH.format("last = 'x'"), None),
    "who acted": (MATCH.format("acted = 1"), None),
    "the game": (MATCH.format("game = 'tic-tac-toe'"), 0),
    "a game that is none": (MATCH.format("game = 'chess'"), None),
    "the seats": (MATCH.format("first_id = second_id, second_id = first_id"), None),
    "the making": (MATCH.format("created_at = '2020-01-01 00:00:00'"), None),
    "the end's time": (MATCH.format("ended_at = '2020-01-01 00:00:00'"), None),
    "the clock": (MATCH.format("clock = '9+9'"), None),
    "no digest": (MATCH.format("digest = ''"), None),
    "no chain": (MATCH.format("chain = ''"), None),
}  # fmt: skip


@pytest.mark.parametrize("what", TAMPERING)
def test_what_was_tampered_with_shows_and_nothing_crashes(
    finished: Callable[..., Match], what: str, client: Any, rita: Any
) -> None:
    match = finished()
    assert match.ply == 60
    statement, ply = TAMPERING[what]
    _sql(statement, match.pk)
    found = find_unsound_matches([match.pk])[match.pk]
    assert found
    if ply is not None:
        assert ply in {fault.ply for fault in found}
    client.force_login(rita)
    page = client.get(f"/admin/games/match/{match.pk}/change/")
    assert page.status_code == 200
    text = page.content.decode()
    assert 'class="faults"' in text
    assert "Verified" not in text
    if ply is not None:
        assert f"<b>Ply {ply}:</b>" in text
    assert "<script>" not in text.split('id="review"')[1]
    assert client.get("/admin/games/match/").status_code == 200
    assert client.get(f"/admin/games/match/{match.pk}/record.json").json()["faults"]
    assert client.get(f"/admin/games/match/{match.pk}/picture.svg").status_code in {200, 404}
    assert client.get(f"/match/{match.pk}/").status_code in {200, 500}
    assert client.get(f"/match/{match.pk}/record.json").status_code == 200
    assert client.get("/").status_code == 200


def test_the_first_wrong_ply_is_named_and_the_rest_is_not_played(
    finished: Callable[..., Match],
) -> None:
    match = finished("tic-tac-toe", seed=3)
    _sql("UPDATE games_move SET action = 'mark 9 9' WHERE match_id = %s AND ply = 2", match.pk)
    stored = get_record(match.pk)
    assert stored is not None
    played = replay_moves(stored.state, stored.moves)
    assert played.fault == MatchFault("The rules do not allow 'mark 9 9' there.", 2)
    assert len(played.positions) == 3


def test_who_rewrites_all_of_a_match_cannot_compute_its_digest(
    alice: Any, bob: Any, finished: Callable[..., Match]
) -> None:
    """Replace a match with another valid match's moves and result; only the digest differs."""
    match, other = finished("tic-tac-toe", seed=1), finished("tic-tac-toe", seed=2)
    Move.objects.filter(match=match).delete()
    for move in Move.objects.filter(match=other):
        move.pk, move.match_id = None, match.pk
        move.save(force_insert=True)
    same = ("ply", "notation", "last", "first_goal", "second_goal", "ended", "acted")
    Match.objects.filter(pk=match.pk).update(**{name: getattr(other, name) for name in same})
    Match.objects.filter(pk=match.pk).update(chain=other.chain, digest=other.digest)
    (fault,) = find_unsound_matches([match.pk])[match.pk]
    assert "chain differs" in fault.words


def test_a_former_key_still_proves_and_another_does_not(finished: Callable[..., Match]) -> None:
    from django.conf import settings

    match = finished("tic-tac-toe")
    with override_settings(SECRET_KEY="n" * 50, SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        assert find_unsound_matches([match.pk]) == {}
    with override_settings(SECRET_KEY="n" * 50):
        assert find_unsound_matches([match.pk])


def test_the_command_tells_how_many_are_sound_and_which_are_not(
    finished: Callable[..., Match],
) -> None:
    matches = [finished("tic-tac-toe", seed) for seed in range(6)]
    out = io.StringIO()
    call_command("verify_matches", "--processes=1", stdout=out)
    assert "6 of 6 matches are sound" in out.getvalue()
    _sql("UPDATE games_move SET action = 'mark 9 9' WHERE match_id = %s AND ply = 2", matches[2].pk)
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 not sound"):
        call_command("verify_matches", "--processes=1", stdout=out)
    assert "5 of 6 matches are sound" in out.getvalue()
    assert f"{matches[2].pk}: [ply 2] The rules do not allow 'mark 9 9' there." in out.getvalue()
    call_command("verify_matches", matches[0].pk, "--processes=1", stdout=io.StringIO())
    tomorrow = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%d")
    call_command("verify_matches", f"--since={tomorrow}", "--processes=1", stdout=io.StringIO())
    call_command("verify_matches", "--game=dots-and-boxes", stdout=io.StringIO())
    with pytest.raises(CommandError, match="no match nosuch"):
        call_command("verify_matches", "nosuch", stdout=io.StringIO())


@pytest.mark.parametrize("game", GAMES)
def test_demo_matches_are_played_by_the_rules(game: str) -> None:
    chance = random.Random(7)
    for _ in range(10):
        made = play(
            Setup(game, "3+2"), (1, 2), (habits(chance), habits(chance)),
            datetime(2026, 1, 1, tzinfo=UTC), chance,
        )  # fmt: skip
        played = replay_moves(made.state, made.moves)
        assert played.fault is None
        assert played.positions[-1].notation == made.state.notation
        assert not made.state.is_live


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def demo(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A demo site, smaller than the public one but made by the same command."""
    folder: Path = tmp_path_factory.mktemp("demo")
    env = {"SECRET_KEY": "k" * 50}
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    site = Site(folder, env)
    try:
        site.wait()
        done = site.manage(
            "seed_demo", "--players=12", "--matches=160", "--reports=6", "--password=demo-demo-1"
        )
        assert done.returncode == 0, done.stderr
        assert "Log in at /admin/" in done.stdout
        assert "demo-demo-1" in done.stdout
        yield site
    finally:
        site.stop()


def test_a_demo_is_made_once_and_verifies_in_parallel(demo: Site) -> None:
    done = demo.manage("verify_matches", "--processes=2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "160 of 160 matches are sound" in done.stdout
    rated = demo.manage("verify_ratings")
    assert rated.returncode == 0, rated.stdout + rated.stderr
    assert int(rated.stdout.split()[0]) > 20
    again = demo.manage("seed_demo")
    assert again.returncode != 0
    assert "empty site" in again.stderr
    assert "Traceback" not in again.stderr

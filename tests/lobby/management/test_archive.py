"""`manage.py archive` is complete and deterministic, and uses the names that players chose."""

import gzip
import json
import tracemalloc
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Match
from lobby.management.commands.archive import get_person_number, list_lines, whole
from lobby.models import Preferences
from tests.bench.large.archive import fill
from tests.builders.matches import create_finished_match
from tests.builders.query_plans import get_query_plan


def ended(match: Match, at: str, **more: Any) -> Match:
    Match.objects.filter(pk=match.pk).update(ended_at=at, rated=True, **more)
    return match


def archive(folder: Path, month: str = "2026-01") -> tuple[bytes, list[dict[str, Any]]]:
    call_command("archive", "--month", month, "--into", str(folder), verbosity=0)
    path = folder / f"rated-{month}.ndjson.gz"
    packed = path.read_bytes()
    digest = path.with_name(f"{path.name}.sha256").read_text()
    assert digest == f"{sha256(packed).hexdigest()}  {path.name}\n"
    assert sorted(p.name for p in folder.iterdir()) == [path.name, f"{path.name}.sha256"]
    return packed, [json.loads(line) for line in gzip.decompress(packed).splitlines()]


@pytest.mark.django_db
def test_the_month_s_rated_games_are_there_and_no_others(
    tmp_path: Path, alice: Any, bob: Any
) -> None:
    first = ended(create_finished_match("dots-and-boxes", alice, bob), "2026-01-01T00:00Z")
    last = ended(create_finished_match("six-in-a-row", alice, bob), "2026-01-31T23:59:59.999Z")
    ended(create_finished_match("six-in-a-row", alice, bob), "2026-02-01T00:00Z")
    ended(create_finished_match("six-in-a-row", alice, bob), "2025-12-31T23:59:59Z")
    ended(create_finished_match("six-in-a-row", alice, bob), "2026-01-05T00:00Z", ended="voided")
    casual = create_finished_match("six-in-a-row", alice, bob)
    Match.objects.filter(pk=casual.pk).update(ended_at="2026-01-06T00:00Z")
    _, games = archive(tmp_path)
    assert [game["game"] for game in games] == ["dots-and-boxes", "six-in-a-row"]
    for game, match in zip(games, (first, last), strict=True):
        position = match.rules.start
        for action in game["actions"]:
            position = position.play(action)
        assert position.goals == game["goals"] and len(game["spent_ms"]) == len(game["actions"])


@pytest.mark.django_db
def test_players_are_named_as_they_have_chosen(
    tmp_path: Path, alice: Any, bob: Any, charlie: Any
) -> None:
    for who in (alice, bob):
        Preferences.objects.create(player=who, archived="name")
    Preferences.objects.create(player=charlie)  # a player without a choice appears as a number
    public = ended(create_finished_match("parallel-tic-tac-toe", alice, bob), "2026-01-01T00:00Z")
    ended(create_finished_match("parallel-tic-tac-toe", charlie, alice), "2026-01-02T00:00Z")
    _, (open_game, hidden) = archive(tmp_path)
    assert open_game["match"] == public.pk
    assert open_game["seats"] == {"xplayer": {"name": "alice"}, "oplayer": {"name": "bob"}}
    assert hidden["seats"] == {
        "xplayer": {"number": get_person_number(charlie.pk)}, "oplayer": {"name": "alice"},
    }  # fmt: skip
    assert "match" not in hidden and "ended_at" not in hidden and "charlie" not in str(hidden)
    assert hidden["date"] == "2026-01-02"


@pytest.mark.django_db
def test_it_is_the_same_at_every_run(tmp_path: Path, alice: Any, bob: Any) -> None:
    for seed in range(3):  # which end at the same moment
        ended(create_finished_match("parallel-tic-tac-toe", alice, bob, seed), "2026-01-03T00:00Z")
    one, games = archive(tmp_path)
    other, _ = archive(tmp_path)
    assert one == other and len(games) == 3


@pytest.mark.django_db
def test_senseless_months_are_refused(tmp_path: Path) -> None:
    for month in ("2026-13", "x", "", "2099-01", "2026-1", "2026-01-01"):
        with pytest.raises(CommandError):
            archive(tmp_path, month)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        archive(file)


def test_nobody_sees_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    with pytest.raises(RuntimeError), whole(path) as file:
        file.write(b"half")
        raise RuntimeError
    assert path.read_bytes() == b"before" and [*tmp_path.iterdir()] == [path]


@pytest.mark.django_db
def test_memory_and_queries_are_those_of_a_page(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lobby.management.commands.archive._EACH", 100)
    peaks, queries = [], []
    for many in (120, 360):  # there are several pages of the latter
        fill(many, alice.pk, bob.pk, start=many)
        tracemalloc.start()
        with CaptureQueriesContext(connection) as captured:
            count = sum(1 for _ in list_lines(2026, 1))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        queries.append(len(captured) / count)
    assert count == 480
    assert peaks[1] < 2 * peaks[0], peaks
    assert queries[1] <= queries[0]
    assert "match_by_end_time" in get_query_plan(captured.captured_queries[-1]["sql"])


@pytest.mark.django_db
def test_who_wants_to_be_named_says_so_in_the_preferences(alice: Any) -> None:
    client = Client()
    client.force_login(alice)
    assert "archived" in client.get("/preferences/").content.decode()
    assert client.post("/preferences/", {"archived": "name"}).status_code == 302
    assert Preferences.objects.get(player=alice).archived == "name"
    assert client.post("/preferences/", {"archived": "nobody"}).status_code == 400
    assert Preferences.objects.get(player=alice).archived == "name"

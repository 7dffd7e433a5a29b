"""Exports for other programs."""

import csv
import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py4swiss.trf import TrfParser
from py4swiss.trf.results import ColorToken, ResultToken

from lobby.tournaments.pairing import process, swiss
from lobby.tournaments.pairing.export import Whole, build_structure, escape_formula, render_csv
from lobby.tournaments.pairing.field import DRAW, WIN, CannotPair, Entrant, RoundGame
from lobby.tournaments.pairing.standings import compute_standings
from lobby.tournaments.pairing.trf import About, convert_to_ascii, render_trf
from tests.bench.tournaments.dutch import tournament
from tests.builders.pairing import SWISS, UNPLAYED, parse_published, run_pairing

ABOUT = About("Evening at the club", 5, date(2026, 3, 1), date(2026, 3, 2), clock="3+2")


def whole(text: str = SWISS) -> Whole:
    entrants, games = parse_published(text)
    named = [Entrant(one.entry, one.seed, one.rating, f"P{one.entry}") for one in entrants]
    rows = compute_standings(named, games, "swiss", ["buchholz"])
    return Whole("Evening", "swiss", 5, ("buchholz",), named, games, rows)


def test_a_report_file_is_read_by_another_program(tmp_path: Path) -> None:
    entrants, games = parse_published(SWISS)
    ranks = {
        row.entry: row.rank for row in compute_standings(entrants, games, "swiss", ["buchholz"])
    }
    path = tmp_path / "evening.trf"
    path.write_text(
        render_trf(ABOUT, entrants, games, ranks, absent=[3]), encoding="ascii", newline=""
    )
    parsed = TrfParser.parse(path, strict=True)
    assert parsed.tournament_section.tournament_name == "Evening at the club"
    assert parsed.tournament_section.date_of_start == "2026/03/01"
    assert parsed.x_section.number_of_rounds == 5
    assert parsed.x_section.zeroed_ids == {3}
    fourth = parsed.player_sections[3]
    assert (fourth.starting_number, fourth.name, fourth.fide_rating) == (4, "Player 4", 2050)
    assert (fourth.points_times_ten, fourth.rank) == (35, ranks[4])
    assert [each.id for each in fourth.results] == [12, 0, 13, 3, 1]
    assert [each.result for each in fourth.results] == [
        ResultToken.WIN,
        ResultToken.HALF_POINT_BYE,
        ResultToken.WIN,
        ResultToken.DRAW,
        ResultToken.DRAW,
    ]
    assert fourth.results[0].color == ColorToken.BLACK
    eleventh = parsed.player_sections[10].results[3]
    assert (eleventh.id, eleventh.result) == (9, ResultToken.FORFEIT_WIN)


def test_a_report_file_of_no_game_and_of_nobody(tmp_path: Path) -> None:
    for entrants in ([], parse_published(UNPLAYED)[0]):
        path = tmp_path / "empty.trf"
        path.write_text(render_trf(ABOUT, entrants, []), encoding="ascii", newline="")
        assert len(TrfParser.parse(path, strict=True).player_sections) == len(entrants)


def test_a_report_file_has_the_ratings_of_rated_players_alone() -> None:
    entrants = [Entrant(1, 1, 1612.4, "Anna"), Entrant(2, 2, None, "Ben")]
    text = render_trf(ABOUT, entrants, [])
    assert "062 2\r\n072 1\r\n" in text
    ratings = [line[48:52] for line in text.splitlines() if line.startswith("001")]
    assert ratings == ["1612", "    "]


@given(name=st.text(max_size=60), title=st.text(max_size=120))
def test_odd_names_stay_in_their_columns(name: str, title: str) -> None:
    entrants = [Entrant(1, 1, 12345.6, name), Entrant(2, 2, -5.0, name)]
    text = render_trf(About(title, 1), entrants, [RoundGame(1, 1, 2, DRAW, DRAW)])
    text.encode("ascii")
    lines = text.split("\r\n")
    assert len(lines) == 12
    players = [line for line in lines if line.startswith("001 ")]
    assert [len(line) for line in players] == [99, 99]
    assert [line[80:84] for line in players] == [" 0.5", " 0.5"]
    assert [line[91:] for line in players] == ["   2 w =", "   1 b ="]


def test_what_is_no_ascii_is_made_so() -> None:
    assert convert_to_ascii("Žofie\r\n001 Čapek", 40) == "Zofie 001 Capek"
    assert convert_to_ascii("李\x00雷", 40) == "? ?"
    assert convert_to_ascii("a" * 90, 33) == "a" * 33


def test_the_structure_goes_through_json() -> None:
    found = json.loads(json.dumps(build_structure(whole(), {"id": "abc"})))
    assert found["id"] == "abc"
    assert found["standings"][0] == {
        "rank": 1,
        "entry": 2,
        "name": "P2",
        "seed": 2,
        "rating": 2150.0,
        "points": 4.0,
        "tie_breaks": {"buchholz": 13.0},
        "performance": 2120,
        "played": 5,
    }
    bye = next(game for game in found["games"] if game["kind"] == "half-bye")
    assert (bye["first_points"], bye["second"], bye["second_points"]) == (0.5, None, None)
    assert len(found["games"]) == len(whole().games)


def test_the_table_is_read_as_comma_separated_lines() -> None:
    rows = list(csv.DictReader(render_csv(whole()).splitlines()))
    ranks = {row.entry: row.rank for row in whole().rows}
    first = rows[0]
    assert (first["rank"], first["name"], first["points"], first["buchholz"]) == (
        *("1", "P2", "4.0", "13.0"),
    )
    assert first["round 1"] == f"{ranks[10]}b1"
    fourth = next(row for row in rows if row["name"] == "P4")
    assert (fourth["round 2"], fourth["round 4"]) == ("H", f"{ranks[3]}w=")
    eleventh = next(row for row in rows if row["name"] == "P11")
    assert eleventh["round 4"] == f"{ranks[9]}+"
    assert all(None not in row for row in rows)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\t=1"])
def test_no_name_is_a_formula(name: str) -> None:
    assert escape_formula(name) == f"'{name}"
    assert escape_formula("alice") == "alice"


def test_a_process_of_its_own_finds_the_same_pairs() -> None:
    *_, last = tournament(3, compare=False)
    asked = process.encode_request(last.entrants, last.games, last.number, last.rounds, last.absent)
    done = run_pairing(asked)
    assert (done.returncode, done.stderr) == (0, b"")
    pairs = process.decode_answer(done.stdout)
    assert pairs == swiss.pair_round(
        last.entrants, last.games, last.number, last.rounds, last.absent
    )


def test_a_process_of_its_own_says_why_it_cannot() -> None:
    done = run_pairing(process.encode_request([Entrant(1, 1)], [], 1, 1))
    assert done.returncode == 0
    with pytest.raises(CannotPair) as refused:
        process.decode_answer(done.stdout)
    assert (refused.value.code, refused.value.params) == ("too-few-players", {"players": 1})


def test_a_process_of_its_own_ends_with_an_error_for_nonsense() -> None:
    done = run_pairing(b"{}")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"entrants" in done.stderr
    with pytest.raises(ValueError, match="pairs"):
        process.decode_answer(b"{}")


def test_points_of_a_game_are_whole_in_the_structure() -> None:
    found = build_structure(whole())
    assert sum(game["first_points"] + (game["second_points"] or 0) for game in found["games"]) == (
        sum(row.points for row in whole().rows) / WIN
    )

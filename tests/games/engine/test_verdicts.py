"""The sentences about an analysed match."""

from dataclasses import asdict
from typing import Any

import pytest
from django.utils import timezone
from msgspec.structs import replace

from games.boards import BOARDS
from games.bots import get_bot
from games.engine.verdicts import (
    Verdict,
    build_chart,
    find_wins,
    is_missed_block,
    judge_moves,
    render_summary,
)
from games.match.state import MatchState, NewMove
from games.messages import render
from games.rules import GAMES
from tests.builders.match_states import START, create_state, play_actions

NAMES = {"xplayer": "alice", "oplayer": "bob"}


def look(value: float, after: float, proved: bool = True, standing: float = 50) -> dict[str, Any]:
    return {
        "best": "mark 2 2",
        "value": value,
        "after": after,
        "standing": standing,
        "proved": proved,
    }


@pytest.fixture
def state() -> MatchState:
    now = timezone.now()
    parts = dict.fromkeys(MatchState.__struct_fields__)
    parts |= {
        "id": "m",
        "game": "tic-tac-toe",
        "status": "over",
        "ended": "rules",
        "ply": 5,
        "notation": "xxxoo....",
    }
    parts |= {"first_goal": 100, "second_goal": 0, "ended_at": now, "created_at": now}
    return MatchState(**parts)  # type: ignore[arg-type]


def test_a_move_that_keeps_what_there_was_is_kept(state: MatchState) -> None:
    (found,) = judge_moves(state, [], [look(50, 50)])
    assert (found.kind, render(found.words)) == ("kept", "Good (certain).")
    assert found.better == ()


def test_a_move_that_loses_tells_how_much_and_shows_the_better_one(state: MatchState) -> None:
    (found,) = judge_moves(state, [], [look(50, 0)])
    assert (found.kind, render(found.label)) == ("lost", "mistake")
    assert render(found.words) == "Mistake: B2 was better by 50 points (certain)."
    assert found.better == (4,)


WON_WITH_50_POINTS = ("A1 + E2", "B2 + D1", "B1 + F3", "C3 + D2", "C1 + F1")


def test_a_move_that_wins_with_fewer_points_than_possible_is_no_mistake(state: MatchState) -> None:
    slug = "parallel-tic-tac-toe"
    position, looks = GAMES[slug].start, []
    for short in WON_WITH_50_POINTS:
        (action,) = (a for a in position.legal() if render(BOARDS[slug].say(a)) == short)
        looks.append(asdict(get_bot(slug).look(position, action, 0.1)))
        position = position.play(action)
    assert position.goals == {"xplayer": 50, "oplayer": 0}
    over = replace(state, game=slug, first_goal=50, second_goal=0)
    found = judge_moves(over, [], looks)
    assert found[-1].kind == "won"
    assert render(found[-1].words).startswith("Won, but more was possible: 100 points with ")
    assert found[-1].better
    roles = ["xplayer", "oplayer", "xplayer", "oplayer", "xplayer"]
    before = sum(each.kind == "lost" for each in found[:-1:2])
    line = render(render_summary(over, roles, found, NAMES)[0])
    assert line.startswith(f"alice: {before} mistake")
    assert line.endswith(" in 3 moves.")
    # If the match went on, or ended otherwise, the move only keeps a win.
    for other in (replace(over, ply=6), replace(over, ended="resignation")):
        assert render(judge_moves(other, [], looks)[-1].label) == "winning, more possible"


def analysed(slug: str, *actions: str) -> list[Verdict]:
    """Return the verdicts on a game, by the game's own bot."""
    position, looks, moves, state = GAMES[slug].start, [], [], create_state(slug)
    for ply, action in enumerate(actions):
        looks.append(asdict(get_bot(slug).look(position, action, 0.1)))
        moves.append(NewMove("match", ply, str(position.turn), action, START, 0))
        position, state = position.play(action), play_actions(state, action)
    return judge_moves(state, moves, looks)


def told(found: Verdict) -> tuple[str, str, str]:
    return found.kind, render(found.label), render(found.words)


def test_a_win_that_was_not_taken_is_named() -> None:
    found = analysed("tic-tac-toe", "mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 3 1")
    assert told(found[-1]) == ("lost", "missed win", "Missed win: C1 (certain).")
    assert found[-1].better == (2,)


def test_a_forced_win_that_was_given_away_is_a_missed_win() -> None:
    """X forks with the corner C3: no win at once, but a certain one."""
    found = analysed("tic-tac-toe", "mark 1 1", "mark 1 2", "mark 2 3")
    assert found[-1].kind == "lost" and render(found[-1].label) == "missed win"


def test_a_threat_that_was_not_stopped_is_named() -> None:
    found = analysed("tic-tac-toe", "mark 2 2", "mark 1 1", "mark 1 2", "mark 3 3")
    assert told(found[-1]) == ("lost", "should have blocked", "Should have blocked: B3 (certain).")
    assert found[-1].better == (7,)
    two = analysed("parallel-tic-tac-toe", "mark 1 1 1 1", "mark 2 2 2 2", "mark 2 1 3 2",
                   "mark 1 3 1 3")  # fmt: skip
    assert render(two[-1].label) == "should have blocked"


def test_a_move_that_made_the_win_possible_or_was_lost_anyway_missed_no_block() -> None:
    # X has two threats, so that nothing stops both.
    lost = analysed("tic-tac-toe", "mark 1 1", "mark 1 2", "mark 3 3", "mark 2 1", "mark 3 1",
                    "mark 1 3")  # fmt: skip
    assert told(lost[-1])[:2] == ("kept", "good")
    # A last box that the move gives away was no threat.
    start = GAMES["dots-and-boxes"].start
    assert not is_missed_block(start, "draw 1 1 1 2", "draw 1 1 2 1")


def test_only_a_threat_that_stood_before_the_move_should_have_been_blocked() -> None:
    class Opened(type(GAMES["tic-tac-toe"].start)):  # type: ignore[misc]
        """O wins with C3 only after X marks C2, as if X had made the place free."""

        def play(self, action: str) -> Any:
            after = super().play(action)
            has_made_way = action == "mark 3 3" and self.cells[5] == "x"
            cells = "xx.oooxx." if has_made_way else after.cells
            return Opened(cells)

    position = Opened("x...o....")
    assert find_wins(position.play("mark 2 3")) == ("mark 3 3",)
    assert not is_missed_block(position, "mark 2 3", "mark 1 2")


def test_a_move_that_keeps_a_win_is_no_mistake(state: MatchState) -> None:
    """In games where a win can be worth less than 100 points, or a lead can shrink."""
    (less,) = judge_moves(state, [], [{**look(100, 75), "margin": 100, "margin_after": 50}])
    words = "Still winning, but 25 more points were possible: B2 (certain)."
    assert told(less) == ("won", "winning, more possible", words)
    (lead,) = judge_moves(state, [], [{**look(100, 100), "margin": 5, "margin_after": 3}])
    assert lead.kind == "won" and "mistake" not in render(lead.words).lower()
    assert "2 more points were possible" in render(lead.words)
    (gone,) = judge_moves(state, [], [{**look(50, 50), "margin": 50, "margin_after": 0}])
    assert render(gone.label) == "missed win"


def test_a_move_that_ends_the_game_without_a_win_may_be_a_mistake(state: MatchState) -> None:
    drawn = replace(state, first_goal=50, second_goal=50, ply=1)
    assert judge_moves(drawn, [], [look(100, 50)])[0].kind == "lost"


def test_a_lead_that_is_lost_is_a_loss_though_the_own_points_are_the_same(
    state: MatchState,
) -> None:
    looks = [{**look(0, 0), "margin": -50, "margin_after": after} for after in (-100, -50)]
    found = judge_moves(state, [], looks)
    assert found[0].kind == "lost"
    assert render(found[0].words) == "Mistake: B2 kept 50 more points of the lead (certain)."
    assert found[1].kind == "kept"


def test_what_was_searched_is_lost_only_where_all_depths_say_so(state: MatchState) -> None:
    def searched(*losses: float) -> dict[str, Any]:
        return {**look(80, 30, proved=False), "losses": losses, "noise": 8.0, "tells": 4.0}

    little, much, doubtful = judge_moves(
        state, [], [searched(3, 1), searched(40, 50), searched(50, 3)]
    )
    assert (little.kind, render(little.words)) == ("kept", "Good (estimate).")
    assert (much.kind, much.basis) == ("lost", "searched")
    assert render(much.words) == "Mistake: B2 was better by about 50 points (estimate)."
    assert (doubtful.kind, doubtful.better) == ("unclear", ())


def test_a_match_that_an_older_release_looked_through_is_called_lost_by_proof_alone(
    state: MatchState,
) -> None:
    searched, proved = judge_moves(state, [], [look(80, 30, proved=False), look(100, 0)])
    assert (searched.kind, proved.kind) == ("unclear", "lost")


def test_a_move_that_could_not_be_looked_at_is_not_judged(state: MatchState) -> None:
    (found,) = judge_moves(state, [], [{}])
    assert (found.kind, render(found.words)) == ("", "No verdict on this move.")


def test_each_player_has_a_line(state: MatchState) -> None:
    found = judge_moves(state, [], [look(50, 50), look(50, 0), look(100, 100)])
    lines = render_summary(state, ["xplayer", "oplayer", "xplayer"], found, NAMES)
    assert [render(line) for line in lines] == [
        "alice: 0 mistakes in 2 moves.",
        "bob: 1 mistake in 1 move.",
    ]


def test_the_chart_goes_from_the_first_position_to_the_result(state: MatchState) -> None:
    looks = [look(50, 50), look(50, 0), {}, look(100, 100, standing=100)]
    found = build_chart(state, looks, NAMES)
    points = found["line"].split()
    assert len(points) == 4  # for one move there is no look; the last point is the result
    assert points[0] == f"0.0,{found['height'] / 2}"
    assert points[-1] == f"{float(found['width'])},0.0"
    assert render(found["label"]).endswith("even after 0 to 1, alice better after 3 to 4")


@pytest.mark.parametrize(
    ("proved", "words"),
    [
        ([True, True], "All verdicts are certain."),
        ([False, True, True], "Certain from move 2 on; estimates before."),
        ([False, False], "Verdicts that are not certain are estimates."),
        ([True, False], "Verdicts that are not certain are estimates."),
    ],
)
def test_it_says_what_it_rests_on(state: MatchState, proved: list[bool], words: str) -> None:
    looks = [look(50, 50, proved=each) for each in proved]
    assert render(build_chart(state, looks, NAMES)["basis"]) == words


def test_every_game_has_words_for_a_better_move(state: MatchState) -> None:
    for slug, game in GAMES.items():
        here = MatchState(
            **{**{f: getattr(state, f) for f in MatchState.__struct_fields__}, "game": slug}
        )
        best = game.start.legal()[0]
        (found,) = judge_moves(here, [], [{**look(100, 0), "best": best}])
        assert found.better
        assert best not in render(found.words)  # the sentence names the place as people do

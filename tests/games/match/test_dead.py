"""Boards on which nobody can win any more, and how a match on one ends."""

import random

import pytest
from msgspec.structs import replace

from games.engine.turns import choose_draw_command
from games.match.commands import AcceptDraw, ClaimDraw, OfferDraw, Play
from games.match.conduct import may
from games.match.outcome import Outcome, get_outcome
from games.match.state import MatchState
from games.messages.refusal import Refused
from games.rules import GAMES
from games.rules.six_in_a_row import BITS, SixInARow
from tests.builders.match_states import ALICE, BOB, START, advance, create_state

GAME = GAMES["six-in-a-row"]
WAYS = ((1, 0), (0, 1), (1, 1), (-1, 1))


def at(marks: str, x: int, y: int) -> str:
    """The mark there; "" beyond the edge."""
    return marks[(y - 1) * 15 + x - 1] if 1 <= x <= 15 and 1 <= y <= 15 else ""


def alive(marks: str) -> list[tuple[str, list[tuple[int, int]]]]:
    """Every six cells where a colour can still make six in a row, found cell by cell."""
    found = []
    for x in range(1, 16):
        for y in range(1, 16):
            for dx, dy in WAYS:
                cells = [(x + dx * i, y + dy * i) for i in range(6)]
                held = {at(marks, *cell) for cell in cells}
                ends = {at(marks, x - dx, y - dy), at(marks, x + 6 * dx, y + 6 * dy)}
                if ends <= {"", "."} and "" not in held:
                    found += [(c, cells) for c in "bw" if held <= {c, "."}]
    return found


def crowded(empty: int, seed: int) -> SixInARow:
    """A board full of random stones except for so many cells; nobody has won."""
    chance = random.Random(seed)
    while True:
        bits = list(BITS.values())
        chance.shuffle(bits)
        bits = bits[empty:]
        position = SixInARow(sum(bits[::2]), sum(bits[1::2]), 0, None)
        try:
            return GAME.read(position.notation)  # type: ignore[return-value]
        except ValueError:
            continue


@pytest.mark.parametrize("empty", [40, 60, 70, 80, 90, 100])
def test_a_board_is_dead_where_no_place_for_six_is_left(empty: int) -> None:
    kinds = set()
    for seed in range(30):
        position = crowded(empty, seed)
        assert position.is_dead == (not alive(position.diagram))
        kinds.add(position.is_dead)
        if position.is_dead:
            assert position.is_flat
    if empty == 40:
        assert True in kinds
    if empty == 100:
        assert False in kinds


def is_answered(marks: str, places: list[list[tuple[int, int]]]) -> bool:
    """Return whether no stone serves two of these places and none has more than three stones."""
    empty = [cell for cells in places for cell in cells if at(marks, *cell) == "."]
    return len(empty) == len(set(empty)) and all(
        sum(at(marks, *cell) != "." for cell in cells) <= 3 for cells in places
    )


def test_what_is_flat_has_no_stone_that_serves_two_places() -> None:
    most = 0
    for seed in range(300):
        position = crowded(55, seed)
        marks = position.diagram
        places = alive(marks)
        own = [[cells for each, cells in places if each == colour] for colour in "bw"]
        assert position.is_flat == all(is_answered(marks, each) for each in own), seed
        if position.is_flat:
            most = max(most, *map(len, own))
    assert most > 1  # also where one colour has two places


def test_an_open_board_and_another_game_are_not_dead() -> None:
    assert not GAME.start.is_dead
    assert not GAMES["dots-and-boxes"].start.is_dead
    assert not GAMES["tic-tac-toe"].start.is_flat


def in_play(position: SixInARow, computer: int | None = None) -> MatchState:
    stones = (position.black | position.white).bit_count()
    state = create_state("six-in-a-row")
    return replace(
        state, notation=position.notation, ply=stones + 1, acted=3, second_level=computer
    )


def found(want_dead: bool) -> SixInARow:
    return next(p for p in (crowded(40, seed) for seed in range(400)) if p.is_dead == want_dead)


def test_either_side_may_claim_a_draw_of_a_dead_board() -> None:
    state = in_play(found(True))
    for seat, who in enumerate((ALICE, BOB)):
        assert "claim-draw" in may(state, seat)
        over = advance(state, who, ClaimDraw(), START)
        assert (over.status, over.ended, over.first_goal, over.second_goal) == (
            "over", "agreement", 50, 50,
        )  # fmt: skip
        assert get_outcome(over) == Outcome("end.dead")


def test_no_draw_is_claimed_while_a_line_is_alive() -> None:
    state = in_play(found(False))
    assert "claim-draw" not in may(state, 0)
    with pytest.raises(Refused, match="not-allowed"):
        advance(state, ALICE, ClaimDraw(), START)


def flat_for(turn: str) -> SixInARow:
    crowds = (crowded(60, seed) for seed in range(2000))
    return next(p for p in crowds if p.turn == turn and p.is_flat and not p.is_dead)


def test_the_computer_claims_a_dead_board_and_offers_and_accepts_a_flat_one() -> None:
    dead = in_play(found(True), computer=5)
    assert isinstance(choose_draw_command(dead, 1), ClaimDraw)
    flat = in_play(flat_for("player2"), computer=5)
    assert isinstance(choose_draw_command(flat, 1), OfferDraw)
    offered = advance(flat, BOB, OfferDraw(), START)
    assert choose_draw_command(offered, 1) is None
    asked = replace(flat, draw_by=0)
    assert isinstance(choose_draw_command(asked, 1), AcceptDraw)
    assert advance(asked, BOB, AcceptDraw(), START).ended == "agreement"


def test_the_computer_declines_a_draw_by_playing_on_while_there_is_something_to_win() -> None:
    alive_still = crowded(101, 1)
    assert alive_still.turn == "player1"
    assert not alive_still.is_flat
    state = in_play(alive_still, computer=5)
    assert "offer-draw" in may(state, 0)
    offered = advance(state, ALICE, OfferDraw(), START)
    played = advance(offered, ALICE, Play(state.ply, alive_still.actions()[0]), START)
    assert choose_draw_command(played, 1) is None
    answered = advance(played, BOB, Play(played.ply, played.position.actions()[0]), START)
    assert answered.draw_by is None

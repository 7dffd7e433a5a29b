"""Records in other formats: what is written is read again, and nonsense is refused."""

import json
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill

from games.formats import FORMATS, MOST_BYTES, Sheet, get_format, read_record
from games.formats.addresses import decode_actions, encode_actions
from games.formats.sheet import list_positions
from games.messages.refusal import Refused
from games.messages.table import TABLE
from games.rules import GAMES


@st.composite
def played(draw: st.DrawFn, slug: str) -> tuple[str, ...]:
    """The actions of some game by chance, at least one, perhaps to its end."""
    most = draw(st.integers(1, 80))
    position, actions = GAMES[slug].start, list[str]()
    while position.turn is not None and len(actions) < most:
        actions.append(draw(st.sampled_from(position.legal())))
        position = position.play(actions[-1])
    return tuple(actions)


NAMES = st.text(
    st.characters(categories=("L", "N", "P", "S"), include_characters=" ]\\:["), max_size=20
).map(lambda name: " ".join(name.split()))


@settings(max_examples=60)
@given(actions=played("six-in-a-row"), first=NAMES, second=NAMES)
def test_six_in_a_row_comes_back_from_sgf(
    actions: tuple[str, ...], first: str, second: str
) -> None:
    written = Sheet("six-in-a-row", actions, (first, second), "3+2", "resignation", (100, 0))
    text = FORMATS["sgf"].write(written)
    assert read_record(text.encode()).actions == actions
    assert FORMATS["sgf"].read(text).names == (first, second)
    # An independent reader finds the same stones on the same points, and the names.
    game = sgfmill.Sgf_game.from_bytes(text.encode())
    assert game.get_size() == 15 and game.get_root().get("FF") == 4
    stones = [node.get_move() for node in game.get_main_sequence()[1:]]
    places = [a.split(" ") for a in actions if a.startswith("place")]
    last = list_positions("six-in-a-row", actions)[-1]
    assert [point for _, point in stones] == [(15 - int(y), int(x) - 1) for _, x, y in places]
    for colour, (row, column) in stones:
        assert last.diagram[(14 - row) * 15 + column] == colour
    black = getattr(last, "black_seat", None) or 0
    told = {game.get_player_name("b"), game.get_player_name("w")} - {None}
    assert told == {first, second} - {""}
    assert game.get_root().get("RE") == ("B+R" if black == 0 else "W+R")


@pytest.mark.parametrize("name", ["sgf", "json"])
def test_a_game_without_the_opening_keeps_its_colours(name: str) -> None:
    actions = tuple(f"place {column} {row}" for column in (7, 8, 9) for row in (7, 8))
    written = Sheet("six-in-a-row", actions, options="plain")
    found = read_record(FORMATS[name].write(written).encode())
    assert (found.actions, found.options) == (actions, "plain")
    address = encode_actions("six-in-a-row", actions, "plain")
    assert decode_actions("six-in-a-row", address) == Sheet(
        "six-in-a-row", actions, options="plain"
    )
    with pytest.raises(Refused):
        list_positions("six-in-a-row", actions)  # with the opening, a colour is picked first


@settings(max_examples=60)
@given(actions=played("dots-and-boxes"))
def test_dots_and_boxes_comes_back_from_little_golem(actions: tuple[str, ...]) -> None:
    text = FORMATS["golem"].write(Sheet("dots-and-boxes", actions))
    assert read_record(text).actions == actions
    hyphened = text.replace("\n", "\r\n").upper()
    assert read_record(f"[White alice]\n{hyphened}").actions == actions


@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=15)
@given(data=st.data())
def test_every_game_comes_back_from_json(slug: str, data: st.DataObject) -> None:
    actions = data.draw(played(slug))
    sheet = Sheet(slug, actions)
    assert read_record(FORMATS["json"].write(sheet)) == sheet
    assert read_record(json.dumps({"game": slug, "moves": list(actions), "more": [1]})) == sheet


def test_the_forum_s_own_example_is_read() -> None:
    """b4b5 completes the box of the first three lines, so the same player draws d3e3."""
    sheet = read_record("1. b5-c5 2. c4-c5\n3. b4-c4 4. b4-b5, d3-e3\n5. f1-f2\n")
    assert sheet.actions[0] == "draw 2 2 3 2"
    assert sheet.actions[-1] == "draw 6 5 6 6"
    last = list_positions("dots-and-boxes", sheet.actions)[-1]
    assert last.diagram[:25].count("o") == 1 and last.turn == "oplayer"


def test_a_foreign_sgf_is_read_as_the_usual_opening() -> None:
    moves = ";B[hh];W[hi];B[ii];W[gg]C[a \\] b];B[ff](;W[aa])(;W[bb];B[cc])"
    sheet = read_record(f"(;GM[4]SZ[15]PB[Sly Fox]PW[Kind Otter]{moves})")
    assert sheet.actions[3:5] == ("pick white", "place 7 7")
    assert sheet.actions[-1] == "place 1 1"  # of two variations the first
    assert sheet.names == ("Sly Fox", "Kind Otter")


BAD = {
    "nothing": "",
    "prose": "Dear reader",
    "a bracket": "(",
    "half a node": "(;B[hh",
    "no node": "()",
    "go": "(;GM[1];B[hh])",
    "19 by 19": "(;GM[4]SZ[19];B[hh])",
    "a pass": "(;GM[4];B[])",
    "off the board": "(;GM[4];B[pp])",
    "the wrong colour": "(;GM[4];W[hh])",
    "twice the same": "(;GM[4];B[hh];W[hh])",
    "a handicap": "(;GM[4]AB[hh];W[ii])",
    "a pick too early": "(;GM[4]PICK[3:white];B[hh])[",
    "unknown pick": "(;GM[4]PICK[2:red];B[hh])",
    "closed too often": "(;GM[4];B[hh]))",
    "a bomb of brackets": "(;" * 30_000,
    "a bomb of lists": '{"game":' + "[" * 60_000,
    "another bomb": '{"game":"six-in-a-row","moves":[],"x":' + '{"a":' * 10_000 + "1",
    "no moves": '{"game":"six-in-a-row"}',
    "no game": '{"game":"chess","moves":[]}',
    "empty lines": "\n" * (MOST_BYTES - 1) + "x",
    "lines of spaces": (" " * 200 + "\n") * (MOST_BYTES // 201 - 1) + "x",
    "one long line of brackets": "[" * MOST_BYTES,
    "numbers": '{"game":"tic-tac-toe","moves":[1,2]}',
    "an illegal action": '{"game":"tic-tac-toe","moves":["mark 1 1","mark 1 1"]}',
    "no line": "1. a1c1",
    "the same line twice": "1. a1b1 2. b1a1",
    "a turn too short": "1. b5c5 2. c4c5 3. b4c4 4. b4b5 5. d3e3",
    "a turn too long": "1. b5c5, c4c5",
    "a surrogate": '{"game":"\\ud800","moves":[]}',
}


@pytest.mark.parametrize("text", BAD.values(), ids=list(BAD))
def test_nonsense_is_refused_with_a_sentence(text: str) -> None:
    began = time.process_time()
    with pytest.raises(Refused) as found:
        read_record(text)
    assert f"refused.{found.value.code}" in TABLE
    assert time.process_time() - began < 2


@settings(max_examples=150)
@given(text=st.binary(max_size=300) | st.text(alphabet='();[]BWGM4hi \\a1b5.,{}"', max_size=80))
@example(text=b"\xff\xfe(;GM[4])")
@example(text="(;GM[4];B[hh]\\")
def test_any_bytes_are_read_or_refused(text: bytes | str) -> None:
    try:
        sheet = read_record(text)
    except Refused:
        return
    list_positions(sheet.game, sheet.actions)


def test_ten_megabytes_are_refused_unread() -> None:
    with pytest.raises(Refused, match="record-too-long"):
        read_record(b"(" * 10_000_000)
    assert MOST_BYTES < 10_000_000


def test_a_format_is_for_its_game() -> None:
    assert get_format("json", "tic-tac-toe").game is None
    with pytest.raises(Refused, match="record-game"):
        get_format("sgf", "dots-and-boxes")
    with pytest.raises(Refused, match="record-format"):
        get_format("pgn", "six-in-a-row")

"""Which facts are the board follows from samples of states."""

from games.gdl.admission import admit
from games.gdl.checks import read_sheet
from games.gdl.grounding import build_network
from games.gdl.layout import Layout, infer_layout

TURNS = """
(role white) (role black) (init (control white)) (init (step 1))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= terminal (true (step 7)))
(<= (goal ?w 50) (role ?w))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(number 1) (number 2) (number 3)
"""


def make_layout(text: str) -> Layout:
    sheet = read_sheet(TURNS + text)
    return infer_layout(sheet, admit(build_network(sheet)))


def list_drawn(layout: Layout, text: str) -> set[str]:
    """Return the names of the relations that are drawn."""
    fluents = build_network(read_sheet(TURNS + text)).fluents
    return {fluents[i].strip("()").split(" ")[0] for i in layout.drawn}


def find_places(layout: Layout, action: str) -> list[str]:
    return [layout.spots[i].key for step in layout.acts[action].path for i in step]


def test_the_board_is_what_has_most_facts_at_once() -> None:
    text = """
    (<= (init (cell ?x ?y empty)) (number ?x) (number ?y))
    (<= (legal ?w (mark ?x ?y)) (true (control ?w)) (true (cell ?x ?y empty)))
    (<= (next (cell ?x ?y ?w)) (does ?w (mark ?x ?y)))
    (<= (next (cell ?x ?y ?s)) (true (cell ?x ?y ?s)) (not (marked ?x ?y)))
    (<= (marked ?x ?y) (does ?w (mark ?x ?y)))
    (<= (next (latest ?w by ?x ?y)) (does ?w (mark ?x ?y)))
    """
    layout = make_layout(text)
    assert list_drawn(layout, text) == {"cell"}


def test_the_board_is_what_has_fewest_symbols() -> None:
    text = """
    (<= (legal ?w (put ?x ?y)) (true (control ?w)) (number ?x) (number ?y) (not (used ?x ?y)))
    (<= (used ?x ?y) (true (stone ?x ?y ?w)))
    (<= (next (stone ?x ?y ?w)) (does ?w (put ?x ?y)))
    (<= (next (stone ?x ?y ?w)) (true (stone ?x ?y ?w)))
    (<= (next (group ?x ?y ?n)) (does ?w (put ?x ?y)) (true (step ?n)))
    (<= (next (group ?x ?y ?n)) (true (group ?x ?y ?n)))
    """
    layout = make_layout(text)
    assert list_drawn(layout, text) == {"stone"}
    assert len(layout.spots) == 9


def test_places_that_are_never_free_are_drawn_too() -> None:
    text = """
    (init (hole 2 2)) (init (last 1 1))
    (<= (legal ?w (put ?x ?y)) (true (control ?w)) (number ?x) (number ?y) (not (used ?x ?y)))
    (<= (used ?x ?y) (true (stone ?x ?y ?w)))
    (<= (used ?x ?y) (true (hole ?x ?y)))
    (<= (init (stone 3 3 ?w)) (role ?w) (distinct ?w black))
    (init (stone 2 3 black))
    (<= (next (stone ?x ?y ?w)) (does ?w (put ?x ?y)))
    (<= (next (stone ?x ?y ?w)) (true (stone ?x ?y ?w)))
    (<= (next (hole ?x ?y)) (true (hole ?x ?y)))
    (<= (next (last ?x ?y)) (does ?w (put ?x ?y)))
    (<= (next (stone 2 2 white)) (true (step 60)))
    """
    layout = make_layout(text)
    assert list_drawn(layout, text) == {"stone", "hole"}
    assert layout.named["hole"].glyph.shape == "wall"


def test_three_coordinates_are_several_grids() -> None:
    text = """
    (quarter 1) (quarter 2) (quarter 3) (quarter 4)
    (<= (legal ?w (put ?q ?x ?y)) (true (control ?w)) (quarter ?q) (number ?x) (number ?y)
        (not (used ?q ?x ?y)))
    (<= (used ?q ?x ?y) (true (stone ?q ?x ?y ?w)))
    (<= (next (stone ?q ?x ?y ?w)) (does ?w (put ?q ?x ?y)))
    (<= (next (stone ?q ?x ?y ?w)) (true (stone ?q ?x ?y ?w)))
    """
    layout = make_layout(text)
    assert layout.is_grid
    assert len(layout.spots) == 36
    assert len({(spot.x, spot.y) for spot in layout.spots}) == 36
    assert find_places(layout, "put 4 1 3") == ["4 1 3"]
    assert layout.acts["put 4 1 3"].label == "4-A3"


def test_four_coordinates_are_a_grid_of_grids() -> None:
    text = """
    (<= (legal ?w (put ?i ?j ?k ?l)) (true (control ?w)) (number ?i) (number ?j) (number ?k)
        (number ?l) (not (used ?i ?j ?k ?l)))
    (<= (used ?i ?j ?k ?l) (true (stone ?i ?j ?k ?l ?w)))
    (<= (next (stone ?i ?j ?k ?l ?w)) (does ?w (put ?i ?j ?k ?l)))
    (<= (next (stone ?i ?j ?k ?l ?w)) (true (stone ?i ?j ?k ?l ?w)))
    """
    layout = make_layout(text)
    assert len(layout.spots) == 81
    by_key = {spot.key: spot for spot in layout.spots}
    assert by_key["1 1 1 1"].y > by_key["1 2 1 1"].y > by_key["1 3 1 3"].y  # rows from the bottom
    assert by_key["1 1 3 1"].x < by_key["2 1 1 1"].x
    assert find_places(layout, "put 2 1 3 3") == ["2 1 3 3"]


def test_two_games_at_once_have_a_board_each() -> None:
    rules = """
    (<= (legal ?w (put_{0} ?x ?y)) (true (control ?w)) (number ?x) (number ?y)
        (not (used_{0} ?x ?y)))
    (<= (used_{0} ?x ?y) (true (cell_{0} ?x ?y ?w)))
    (<= (next (cell_{0} ?x ?y ?w)) (does ?w (put_{0} ?x ?y)))
    (<= (next (cell_{0} ?x ?y ?w)) (true (cell_{0} ?x ?y ?w)))
    """
    layout = make_layout(rules.format("left") + rules.format("right"))
    assert len(layout.spots) == 18
    assert find_places(layout, "put_left 1 2") == ["cell_left 1 2"]
    assert find_places(layout, "put_right 1 2") == ["cell_right 1 2"]
    labels = [spot.label for spot in layout.spots]
    assert len(set(labels)) == 18


def test_lines_between_neighbours_are_places() -> None:
    text = """
    (next_number 1 2) (next_number 2 3)
    (<= (side ?x ?y ?x ?z) (number ?x) (next_number ?y ?z))
    (<= (side ?x ?y ?z ?y) (number ?y) (next_number ?x ?z))
    (<= (legal ?w (draw ?x ?y ?x2 ?y2)) (true (control ?w)) (side ?x ?y ?x2 ?y2)
        (not (true (line ?x ?y ?x2 ?y2))))
    (<= (next (line ?x ?y ?x2 ?y2)) (does ?w (draw ?x ?y ?x2 ?y2)))
    (<= (next (line ?x ?y ?x2 ?y2)) (true (line ?x ?y ?x2 ?y2)))
    (<= (next (box 1 1 ?w)) (does ?w (draw 1 1 1 2)))
    (<= (next (box 2 2 ?w)) (does ?w (draw 2 2 2 3)))
    (<= (next (box 1 2 ?w)) (does ?w (draw 1 2 2 2)))
    (<= (next (box 2 1 ?w)) (does ?w (draw 1 2 1 3)))
    (<= (next (box ?x ?y ?w)) (true (box ?x ?y ?w)))
    """
    layout = make_layout(text)
    assert len(layout.spots) == 12 + 4
    assert find_places(layout, "draw 2 1 3 1") == ["2 1 3 1"]
    by_key = {spot.key: spot for spot in layout.spots}
    assert by_key["1 1"].x == by_key["1 1 2 1"].x > by_key["1 1 1 2"].x
    assert by_key["1 1 2 1"].y > by_key["1 1"].y == by_key["1 1 1 2"].y


def test_a_list_that_is_always_full_comes_before_a_grid_of_a_few_marks() -> None:
    text = """
    (pit 1) (pit 2) (pit 3) (pit 4) (pit 5) (pit 6)
    (kind 1) (kind 2) (kind 3)
    (<= (init (at ?p empty)) (pit ?p))
    (<= (legal ?w (add ?p ?k)) (true (control ?w)) (true (at ?p empty)) (kind ?k))
    (<= (next (at ?p ?k)) (does ?w (add ?p ?k)))
    (<= (next (at ?p ?k)) (true (at ?p ?k)) (not (added ?p)))
    (<= (added ?p) (does ?w (add ?p ?k)))
    (<= (next (latest ?k ?p)) (does ?w (add ?p ?k)))
    """
    layout = make_layout(text)
    assert not layout.is_grid
    assert list_drawn(layout, text) == {"at"}
    assert [spot.key for spot in layout.spots] == ["1", "2", "3", "4", "5", "6"]


def test_places_with_a_letter_and_a_number_stand_in_columns() -> None:
    names = ["a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "e1"]
    text = """
    (<= (init (at ?p empty)) (spot ?p))
    (<= (legal ?w (take ?p)) (true (control ?w)) (true (at ?p empty)))
    (<= (next (at ?p ?w)) (does ?w (take ?p)))
    (<= (next (at ?p ?s)) (true (at ?p ?s)) (not (taken ?p)))
    (<= (taken ?p) (does ?w (take ?p)))
    """
    layout = make_layout(text + " ".join(f"(spot {name})" for name in names))
    at = {spot.key: (spot.x, spot.y) for spot in layout.spots}
    assert at["a1"][1] == at["e1"][1] == at["c2"][1]
    assert at["c1"][1] > at["c2"][1] > at["c3"][1]
    assert at["a1"][0] < at["b1"][0] == at["b2"][0]


def test_without_a_board_the_numbers_of_a_state_are_shown() -> None:
    text = """
    (init (payoff 5))
    (<= (legal ?w raise) (true (control ?w)))
    (<= (legal ?w keep) (true (control ?w)))
    (<= (next (payoff 5)) (does ?w keep))
    (<= (next (payoff 6)) (does ?w raise))
    """
    layout = make_layout(text)
    assert [spot.key for spot in layout.spots] == ["payoff", "step"]
    assert layout.acts["raise"].path == ()


def test_samples_are_states_of_games() -> None:
    text = """
    (init (payoff 5))
    (<= (legal ?w raise) (true (control ?w)))
    (<= (legal ?w keep) (true (control ?w)))
    (<= (next (payoff 5)) (does ?w keep))
    (<= (next (payoff 6)) (does ?w raise))
    """
    network = build_network(read_sheet(TURNS + text))
    samples = admit(network).samples
    assert 7 < len(samples) <= 64
    assert samples == admit(network).samples
    assert len(set(samples)) > 7


def test_a_piece_on_top_of_a_mark_is_on_the_board() -> None:
    text = """
    (init (at king 1 1)) (init (at queen 3 3)) (init (wall 1 2)) (init (wall 3 2)) (init (wall 2 2))
    (init (wall 2 1)) (init (wall 2 3))
    (<= (legal ?w (go ?x ?y)) (true (control ?w)) (number ?x) (number ?y))
    (<= (legal white drop) (true (control white)))
    (<= (next (at king ?x ?y)) (does white (go ?x ?y)))
    (<= (next (at king ?x ?y)) (true (at king ?x ?y)) (true (control black)))
    (<= (next (at king ?x ?y)) (true (at king ?x ?y)) (does white drop))
    (<= (next (at mark ?x ?y)) (true (at king ?x ?y)) (does white drop))
    (<= (next (at mark ?x ?y)) (true (at mark ?x ?y)))
    (<= (next (at queen ?x ?y)) (does black (go ?x ?y)))
    (<= (next (at queen ?x ?y)) (true (at queen ?x ?y)) (true (control white)))
    (<= (next (wall ?x ?y)) (true (wall ?x ?y)))
    """
    layout = make_layout(text)
    assert list_drawn(layout, text) == {"at"}


def test_symbols_that_would_look_alike_get_different_shapes() -> None:
    rules = """
    {}
    (<= (legal ?w (put ?x ?y ?k)) (true (control ?w)) (number ?x) (number ?y) (kind ?k)
        (not (used ?x ?y)))
    (<= (used ?x ?y) (true (stone ?x ?y ?w ?k)))
    (<= (next (stone ?x ?y ?w ?k)) (does ?w (put ?x ?y ?k)))
    (<= (next (stone ?x ?y ?w ?k)) (true (stone ?x ?y ?w ?k)))
    """
    few = make_layout(rules.format("(kind weak) (kind strong)"))
    assert {name: symbol.glyph.words for name, symbol in few.named.items()} == {
        "black strong": "black stone", "black weak": "black hoop",
        "white strong": "white stone", "white weak": "white hoop",
    }  # fmt: skip
    many = make_layout(rules.format(" ".join(f"(kind {i})" for i in range(1, 7))))
    assert {symbol.glyph.words for symbol in many.named.values()} == {"letter"}
    assert len({symbol.mark for symbol in many.named.values()}) == 12


def test_written_symbols_are_told_apart() -> None:
    rules = """
    (kind p0000) (kind p0001) (kind p1000) (kind pyramid) (kind table)
    (<= (legal ?w (put ?x ?y ?k)) (true (control ?w)) (number ?x) (number ?y) (kind ?k)
        (not (used ?x ?y)))
    (<= (used ?x ?y) (true (cell ?x ?y ?k)))
    (<= (next (cell ?x ?y ?k)) (does ?w (put ?x ?y ?k)))
    (<= (next (cell ?x ?y ?k)) (true (cell ?x ?y ?k)))
    """
    named = make_layout(rules).named
    assert {name: symbol.text for name, symbol in named.items()} == {
        "p0000": "0", "p0001": "1", "p1000": "P10", "pyramid": "PYR", "table": "TAB"
    }  # fmt: skip

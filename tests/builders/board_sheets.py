"""Small rule sheets with boards of different kinds, and their games."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from games.boards import BOARDS
from games.boards.sheets import make_board
from games.gdl.admission import admit
from games.gdl.checks import read_sheet
from games.gdl.grounding import build_network
from games.gdl.layout import infer_layout
from games.gdl.overlay import check_overlay
from games.gdl.sheet_position import LoadedSheet
from games.lessons import LESSONS
from games.messages import script, table
from games.rule_sheets import storage
from games.rules import ACCESS, GAMES

_TURNS = """
(<= (next (control {1})) (true (control {0})))
(<= (next (control {0})) (true (control {1})))
(init (control {0}))
(role {0})
(role {1})
"""

LINE_OF_THREE = (
    _TURNS.format("xplayer", "oplayer")
    + """
(number 1) (number 2) (number 3)
(<= (init (cell ?m ?n b)) (number ?m) (number ?n))
(<= (legal ?w (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?w)))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)))
(<= (next (cell ?m ?n o)) (does oplayer (mark ?m ?n)))
(<= (next (cell ?m ?n ?s)) (true (cell ?m ?n ?s)) (distinct ?s b))
(<= (next (cell ?m ?n b)) (true (cell ?m ?n b)) (not (marked ?m ?n)))
(<= (marked ?m ?n) (does ?w (mark ?m ?n)))
(<= open (true (cell ?m ?n b)))
(<= (line ?s) (number ?m) (true (cell ?m 1 ?s)) (true (cell ?m 2 ?s)) (true (cell ?m 3 ?s)))
(<= (won x) (line x))
(<= (won o) (line o))
(<= terminal (won ?s))
(<= terminal (not open))
(<= (goal xplayer 100) (won x))
(<= (goal oplayer 0) (won x))
(<= (goal xplayer 0) (won o))
(<= (goal oplayer 100) (won o))
(<= (goal ?w 50) (role ?w) (not (won x)) (not (won o)))
"""
)
"""Marks on a grid of three by three cells; only lines along the second coordinate count."""

DROP = (
    _TURNS.format("red", "yellow")
    + """
(succ 1 2) (succ 2 3)
(column 1) (column 2) (column 3) (column 4)
(row 1) (row 2) (row 3)
(<= (init (cell ?x ?y empty)) (column ?x) (row ?y))
(init (step 1))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal ?w (drop ?c)) (true (control ?w)) (true (cell ?c 3 empty)))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (lowest ?c 1) (true (cell ?c 1 empty)))
(<= (lowest ?c ?y) (true (cell ?c ?y empty)) (succ ?z ?y) (not (true (cell ?c ?z empty))))
(<= (next (cell ?c ?y ?w)) (does ?w (drop ?c)) (lowest ?c ?y))
(<= (next (cell ?c ?y ?s)) (true (cell ?c ?y ?s)) (distinct ?s empty))
(<= (next (cell ?c ?y empty)) (true (cell ?c ?y empty)) (not (filled ?c ?y)))
(<= (filled ?c ?y) (does ?w (drop ?c)) (lowest ?c ?y))
(<= open (true (cell ?c 3 empty)))
(<= terminal (not open))
(<= (goal ?w 50) (role ?w))
"""
)
"""Discs that fall in four columns of three."""

CROSSING = (
    _TURNS.format("white", "black")
    + """
(file a) (file b) (file c)
(rank 1) (rank 2) (rank 3) (rank 4)
(next_rank 1 2) (next_rank 2 3) (next_rank 3 4)
(next_file a b) (next_file b c)
(<= (init (cell ?f 1 wp)) (file ?f))
(<= (init (cell ?f 2 e)) (file ?f))
(<= (init (cell ?f 3 e)) (file ?f))
(<= (init (cell ?f 4 bp)) (file ?f))
(<= (ahead white ?r ?s) (next_rank ?r ?s))
(<= (ahead black ?r ?s) (next_rank ?s ?r))
(<= (beside ?f ?g) (next_file ?f ?g))
(<= (beside ?f ?g) (next_file ?g ?f))
(owns white wp) (owns black bp)
(promotion queen) (promotion knight)
(<= (legal ?w (move ?p ?f ?r ?f ?s)) (true (control ?w)) (owns ?w ?p)
    (true (cell ?f ?r ?p)) (ahead ?w ?r ?s) (true (cell ?f ?s e)))
(<= (legal ?w (move ?p ?f ?r ?g ?s)) (true (control ?w)) (owns ?w ?p)
    (true (cell ?f ?r ?p)) (ahead ?w ?r ?s) (beside ?f ?g) (true (cell ?g ?s ?q))
    (owns ?v ?q) (distinct ?v ?w))
(<= (legal ?w (crown ?f ?x)) (true (control ?w)) (promotion ?x) (owns ?w ?p)
    (true (cell ?f ?r ?p)) (last ?w ?r))
(last white 4) (last black 1)
(<= (legal ?w resign) (true (control ?w)))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (next (cell ?f ?r e)) (does ?w (move ?p ?f ?r ?g ?s)))
(<= (next (cell ?g ?s ?p)) (does ?w (move ?p ?f ?r ?g ?s)))
(<= (next (cell ?f ?r ?p)) (true (cell ?f ?r ?p)) (not (touched ?f ?r)))
(<= (touched ?f ?r) (does ?w (move ?p ?f ?r ?g ?s)))
(<= (touched ?g ?s) (does ?w (move ?p ?f ?r ?g ?s)))
(<= (next (done ?w)) (does ?w resign))
(<= (next (done ?w)) (does ?w (crown ?f ?x)))
(<= terminal (true (done ?w)))
(<= (goal ?w 50) (role ?w))
"""
)
"""Pawns that advance and capture on three files; a pawn at the end is crowned."""

HEAPS = (
    _TURNS.format("left", "right")
    + """
(init (heap 1 2)) (init (heap 2 3)) (init (heap 3 1))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (less ?m ?n) (succ ?m ?n))
(<= (less ?m ?n) (succ ?m ?k) (less ?k ?n))
(<= (legal ?w (leave ?h ?m)) (true (control ?w)) (true (heap ?h ?n)) (less ?m ?n))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (next (heap ?h ?m)) (does ?w (leave ?h ?m)))
(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (taken ?h)))
(<= (taken ?h) (does ?w (leave ?h ?m)))
(<= left_over (true (heap ?h ?n)) (distinct ?n 0))
(<= terminal (not left_over))
(<= (goal ?w 0) (true (control ?w)))
(<= (goal ?w 100) (role ?w) (not (true (control ?w))))
"""
)
"""Nim with three heaps."""

TRIANGLE = (
    _TURNS.format("hunter", "hare")
    + """
(link top west) (link top east) (link west east) (link east far)
(<= (beside ?a ?b) (link ?a ?b))
(<= (beside ?a ?b) (link ?b ?a))
(init (at top hunter)) (init (at far hare)) (init (at west nobody)) (init (at east nobody))
(init (moves 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (next (moves ?n)) (true (moves ?m)) (succ ?m ?n))
(<= (legal ?w (go ?a ?b)) (true (control ?w)) (true (at ?a ?w)) (beside ?a ?b)
    (true (at ?b nobody)))
(<= (legal ?w stay) (true (control ?w)))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (next (at ?a nobody)) (does ?w (go ?a ?b)))
(<= (next (at ?b ?w)) (does ?w (go ?a ?b)))
(<= (next (at ?c ?x)) (true (at ?c ?x)) (not (used ?c)))
(<= (used ?a) (does ?w (go ?a ?b)))
(<= (used ?b) (does ?w (go ?a ?b)))
(<= terminal (true (moves 6)))
(<= (goal hunter 0) (role hunter))
(<= (goal hare 100) (role hare))
"""
)
"""Two pieces on a graph of four places."""

STONES = (
    _TURNS.format("black", "white")
    + """
(number 1) (number 2) (number 3)
(dir north) (dir east)
(<= (legal ?w (put ?x ?y)) (number ?x) (number ?y) (true (control ?w)) (not (used ?x ?y)))
(<= (legal ?w (push ?x ?y ?d)) (true (control ?w)) (true (stone ?w ?x ?y)) (dir ?d))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (used ?x ?y) (true (stone ?w ?x ?y)))
(<= (next (stone ?w ?x ?y)) (does ?w (put ?x ?y)))
(<= (next (stone ?w ?x ?y)) (true (stone ?w ?x ?y)))
(<= (next (score ?w 1)) (does ?w (push ?x ?y ?d)))
(<= (next (score ?w ?n)) (true (score ?w ?n)) (not (pushed ?w)))
(<= (pushed ?w) (does ?w (push ?x ?y ?d)))
(init (score black 0)) (init (score white 0))
(<= (end ?x) (number ?x) (true (stone black ?x 1)) (true (stone black ?x 2)))
(<= terminal (end ?x))
(<= terminal (true (stone white 1 1)))
(<= terminal (true (stone white 1 2)))
(<= terminal (true (score black 1)))
(<= (goal ?w 50) (role ?w))
"""
)
"""Stones on an empty board, and pushes in a direction. It has scores."""

RESERVE = (
    _TURNS.format("first", "second")
    + """
(number 1) (number 2)
(piece tall) (piece short) (piece flat)
(<= (init (cell ?x ?y b)) (number ?x) (number ?y))
(<= (init (pool ?p)) (piece ?p))
(<= (init (hand nothing)))
(<= (legal ?w (take ?p)) (true (control ?w)) (true (pool ?p)) (true (hand nothing)))
(<= (legal ?w (put ?x ?y)) (true (control ?w)) (true (cell ?x ?y b)) (not (true (hand nothing))))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (next (hand ?p)) (does ?w (take ?p)))
(<= (next (hand nothing)) (does ?w (put ?x ?y)))
(<= (next (cell ?x ?y ?p)) (does ?w (put ?x ?y)) (true (hand ?p)))
(<= (next (cell ?x ?y ?s)) (true (cell ?x ?y ?s)) (not (filled ?x ?y)))
(<= (filled ?x ?y) (does ?w (put ?x ?y)))
(<= (next (pool ?p)) (true (pool ?p)) (not (taken ?p)))
(<= (taken ?p) (does ?w (take ?p)))
(<= left_over (true (pool ?p)))
(<= terminal (not left_over) (true (hand nothing)))
(<= (goal ?w 50) (role ?w))
"""
)
"""Pieces that one player takes and the other one puts on a board."""

CHOICES = (
    _TURNS.format("first", "second")
    + """
(init (round 1))
(<= (next (round 2)) (true (round 1)))
(<= (next (round 3)) (true (round 2)))
(<= (legal ?w (say high)) (true (control ?w)))
(<= (legal ?w (say low)) (true (control ?w)))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (next (said ?w ?x)) (does ?w (say ?x)))
(<= (next (said ?w ?x)) (true (said ?w ?x)))
(<= terminal (true (round 3)))
(<= (goal ?w 50) (role ?w))
"""
)
"""A game without a board."""


def load_sheet(slug: str, text: str, **overlay: Any) -> LoadedSheet:
    """Compile a sheet in this process."""
    sheet = read_sheet(text)
    network = admit(build_network(sheet))
    layout = infer_layout(sheet, network, check_overlay(overlay))
    return LoadedSheet(slug, slug.title(), "0" * 64, network, layout)


@contextmanager
def keep_catalogue() -> Iterator[None]:
    """Undo on exit what rule sheets add to this process."""
    sentences = {**table._table}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GAMES, "_entries", {**GAMES})
        patch.setattr(BOARDS, "_entries", {**BOARDS})
        patch.setattr(LESSONS, "_entries", {**LESSONS})
        patch.setattr(ACCESS, "_access", {})
        patch.setattr(storage, "_broken", set())
        yield
    table._table.clear()
    table._table.update(sentences)
    script.forget_catalogs()


def add_games(monkeypatch: pytest.MonkeyPatch, **texts: str) -> None:
    """Add games from sheets, by their slugs, for the duration of a test."""
    sheets = {slug: load_sheet(slug, text) for slug, text in texts.items()}
    games = {slug: sheet.game for slug, sheet in sheets.items()}
    boards = {slug: make_board(sheet) for slug, sheet in sheets.items()}
    monkeypatch.setattr(GAMES, "_entries", {**GAMES, **games})
    monkeypatch.setattr(BOARDS, "_entries", {**BOARDS, **boards})
    for slug, board in boards.items():
        for code, sentence in board.sentences.items():
            monkeypatch.setitem(table._table, f"{slug}.{code}", sentence)

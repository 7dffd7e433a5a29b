"""Games are found in their package, and `manage.py check` reports a broken one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import ERROR

from games.checks import rules_are_sound
from games.rules import GAMES, Game, IllegalAction, found_games
from games.rules.soundness import faults
from games.rules.tic_tac_toe import ROLES, TicTacToe

BLANK = "." * 9


def broken(
    roles: tuple[str, str] = ROLES, read: Callable[[str], Any] | None = None, **faulty: Any
) -> Game:
    """Tic-Tac-Toe with one part replaced."""

    def play(self: Any, action: str) -> Any:
        return kind(TicTacToe(self.cells).play(action).cells)

    kind: Any = type("Broken", (TicTacToe,), {"__slots__": (), "play": play, **faulty})
    return Game("broken", "Broken", roles, kind(BLANK), read or kind)


def played(position: Any, action: str) -> Any:
    """The right position, for tests in which another part is wrong."""
    return type(position)(TicTacToe(position.cells).play(action).cells)


def hangs(position: Any, action: str) -> Any:
    TicTacToe(position.cells).play(action)
    return position


def shouts(position: Any, action: str) -> Any:
    return played(position, action.strip().lower())


def swears(position: Any, action: str) -> Any:
    if not isinstance(action, str) or not position.may(action):
        raise KeyError(action)
    return played(position, action)


SOUND = GAMES["tic-tac-toe"]
GAMES_GONE_WRONG = {
    "no slug": (Game("", "Broken", ROLES, SOUND.start, SOUND.read), "a slug and a name"),
    "no name": (Game("broken", "", ROLES, SOUND.start, SOUND.read), "a slug and a name"),
    "one role twice": (broken(roles=("xplayer", "xplayer")), "two different roles"),
    "crashes": (broken(play=lambda position, action: 1 / 0), "ZeroDivisionError"),
    "stands still": (broken(play=hangs), "10,000 actions"),
    "takes another spelling": (broken(play=shouts), "'MARK 1 1' is taken"),
    "raises something else": (broken(play=swears), "KeyError"),
    "everybody acts": (broken(legal=lambda p, role=None: p.actions()), "waiting role"),
    "nobody may act": (broken(actions=lambda position: ()), "nothing is legal"),
    "may and legal differ": (broken(may=lambda position, action: False), "does not fit"),
    "goals before the end": (
        broken(goals={"xplayer": 100, "oplayer": 0}),
        "goals before the end",
    ),
    "no goals": (broken(goals=None), "needs goals for both"),
    "too many points": (
        broken(goals=property(lambda p: None if p.turn else dict.fromkeys(ROLES, 101))),
        "not from 0 to 100",
    ),
    "the board grows": (
        broken(diagram=property(lambda p: p.cells + "x" * p.cells.count("x"))),
        "does not fit",
    ),
    "no diagram": (broken(diagram=property(lambda p: 1 / 0)), "ZeroDivisionError"),
    "a stranger's turn": (
        broken(turn=property(lambda p: "nobody", lambda p, turn: None)),
        "nobody of its roles",
    ),
    "over at once": (
        broken(turn=property(lambda p: None, lambda p, turn: None)),
        "before it starts",
    ),
    "reads something else": (broken(read=lambda text: TicTacToe("x........")), "another position"),
    "reads nothing": (broken(read=int), "invalid literal"),
    "two lines": (broken(notation=property(lambda p: f"{p.cells}\n")), "one line of ASCII"),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_the_games_are_sound(game: Game) -> None:
    assert faults(game) == []


def test_a_sound_game_stays_sound_when_nothing_of_it_is_replaced() -> None:
    assert faults(broken()) == []


@pytest.mark.parametrize(("game", "words"), GAMES_GONE_WRONG.values(), ids=list(GAMES_GONE_WRONG))
def test_a_broken_game_is_told_and_does_not_stop_the_check(
    game: Game, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = faults(game)
    assert any(words in fault for fault in found), found
    monkeypatch.setattr("games.checks.GAMES", {"sound": broken(), "broken": game})
    errors = rules_are_sound(None)
    assert [error.msg for error in errors] == [f"broken: {fault}." for fault in found]
    assert {(error.id, error.level) for error in errors} == {("rules.E001", ERROR)}


def test_the_check_has_nothing_to_say_of_the_games_as_they_are() -> None:
    assert rules_are_sound(None) == []


MODULE = """
from games.rules.position import Game
from games.rules.tic_tac_toe import ROLES, TicTacToe, read
GAME = Game("{slug}", "A fifth game", ROLES, TicTacToe("........."), read)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package for rules, with a name that no other test imports."""
    folder = tmp_path / f"rules_of_{tmp_path.name}"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "no_game.py").write_text("GAME = 'chess'")
    # As in games.rules: to import it would import Django.
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def test_a_game_is_found_without_an_entry_in_any_list(package: Path) -> None:
    (package / "fifth.py").write_text(MODULE.format(slug="fifth"))
    found = found_games(package.name, [str(package)])
    assert list(found) == ["fifth"]
    assert faults(found["fifth"]) == []
    with pytest.raises(TypeError):
        found["sixth"] = found["fifth"]  # type: ignore[index]  # on purpose


def test_two_games_of_one_slug_are_refused(package: Path) -> None:
    for name in ("fifth", "sixth"):
        (package / f"{name}.py").write_text(MODULE.format(slug="fifth"))
    with pytest.raises(ValueError, match="share a slug"):
        found_games(package.name, [str(package)])


def test_the_games_come_by_the_size_of_their_boards() -> None:
    sizes = [len(game.start.diagram) for game in GAMES.values()]
    assert sizes == sorted(sizes) == [9, 18, 85, 225]


def test_an_illegal_action_is_a_value_error() -> None:
    assert issubclass(IllegalAction, ValueError)

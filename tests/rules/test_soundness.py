"""A game is found where it lies, and a broken one is told by `manage.py check`."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from django.core.checks import run_checks

from games.rules import GAMES, Game, found_games
from games.rules.apps import rules_are_sound
from games.rules.soundness import faults

BROKEN = '''
"""Tic-Tac-Toe with one thing wrong."""
from games.rules.position import Game, IllegalAction
from games.rules.tic_tac_toe import ROLES, TicTacToe, read
class Broken(TicTacToe):
    __slots__ = ()
    def __init__(self, cells="........."):
        super().__init__(cells)
    {fault}
GAME = Game("{slug}", "Broken", {roles}, Broken(), {read})
'''

FAULTS = {
    "crashing": ("def play(self, action): return 1 / 0", "ZeroDivisionError"),
    "stuck": (
        "def play(self, action):\n        super().play(action)\n        return self",
        "10,000 actions",
    ),
    "credulous": (
        "def play(self, action):\n"
        "        return Broken(super().play(action.strip().lower()).cells)",
        "taken for an action",
    ),
    "lawless": ('def legal(self, role=None): return ("mark 1 1",)', "waiting role"),
    "paralysed": ("def actions(self): return ()", "nothing is legal"),
    "premature": ("goals = {'xplayer': 100, 'oplayer': 0}", "before the end"),
    "pointless": ("goals = None", "goals"),
    "excessive": (
        "@property\n    def goals(self):\n"
        "        return self.turn is None and dict.fromkeys(ROLES, 101) or None",
        "0 to 100",
    ),
    "growing": (
        "@property\n    def diagram(self):\n        return self.cells + 'x' * self.cells.count('x')\n"
        "    def play(self, action):\n        return Broken(super().play(action).cells)",
        "does not fit",
    ),
    "blank": ("diagram = 1 / 1", "TypeError"),
    "ownerless": ("turn = 'nobody'\n    def __setattr__(self, name, value): pass", ""),
}
FEW_ROLES = {"lonely": ("ROLES[:1] * 2", "two different roles")}
READS = {
    "forgetful": ("lambda notation: Broken('x........')", "reads back"),
    "illiterate": ("lambda notation: int(notation)", "invalid literal"),
}


def game_of(
    folder: Path, name: str, fault: str, roles: str = "ROLES", read: str = "Broken"
) -> Game:
    code = BROKEN.format(slug=name, fault=fault, roles=roles, read=read)
    space: dict[str, object] = {}
    exec(compile(code, str(folder / f"{name}.py"), "exec"), space)
    game = space["GAME"]
    assert isinstance(game, Game)
    return game

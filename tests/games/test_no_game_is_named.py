"""Games know themselves: no other file has to change when a game is added or removed."""

import re
from collections.abc import Iterator
from pathlib import Path

from games.rules import GAMES
from tests.builders.sites import ROOT

PACKAGES = ("config", "games", "lobby", "templates", "static")
OF_GAMES = ("games/rules", "games/boards", "games/bots", "games/lessons", "games/gdl/sheets")
TEXTS = {".py", ".html", ".txt", ".js", ".css", ".json", ".toml", ".xml", ".sh", ".yml", ".conf"}
# "tic-tac-toe", `tic_tac_toe` and "Tic-Tac-Toe" alike.
NAMES = re.compile(
    "|".join(rf"(?<![a-z-]){slug.replace('-', '[-_ ]')}(?![a-z])" for slug in GAMES), re.IGNORECASE
)


def named(folders: tuple[str, ...]) -> Iterator[str]:
    """The lines that name a game, in all files of these folders except migrations."""
    for path in (path for folder in folders for path in Path(ROOT, folder).rglob("*")):
        if path.suffix in TEXTS and path.parent.name != "migrations":
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if NAMES.search(line):
                    yield f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"


def test_no_file_outside_the_packages_of_games_names_one() -> None:
    assert [each for each in named(PACKAGES) if not each.startswith(OF_GAMES)] == []


def test_every_game_is_found_where_it_is_named() -> None:
    for slug in GAMES:
        module = f"games/rules/{slug.replace('-', '_')}.py:"
        assert any(each.startswith(module) for each in named(("games/rules",))), slug
